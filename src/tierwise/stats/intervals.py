"""Bounds and intervals for one rate, counted over independent trials."""

from __future__ import annotations

import math

from tierwise.stats.arguments import require_confidence, require_events
from tierwise.stats.distributions import beta_quantile, normal_quantile
from tierwise.stats.exact import lower_limit, upper_limit
from tierwise.stats.values import Interval, Undetermined

_NO_TRIAL = Undetermined(reason="no trial was scored, so nothing bounds the rate")


def upper_bound(events: int, n: int, *, confidence: float = 0.95) -> float | Undetermined:
    """Return the one-sided upper bound on a rate: for gates of the kind "less than p".

    Population: trials of the same kind as those that ran. Assumption: independent trials.
    Guarantee: never anti-conservative; the true rate lies above in at most 1 - confidence of all
    repetitions. It is 1 when every trial had the event. Reference: Clopper & Pearson 1934.
    Oracle: test_intervals.py, scipy.stats.binomtest(alternative="less").
    """
    seen, trials = require_events(events, n)
    level = require_confidence(confidence)
    return upper_limit(seen, trials, 1.0 - level) if trials else _NO_TRIAL


def lower_bound(events: int, n: int, *, confidence: float = 0.95) -> float | Undetermined:
    """Return the one-sided lower bound on a rate: for gates of the kind "at least p".

    Population: trials of the same kind as those that ran. Assumption: independent trials.
    Guarantee: never anti-conservative; the true rate lies below in at most 1 - confidence of all
    repetitions. It is 0 when no trial had the event. Reference: Clopper & Pearson 1934.
    Oracle: test_intervals.py, scipy.stats.binomtest(alternative="greater").
    """
    seen, trials = require_events(events, n)
    level = require_confidence(confidence)
    return lower_limit(seen, trials, 1.0 - level) if trials else _NO_TRIAL


def clopper_pearson(events: int, n: int, *, confidence: float = 0.95) -> Interval | Undetermined:
    """Return the exact two-sided interval, wide rather than wrong.

    Population: trials of the same kind as those that ran. Assumption: independent trials.
    Guarantee: coverage is at least `confidence` for every rate and every n. Reference: Clopper &
    Pearson 1934. Oracle: test_intervals.py, scipy.stats.binomtest(...).proportion_ci("exact").
    """
    seen, trials = require_events(events, n)
    tail = (1.0 - require_confidence(confidence)) / 2.0
    if not trials:
        return _NO_TRIAL
    low, high = lower_limit(seen, trials, tail), upper_limit(seen, trials, tail)
    return Interval(low=low, high=high, confidence=confidence, method="clopper-pearson")


def wilson(events: int, n: int, *, confidence: float = 0.95) -> Interval | Undetermined:
    """Return the score interval: for reports, short and close to its nominal coverage.

    Population: trials of the same kind as those that ran. Assumption: independent trials.
    Guarantee: coverage is near `confidence` on average and can fall a few points short; not for
    gates. Reference: Wilson 1927; Brown, Cai & DasGupta 2001. Oracle: test_intervals.py,
    statsmodels proportion_confint(method="wilson").
    """
    seen, trials = require_events(events, n)
    z = normal_quantile((1.0 + require_confidence(confidence)) / 2.0)
    if not trials:
        return _NO_TRIAL
    total = trials + z * z
    centre = (seen + z * z / 2.0) / total
    half = z / total * math.sqrt(seen * (trials - seen) / trials + z * z / 4.0)
    low = max(0.0, centre - half) if seen else 0.0
    high = min(1.0, centre + half) if seen < trials else 1.0
    return Interval(low=low, high=high, confidence=confidence, method="wilson")


def jeffreys(events: int, n: int, *, confidence: float = 0.95) -> Interval | Undetermined:
    """Return the Bayesian interval of the Beta(1/2, 1/2) prior; not for zero-tolerance gates.

    The lower end is 0 without events and the upper end 1 without non-events.
    Population: trials of the same kind as those that ran. Assumption: independent trials.
    Guarantee: coverage is near `confidence` on average; optimistic at the ends. Reference: Brown,
    Cai & DasGupta 2001. Oracle: test_intervals.py, statsmodels method="jeffreys" inside the ends.
    """
    seen, trials = require_events(events, n)
    tail = (1.0 - require_confidence(confidence)) / 2.0
    if not trials:
        return _NO_TRIAL
    a, b = seen + 0.5, trials - seen + 0.5
    low = beta_quantile(tail, a, b) if seen else 0.0
    high = beta_quantile(1.0 - tail, a, b) if seen < trials else 1.0
    return Interval(low=low, high=high, confidence=confidence, method="jeffreys")
