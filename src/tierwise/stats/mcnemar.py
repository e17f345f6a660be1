"""One pass or fail per case from each of two systems: tests and interval of the difference."""

from __future__ import annotations

import math
from typing import Literal

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_confidence, require_count
from tierwise.stats.distributions import normal_quantile
from tierwise.stats.values import Interval, PValue, Undetermined


def mcnemar_test(
    first_only: int, second_only: int, *, method: Literal["mid-p", "exact"] = "mid-p"
) -> PValue:
    """Return the two-sided p of "both pass equally often" from the cases on which they differ.

    `first_only` counts cases that only the first passed. Mid-p is for reports, exact for gates.
    Population: cases like these. Assumption: independent cases. Guarantee: exact is never
    anti-conservative; mid-p keeps its level nearly always and wastes less. No disagreement gives
    1. Reference: McNemar 1947; Fagerland, Lydersen & Laake 2013. Oracle: test_mcnemar.py,
    statsmodels contingency_tables.mcnemar.
    """
    b = require_count("first_only", first_only)
    c = require_count("second_only", second_only)
    if method not in ("mid-p", "exact"):
        raise StatisticsError(f"method={method!r}: expected one of: exact, mid-p.")
    if b + c == 0:
        return PValue(value=1.0, method=f"mcnemar {method}", note="no disagreement")
    exact, mid = mcnemar_p_values(min(b, c), b + c)
    return PValue(value=exact if method == "exact" else mid, method=f"mcnemar {method}")


def mcnemar_p_values(fewer: int, total: int) -> tuple[float, float]:
    """Return exact and mid-p of `fewer` against `total - fewer`, in whole-number arithmetic."""
    term = tail = 1
    for i in range(fewer):
        term = term * (total - i) // (i + 1)
        tail += term
    scale = 1 << total
    if 2 * fewer == total:
        return 1.0, (2 * scale - term) / (2 * scale)
    return 2 * tail / scale, (2 * tail - term) / scale


def bonett_price(
    first_only: int, second_only: int, n: int, *, confidence: float = 0.95
) -> Interval | Undetermined:
    """Return the interval of the difference of two pass rates, first minus second, in n cases.

    Population: cases like these. Assumption: independent cases, one result of each system.
    Guarantee: coverage is near `confidence` also for small n. Reference: Bonett & Price 2012.
    Oracle: test_mcnemar.py, coverage by enumeration.
    """
    b = require_count("first_only", first_only)
    c = require_count("second_only", second_only)
    cases = require_count("n", n)
    z = normal_quantile((1.0 + require_confidence(confidence)) / 2.0)
    if b + c > cases:
        raise StatisticsError(
            f"first_only={b} and second_only={c} of n={cases}: expected their sum to be at most n."
        )
    if cases == 0:
        return Undetermined(reason="no case was scored by both")
    p_first, p_second = (b + 1) / (cases + 2), (c + 1) / (cases + 2)
    difference = p_first - p_second
    half = z * math.sqrt((p_first + p_second - difference**2) / (cases + 2))
    return Interval(
        low=max(-1.0, difference - half),
        high=min(1.0, difference + half),
        confidence=confidence,
        method="bonett-price",
    )
