"""Both one-sided bounds of a mean of scores, or of a paired difference, for each population."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_confidence, require_number
from tierwise.stats.clusters import caution_few_cases
from tierwise.stats.spread import OVER_CASES, Sample, find_spread
from tierwise.stats.values import Interval, Population, Undetermined, require_population

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.stats.case_mean import CaseMean

    Ends = tuple[float, float]

_NO_SCORE = Undetermined(reason="no trial was scored, so nothing bounds the mean")
_NO_PAIR = Undetermined(reason="no case was scored on both sides")
_ENDLESS = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanBounds:
    """What scores prove about a mean; `lower` and `upper` are one-sided at `confidence`."""

    population: Population
    estimate: float
    """The mean of the cases' means: each case counts the same."""
    lower: float
    upper: float
    interval: Interval
    """Two-sided, for a report."""
    error: float
    """The standard error; 0 where there is no spread to tell it by."""
    confidence: float
    method: str
    cautions: tuple[str, ...] = ()


def bound_mean(
    population: Population | str,
    cases: Sequence[CaseMean],
    *,
    confidence: float = 0.95,
    span: tuple[float, float] | None = None,
) -> MeanBounds | Undetermined:
    """Return one-sided bounds on the mean score, each case counting the same.

    `span` is the range that no score can leave.

    Population: `cases_like_these`, by t over case means with C - 1 degrees of freedom: repeats
    cannot buy what only more cases can show. Population: `these_cases`, by t within cases with
    Welch's degrees of freedom, since exactly these cases would be run again; where some case has
    a single trial, by t over case means, which is then too wide rather than too short.
    Assumption: independent cases, or independent trials of each; means not far from normal.
    Guarantee: approximate, better with more cases. Scores that all agree show no spread to judge
    by: undetermined, unless `span` bounds what unanimous trials can hide.
    References: Miller 2024, arXiv 2411.00640; Welch 1947. Oracle: test_means.py,
    scipy.stats.ttest_1samp and, within cases, ttest_ind(equal_var=False).
    """
    meant, level = require_population(population), require_confidence(confidence)
    scored = [case for case in cases if case.n]
    if not scored:
        return _NO_SCORE
    ends = _require_span(span)
    mean, n = fmean(case.mean for case in scored), _count_alike(scored)
    sample = Sample(
        values=[case.mean for case in scored],
        noise=[_noise_of(case) for case in scored],
        down=((mean - ends[0], n),),
        up=((ends[1] - mean, n),),
    )
    return _bound(meant, sample, level, ends)


def bound_difference(
    population: Population | str,
    pairs: Sequence[tuple[CaseMean, CaseMean]],
    *,
    confidence: float = 0.95,
    span: tuple[float, float] | None = None,
    is_binary: bool = False,
) -> MeanBounds | Undetermined:
    """Return one-sided bounds on the mean difference, first minus second, paired by case.

    `is_binary` says that scores are 0 or 1: then no bound is tighter than that of trials, or of
    cases, that all agree, since a t interval is too short near 0 and 1.

    Population, assumption, guarantee: those of `bound_mean`, for the difference of each case; the
    two sides ran independently. References: Miller 2024; Welch 1947. Oracle: test_means.py,
    scipy.stats.ttest_rel and ttest_ind(equal_var=False).
    """
    meant, level = require_population(population), require_confidence(confidence)
    both = [(new, old) for new, old in pairs if new.n and old.n]
    if not both:
        return _NO_PAIR
    low, high = (0.0, 1.0) if is_binary else _require_span(span)
    news, olds = [new for new, _ in both], [old for _, old in both]
    first, second = fmean(new.mean for new in news), fmean(old.mean for old in olds)
    n, m = _count_alike(news), _count_alike(olds)
    sample = Sample(
        values=[new.mean - old.mean for new, old in both],
        noise=[_noise_of(case) for case in (*news, *olds)],
        down=((first - low, n), (high - second, m)),
        up=((high - first, n), (second - low, m)),
        is_binary=is_binary,
    )
    return _bound(meant, sample, level, (low - high, high - low))


def _bound(
    population: Population, sample: Sample, confidence: float, ends: Ends
) -> MeanBounds | Undetermined:
    spread = find_spread(population, sample)
    if isinstance(spread, Undetermined):
        return spread
    lower, upper = _clip(spread.limits(1.0 - confidence), ends)
    low, high = _clip(spread.limits((1.0 - confidence) / 2.0), ends)
    is_few = spread.method == OVER_CASES
    return MeanBounds(
        population=population,
        estimate=sample.estimate,
        lower=lower,
        upper=upper,
        interval=Interval(low=low, high=high, confidence=confidence, method=spread.method),
        error=spread.error,
        confidence=confidence,
        method=spread.method,
        cautions=caution_few_cases(len(sample.values)) if is_few else (),
    )


def _clip(limits: Ends, ends: Ends) -> Ends:
    return max(limits[0], ends[0]), min(limits[1], ends[1])


def _noise_of(case: CaseMean) -> tuple[float, int]:
    return case.variance / case.n, case.n - 1


def _count_alike(cases: Sequence[CaseMean]) -> int:
    """Return the trials that count where each case weighs the same: those of the shortest."""
    return len(cases) * min(case.n for case in cases)


def _require_span(span: tuple[float, float] | None) -> Ends:
    if span is None:
        return _ENDLESS
    low, high = (require_number("span", end) for end in span)
    if low >= high:
        raise StatisticsError(f"span={span!r}: expected the least and the greatest score.")
    return low, high
