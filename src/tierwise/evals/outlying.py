"""Cases whose own rate is far from that of the others: a global rate hides them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import CaseRate
from tierwise.stats.distributions import binomial_cdf

if TYPE_CHECKING:
    from tierwise.evals.counting import Counts
    from tierwise.evals.promises import RateLimit, TriesLimit

_FEWEST = 3
_ALARM = 0.01
_SHOWN = 3
_WANTED_RARE = ("never", "at_most")


def find_outliers(promise: RateLimit | TriesLimit, counts: Counts) -> tuple[CaseRate, ...]:
    """Return cases that are far on the wrong side of the overall rate, the worst first.

    Far is what fewer than one of 100 evals shows of any case by chance; a case with fewer than 3
    scored trials shows nothing.
    """
    n_cases = len(counts.per_case)
    if not counts.labels or n_cases < 2 or not 0 < counts.n_events < counts.n_scored:  # noqa: PLR2004
        return ()
    rate, is_least = counts.n_events / counts.n_scored, promise.kind not in _WANTED_RARE
    found = []
    for label, (events, n) in zip(counts.labels, counts.per_case, strict=True):
        if n < _FEWEST or (events >= rate * n) == is_least:
            continue
        chance = (
            binomial_cdf(events, n, rate) if is_least else binomial_cdf(n - events, n, 1 - rate)
        )
        if chance * n_cases < _ALARM:
            entry = CaseRate(case_id=label, n_events=events, n_scored=n)
            found.append((chance, label, entry))
    return tuple(entry for _, _, entry in sorted(found, key=lambda each: each[:2]))


def say_outliers(
    promise: RateLimit | TriesLimit, outliers: tuple[CaseRate, ...]
) -> tuple[str, ...]:
    """Return the caution that goes with them."""
    if not outliers:
        return ()
    named = [f"{case.case_id!r} ({case.n_events} of {case.n_scored})" for case in outliers]
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    side = "above" if promise.kind in _WANTED_RARE else "below"
    shown = f"{', '.join(named[:_SHOWN])}{more}"
    return (f"the rate over all cases hides {len(named)} far {side} it: {shown}",)
