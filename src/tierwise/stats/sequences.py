"""Intervals that stay valid when one looks after every trial and stops at will."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import (
    require_confidence,
    require_events,
    require_number,
    require_rate,
)
from tierwise.stats.values import Interval, Undetermined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

UNIFORM = (1.0, 1.0)
_MOST_TRIALS = 10_000_000


def confidence_sequence(
    events: int, n: int, *, confidence: float = 0.95, prior: tuple[float, float] = UNIFORM
) -> Interval | Undetermined:
    """Return the interval at trial n of a sequence that holds at all n together.

    `prior` is the Beta mixture: (1, 1) for any rate, (1, 99) sharper near 0.01. Fix it before
    the data.
    Population: trials of the same kind. Assumption: independent trials at one rate. Guarantee:
    the probability that the rate ever leaves the sequence is at most 1 - confidence, whatever
    the stopping rule (Ville). Reference: Robbins 1970; Howard et al. 2021. Oracle:
    test_sequences.py, Ville coverage by dynamic programming; closed form without events.
    """
    seen, trials = require_events(events, n)
    level = require_confidence(confidence)
    a, b = _require_prior(prior)
    if trials == 0:
        return Undetermined(reason="no trial was scored, so nothing bounds the rate")
    limit = -math.log1p(-level)
    evidence = _log_mixture(seen, trials, a, b)
    estimate = seen / trials

    def excludes(p: float) -> bool:
        return evidence - _log_likelihood(seen, trials, p) >= limit

    return Interval(
        low=_boundary(0.0, estimate, excludes=excludes) if seen else 0.0,
        high=_boundary(1.0, estimate, excludes=excludes) if seen < trials else 1.0,
        confidence=level,
        method=f"beta-binomial sequence, prior ({a:g}, {b:g})",
    )


def excludes_rate(
    events: int,
    n: int,
    rate: float,
    *,
    confidence: float = 0.95,
    prior: tuple[float, float] = UNIFORM,
) -> bool:
    """Return whether the sequence excludes one rate at trial n: `confidence_sequence`, but cheap.

    Population, assumption, guarantee: those of `confidence_sequence`. Looked at only when every
    case has had as many trials as every other, it holds for the mean rate of cases whose own
    rates differ (by the inequality of the arithmetic and the geometric mean). Reference: Robbins
    1970. Oracle: test_sequences.py, confidence_sequence.
    """
    seen, trials = require_events(events, n)
    limit = -math.log1p(-require_confidence(confidence))
    a, b = _require_prior(prior)
    evidence = _log_mixture(seen, trials, a, b)
    return evidence - _log_likelihood(seen, trials, require_rate("rate", rate)) >= limit


def clean_trials_needed(
    rate: float, *, confidence: float = 0.95, prior: tuple[float, float] = UNIFORM
) -> int:
    """Return the smallest n at which a clean sequence excludes `rate`: the price of peeking.

    Population, assumption, guarantee: those of `confidence_sequence`. Reference: Robbins 1970.
    Oracle: test_sequences.py, a loop over the sequence itself.
    """
    limit = -math.log1p(-require_confidence(confidence))
    a, b = _require_prior(prior)
    per_trial = -math.log1p(-require_rate("rate", rate))
    for n in range(1, _MOST_TRIALS):
        if _log_mixture(0, n, a, b) + n * per_trial >= limit:
            return n
    raise StatisticsError(
        f"rate={rate!r}: expected a rate that {_MOST_TRIALS} trials can exclude."
    )


def intersect_sequence(intervals: Iterable[Interval]) -> Interval | Undetermined:
    """Return what all looks of one sequence have in common: still valid, and shorter.

    An empty intersection is undetermined: the rate has moved, or trials depend on each other.
    Population, assumption, guarantee: those of `confidence_sequence`. Reference: Darling &
    Robbins 1967. Oracle: test_sequences.py, Ville coverage.
    """
    looks = tuple(intervals)
    if not looks:
        return Undetermined(reason="no look was taken")
    if len({(look.confidence, look.method) for look in looks}) > 1:
        raise StatisticsError(
            "intervals of several methods or confidences: expected looks of one sequence."
        )
    low, high = max(look.low for look in looks), min(look.high for look in looks)
    if low > high:
        return Undetermined(
            reason="no rate agrees with all looks: trials are not alike or not independent"
        )
    method = f"{looks[0].method}, running intersection"
    return Interval(low=low, high=high, confidence=looks[0].confidence, method=method)


def _log_mixture(events: int, n: int, a: float, b: float) -> float:
    return _log_beta(a + events, b + n - events) - _log_beta(a, b)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _log_likelihood(events: int, n: int, p: float) -> float:
    if (events and p <= 0.0) or (n > events and p >= 1.0):
        return -math.inf
    hits = events * math.log(p) if events else 0.0
    return hits + ((n - events) * math.log1p(-p) if n > events else 0.0)


def _boundary(out: float, inside: float, *, excludes: Callable[[float], bool]) -> float:
    """Bisect down to neighbouring floats; return the last excluded point, the wider choice."""
    while True:
        middle = (out + inside) / 2.0
        if middle in (out, inside):
            return out
        if excludes(middle):
            out = middle
        else:
            inside = middle


def _require_prior(prior: tuple[float, float]) -> tuple[float, float]:
    a, b = (require_number("prior", part) for part in prior)
    if a <= 0.0 or b <= 0.0:
        raise StatisticsError(f"prior={prior!r}: expected two numbers above 0.")
    return a, b
