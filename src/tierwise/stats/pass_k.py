"""k tries: does at least one pass (what a product can sell), do all pass (what a gate wants)?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tierwise.stats.arguments import require_count, require_events
from tierwise.stats.clusters import case_mean_interval
from tierwise.stats.values import Interval, Undetermined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def pass_at_k(passes: int, n: int, *, k: int) -> float | Undetermined:
    """Return the unbiased estimate that at least one of k tries of a case passes.

    Population: trials of one case. Assumption: independent trials. Guarantee: unbiased, where
    1 - (1 - rate)**k is not; fewer than k trials are undetermined. Reference: Chen et al. 2021.
    Oracle: test_pass_k.py, all subsets enumerated.
    """
    good, trials, tries = _require_tries(passes, n, k)
    if trials < tries:
        return _too_few(trials, tries)
    ways = math.comb(trials, tries)
    return (ways - math.comb(trials - good, tries)) / ways


def pass_hat_k(passes: int, n: int, *, k: int) -> float | Undetermined:
    """Return the unbiased estimate that all of k tries of a case pass.

    Population: trials of one case. Assumption: independent trials. Guarantee: unbiased, where
    rate**k is not; fewer than k trials are undetermined. Reference: Yao et al. 2024 (tau-bench).
    Oracle: test_pass_k.py, all subsets enumerated.
    """
    good, trials, tries = _require_tries(passes, n, k)
    if trials < tries:
        return _too_few(trials, tries)
    return math.comb(good, tries) / math.comb(trials, tries)


def mean_pass_at_k(
    per_case: Sequence[tuple[int, int]], *, k: int, confidence: float = 0.95
) -> Interval | Undetermined:
    """Return the t interval of pass@k over cases, from (passes, n) of each.

    Population: cases like these. Assumption: independent cases. Guarantee: that of
    `case_mean_interval`. Reference: Chen et al. 2021; Miller 2024. Oracle: test_pass_k.py,
    scipy.stats.ttest_1samp.
    """
    return _mean_over_cases(per_case, pass_at_k, k=k, confidence=confidence)


def mean_pass_hat_k(
    per_case: Sequence[tuple[int, int]], *, k: int, confidence: float = 0.95
) -> Interval | Undetermined:
    """Return the t interval of pass^k over cases, from (passes, n) of each.

    Population: cases like these. Assumption: independent cases. Guarantee: that of
    `case_mean_interval`. Reference: Yao et al. 2024; Miller 2024. Oracle: test_pass_k.py,
    scipy.stats.ttest_1samp.
    """
    return _mean_over_cases(per_case, pass_hat_k, k=k, confidence=confidence)


def _mean_over_cases(
    per_case: Sequence[tuple[int, int]],
    estimate: Callable[..., float | Undetermined],
    *,
    k: int,
    confidence: float,
) -> Interval | Undetermined:
    estimates: list[tuple[float]] = []
    for position, (passes, n) in enumerate(per_case):
        found = estimate(passes, n, k=k)
        if isinstance(found, Undetermined):
            return Undetermined(reason=f"case {position}: {found.reason}")
        estimates.append((found,))
    return case_mean_interval(estimates, confidence=confidence)


def _require_tries(passes: int, n: int, k: int) -> tuple[int, int, int]:
    return (*require_events(passes, n), require_count("k", k, least=1))


def _too_few(trials: int, tries: int) -> Undetermined:
    return Undetermined(reason=f"{trials} trials cannot show what {tries} tries would do")
