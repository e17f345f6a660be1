"""Two systems on the same cases: the difference, its interval and its tests."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from tierwise.stats.arguments import (
    require_confidence,
    require_count,
    require_numbers,
    require_same_length,
)
from tierwise.stats.clusters import MIN_CASES, ONE_CASE, agree_exactly, caution_few_cases
from tierwise.stats.distributions import sum_chosen, t_cdf, t_quantile
from tierwise.stats.values import Interval, PValue, Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence

EXACT_FLIPS = 20
"""Up to this many cases all sign flips are enumerated."""
MIN_RESAMPLES = 9_999


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """Mean of first minus second over the same cases."""

    difference: float
    error: float
    unpaired_error: float
    """What the standard error would be if the pairing were ignored."""
    t: float
    p_value: float
    interval: Interval


def compare_paired(
    first: Sequence[float], second: Sequence[float], *, confidence: float = 0.95
) -> PairedDifference | Undetermined:
    """Return the mean difference of case means, first minus second, with a t interval and test.

    Population: cases like these. Assumption: independent cases, differences not far from normal.
    Guarantee: approximate, better with more cases; `sign_flip_test` needs no normality.
    Reference: Miller 2024, arXiv 2411.00640. Oracle: test_pairs.py, scipy.stats.ttest_rel.
    """
    a, b = _require_pairs(first, second)
    level = require_confidence(confidence)
    if len(a) < MIN_CASES:
        return ONE_CASE
    differences = [x - y for x, y in zip(a, b, strict=True)]
    if agree_exactly(differences):
        return Undetermined(reason="all cases differ by the same amount: no spread to judge it by")
    cases = len(a)
    mean, error = fmean(differences), stdev(differences) / math.sqrt(cases)
    half = t_quantile((1.0 + level) / 2.0, cases - 1) * error
    return PairedDifference(
        difference=mean,
        error=error,
        unpaired_error=math.sqrt((stdev(a) ** 2 + stdev(b) ** 2) / cases),
        t=mean / error,
        p_value=2.0 * t_cdf(-abs(mean / error), cases - 1),
        interval=Interval(
            low=mean - half,
            high=mean + half,
            confidence=level,
            method="paired t",
            cautions=caution_few_cases(cases),
        ),
    )


def sign_flip_test(
    first: Sequence[float],
    second: Sequence[float],
    *,
    seed: int = 0,
    resamples: int = MIN_RESAMPLES,
) -> PValue | Undetermined:
    """Return the two-sided p of "no difference", from flipping the signs of case differences.

    Up to 20 differing cases all flips are enumerated; above, `resamples` random ones (9999 at
    least) from `seed` are counted with (1 + hits) / (1 + resamples). The least p of C cases is
    2 / 2**C, so fewer than 6 can never reach .05.
    Population: these cases, or cases like these. Assumption: under the hypothesis each
    difference is as likely as its negative. Guarantee: exact. Reference: Fisher 1935. Oracle:
    test_pairs.py, scipy.stats.permutation_test; McNemar's exact test on 0/1 scores.
    """
    a, b = _require_pairs(first, second)
    require_count("resamples", resamples, least=MIN_RESAMPLES)
    if not a:
        return Undetermined(reason="no case was scored by both")
    differences = [d for d in (x - y for x, y in zip(a, b, strict=True)) if d != 0.0]
    if not differences:
        return PValue(value=1.0, method="sign flip", note="no case differs")
    limit = abs(math.fsum(differences)) - 1e-9 * math.fsum(map(abs, differences))
    if len(differences) <= EXACT_FLIPS:
        return PValue(value=_enumerate_flips(differences, limit), method="sign flip, exact")
    share = _draw_flips(differences, limit, draws=resamples, seed=seed)
    return PValue(value=share, method=f"sign flip, {resamples} draws, seed {seed}")


def _enumerate_flips(differences: Sequence[float], limit: float) -> float:
    """Fix the first sign, since a flip of all signs gives the same absolute sum."""
    sums = [differences[0]]
    for d in differences[1:]:
        sums = [total + step for total, step in itertools.product(sums, (d, -d))]
    return sum(abs(total) >= limit for total in sums) / len(sums)


def _draw_flips(differences: Sequence[float], limit: float, *, draws: int, seed: int) -> float:
    source = random.Random(seed)  # noqa: S311  repeatable draws, no secret
    total, n = math.fsum(differences), len(differences)
    drawn = (source.getrandbits(n) for _ in range(draws))
    hits = sum(abs(2.0 * kept - total) >= limit for kept in sum_chosen(differences, drawn))
    return (1 + hits) / (1 + draws)


def _require_pairs(
    first: Sequence[float], second: Sequence[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    a, b = require_numbers("first", first), require_numbers("second", second)
    require_same_length(a, b, names="first and second")
    return a, b
