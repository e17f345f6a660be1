"""Two rates from independent trials: intervals of their difference."""

from __future__ import annotations

import math

from tierwise.stats.arguments import require_confidence, require_events
from tierwise.stats.distributions import normal_quantile
from tierwise.stats.intervals import wilson
from tierwise.stats.values import Interval, Undetermined

_EMPTY_ARM = Undetermined(reason="one of the two has no scored trial")


def newcombe(
    first: tuple[int, int], second: tuple[int, int], *, confidence: float = 0.95
) -> Interval | Undetermined:
    """Return the interval of the difference of two rates, first minus second, from (events, n).

    Population: trials of the same kinds. Assumption: independent trials, no pairing (with the
    same cases in both, `compare_paired` sees more). Guarantee: coverage near `confidence` on
    average. Reference: Newcombe 1998, method 10. Oracle: test_arms.py, statsmodels
    confint_proportions_2indep(method="newcomb").
    """
    (x1, n1), (x2, n2) = require_events(*first), require_events(*second)
    one = wilson(x1, n1, confidence=confidence)
    two = wilson(x2, n2, confidence=confidence)
    if isinstance(one, Undetermined) or isinstance(two, Undetermined):
        return _EMPTY_ARM
    p1, p2 = x1 / n1, x2 / n2
    return Interval(
        low=p1 - p2 - math.hypot(p1 - one.low, two.high - p2),
        high=p1 - p2 + math.hypot(one.high - p1, p2 - two.low),
        confidence=confidence,
        method="newcombe",
    )


def agresti_caffo(
    first: tuple[int, int], second: tuple[int, int], *, confidence: float = 0.95
) -> Interval | Undetermined:
    """Return the interval of the difference of two rates after one more event and non-event each.

    Population: trials of the same kinds. Assumption: independent trials, no pairing. Guarantee:
    coverage near `confidence` on average. Reference: Agresti & Caffo 2000. Oracle: test_arms.py,
    statsmodels confint_proportions_2indep(method="agresti-caffo").
    """
    (x1, n1), (x2, n2) = require_events(*first), require_events(*second)
    z = normal_quantile((1.0 + require_confidence(confidence)) / 2.0)
    if not n1 or not n2:
        return _EMPTY_ARM
    p1, p2 = (x1 + 1) / (n1 + 2), (x2 + 1) / (n2 + 2)
    half = z * math.sqrt(p1 * (1 - p1) / (n1 + 2) + p2 * (1 - p2) / (n2 + 2))
    return Interval(
        low=max(-1.0, p1 - p2 - half),
        high=min(1.0, p1 - p2 + half),
        confidence=confidence,
        method="agresti-caffo",
    )
