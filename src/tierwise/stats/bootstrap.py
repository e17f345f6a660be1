"""An interval without normality: draw cases again and again, never single trials."""

from __future__ import annotations

import math
import random
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Literal

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_confidence, require_count, require_numbers
from tierwise.stats.clusters import MIN_CASES, ONE_CASE, agree_exactly, caution_few_cases
from tierwise.stats.distributions import normal_cdf, normal_quantile
from tierwise.stats.values import Interval, Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_CASES_TO_RESAMPLE = 10
MIN_RESAMPLES = 9_999


def bootstrap_cases(
    case_means: Sequence[float],
    *,
    confidence: float = 0.95,
    method: Literal["percentile", "bca"] = "percentile",
    resamples: int = MIN_RESAMPLES,
    seed: int = 0,
) -> Interval | Undetermined:
    """Return an interval for the mean of case means (or of case differences) by resampling cases.

    `bca` corrects bias and skew. Fewer than 10 cases are undetermined: too few to stand for
    their population.
    Population: cases like these. Assumption: independent cases. Guarantee: approximate, better
    with more cases; the same seed gives the same interval. Reference: Efron 1987. Oracle:
    test_bootstrap.py, scipy.stats.bootstrap.
    """
    means = require_numbers("case_means", case_means)
    level = require_confidence(confidence)
    require_count("resamples", resamples, least=MIN_RESAMPLES)
    if method not in ("percentile", "bca"):
        raise StatisticsError(f"method={method!r}: expected one of: bca, percentile.")
    if len(means) < MIN_CASES_TO_RESAMPLE:
        return Undetermined(
            reason=f"{len(means)} cases are too few to resample; at least "
            f"{MIN_CASES_TO_RESAMPLE} are needed"
        )
    if agree_exactly(means):
        return Undetermined(reason="all cases agree exactly, which is not the same as no error")
    drawn = _draw_means(means, resamples=resamples, seed=seed)
    tails = ((1.0 - level) / 2.0, (1.0 + level) / 2.0)
    if method == "bca":
        tails = _correct_tails(means, drawn, tails)
    low, high = (_quantile(drawn, tail) for tail in tails)
    return Interval(
        low=low,
        high=high,
        confidence=level,
        method=f"bootstrap of cases, {method}, {resamples} draws, seed {seed}",
        cautions=caution_few_cases(len(means)),
    )


def bootstrap_error(case_means: Sequence[float]) -> float | Undetermined:
    """Return the standard error that infinitely many resamples of the cases would give.

    Population: cases like these. Assumption: independent cases. Guarantee: exact for the mean;
    smaller than sd / sqrt(C) by sqrt((C - 1) / C). Reference: Efron 1979. Oracle:
    test_bootstrap.py, all resamples enumerated.
    """
    means = require_numbers("case_means", case_means)
    if len(means) < MIN_CASES:
        return ONE_CASE
    if agree_exactly(means):
        return Undetermined(reason="all cases agree exactly, which is not the same as no error")
    return pstdev(means) / math.sqrt(len(means))


def _draw_means(means: Sequence[float], *, resamples: int, seed: int) -> list[float]:
    source = random.Random(seed)  # noqa: S311  repeatable draws, no secret
    cases = len(means)
    return sorted(math.fsum(source.choices(means, k=cases)) / cases for _ in range(resamples))


def _correct_tails(
    means: Sequence[float], drawn: Sequence[float], tails: tuple[float, float]
) -> tuple[float, float]:
    centre = fmean(means)
    below = sum(value < centre for value in drawn) + sum(value == centre for value in drawn) / 2
    bias = normal_quantile(min(max(below, 0.5), len(drawn) - 0.5) / len(drawn))
    # Leaving one case out moves the mean by (centre - value) / (C - 1); the scale cancels.
    pulls = [value - centre for value in means]
    skew = math.fsum(d**3 for d in pulls) / (6.0 * math.fsum(d * d for d in pulls) ** 1.5)

    def correct(tail: float) -> float:
        shifted = bias + normal_quantile(tail)
        return normal_cdf(bias + shifted / (1.0 - skew * shifted))

    return correct(tails[0]), correct(tails[1])


def _quantile(ordered: Sequence[float], q: float) -> float:
    place = q * (len(ordered) - 1)
    left = math.floor(place)
    right = min(left + 1, len(ordered) - 1)
    return ordered[left] + (place - left) * (ordered[right] - ordered[left])
