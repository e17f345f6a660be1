"""Two systems on exactly these cases: repeats count in full, other cases are not spoken of."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_count
from tierwise.stats.clusters import require_case_counts
from tierwise.stats.distributions import convolve, normal_cdf, t_cdf
from tierwise.stats.values import PValue, Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.stats.case_mean import CaseMean

    Counts = Sequence[tuple[int, int]]

MOST_STEPS = 100_000_000
"""Above so many multiplications the exact distribution is replaced by its normal limit."""
_NO_CASE = Undetermined(reason="no case was scored by both")
_NO_REPEAT = Undetermined(
    reason="a case with one score a side shows no spread: run each case twice or more"
)


def exact_case_test(first: Counts, second: Counts) -> PValue | Undetermined:
    """Return the two-sided p of "in each case both have the same rate", from (events, n) of each.

    Within a case any trial could have been either system's: the number of events of the first is
    compared with all ways to deal them out. One case gives Fisher's exact test with doubled
    tails, one trial a case McNemar's. Where that takes too many steps the normal limit with a
    continuity correction (Cochran, Mantel, Haenszel) stands in, and `method` says so.
    Population: these cases. Assumption: independent trials. Guarantee: never anti-conservative
    while exact. Reference: Cochran 1954; Mantel & Haenszel 1959; Birch 1964. Oracle:
    test_same_cases.py, scipy.stats.hypergeom and enumeration.
    """
    pairs = _require_pairs(first, second)
    if not pairs:
        return _NO_CASE
    cases = [(x1 + x2, n1, n2) for (x1, n1), (x2, n2) in pairs]
    tables = [case for case in cases if 0 < case[0] < case[1] + case[2]]
    fixed = sum(n1 for events, n1, n2 in cases if events == n1 + n2)
    seen = sum(x1 for (x1, _), _ in pairs) - fixed
    if not tables:
        return PValue(value=1.0, method="exact within cases", note="no trial differs")
    if _count_steps(tables) > MOST_STEPS:
        return PValue(value=_approximate(tables, seen), method="within cases, normal limit")
    return PValue(value=_double_tail(tables, seen), method="exact within cases")


def least_case_p(first: Sequence[int], second: Sequence[int]) -> float:
    """Return the least p that `exact_case_test` can give with so many trials of each case.

    Where it lies above alpha the plan could not have shown any difference.
    Population: these cases. Assumption: independent trials. Guarantee: exact. Reference: Tarone
    1990. Oracle: test_same_cases.py, the test itself on the most extreme outcome.
    """
    _require_same_cases(len(first), len(second))
    ways = math.fsum(
        _log_ways(require_count("n", n1) + require_count("n", n2), n1)
        for n1, n2 in zip(first, second, strict=True)
    )
    return min(1.0, 2.0 * math.exp(-ways))


def welch_case_test(pairs: Sequence[tuple[CaseMean, CaseMean]]) -> PValue | Undetermined:
    """Return the two-sided p of "the mean over these cases is the same", paired by case.

    Only the spread within each case makes a mean over exactly these cases uncertain, so each case
    needs two scores a side.
    Population: these cases. Assumption: independent trials, means not far from normal.
    Guarantee: approximate, better with more trials. Reference: Welch 1947; Satterthwaite 1946.
    Oracle: test_same_cases.py, scipy.stats.ttest_ind(equal_var=False) for one case.
    """
    if not pairs:
        return _NO_CASE
    sides = [side for pair in pairs for side in pair]
    if any(side.n < 2 for side in sides):  # noqa: PLR2004  one score has no spread
        return _NO_REPEAT
    parts = [(side.variance / side.n, side.n - 1) for side in sides]
    total = math.fsum(part for part, _ in parts)
    if total <= 0.0:
        return Undetermined(reason="within each case all scores agree: no spread to judge it by")
    freedom = total**2 / math.fsum(part**2 / degrees for part, degrees in parts)
    difference = fmean(first.mean - second.mean for first, second in pairs)
    t = difference * len(pairs) / math.sqrt(total)
    return PValue(value=2.0 * t_cdf(-abs(t), freedom), method="welch within cases")


def _count_steps(tables: Sequence[tuple[int, int, int]]) -> int:
    steps = reach = 0
    for events, n1, n2 in tables:
        width = min(events, n1) - max(0, events - n2) + 1
        steps += (reach + 1) * width
        reach += width
    return steps


def _double_tail(tables: Sequence[tuple[int, int, int]], seen: int) -> float:
    weights, start = [1.0], 0
    for events, n1, n2 in tables:
        least, most = max(0, events - n2), min(events, n1)
        scale = _log_ways(n1 + n2, events)
        deal = [
            math.exp(_log_ways(n1, k) + _log_ways(n2, events - k) - scale)
            for k in range(least, most + 1)
        ]
        weights, start = convolve(weights, deal), start + least
    place = seen - start
    return min(1.0, 2.0 * min(math.fsum(weights[: place + 1]), math.fsum(weights[place:])))


def _approximate(tables: Sequence[tuple[int, int, int]], seen: int) -> float:
    expected = math.fsum(events * n1 / (n1 + n2) for events, n1, n2 in tables)
    variance = math.fsum(
        events * n1 * n2 * (n1 + n2 - events) / ((n1 + n2) ** 2 * (n1 + n2 - 1))
        for events, n1, n2 in tables
    )
    distance = max(0.0, abs(seen - expected) - 0.5)
    return min(1.0, 2.0 * normal_cdf(-distance / math.sqrt(variance)))


def _log_ways(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _require_pairs(first: Counts, second: Counts) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    _require_same_cases(len(first), len(second))
    return list(zip(require_case_counts(first), require_case_counts(second), strict=True))


def _require_same_cases(n_first: int, n_second: int) -> None:
    if n_first != n_second:
        raise StatisticsError(
            f"first and second hold {n_first} and {n_second} cases: expected the same cases in "
            "the same order."
        )
