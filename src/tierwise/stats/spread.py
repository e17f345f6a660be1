"""One-sided limits of a mean over cases: the kernel that means and differences share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from tierwise.stats.clusters import MIN_CASES, ONE_CASE, agree_exactly
from tierwise.stats.distributions import t_quantile
from tierwise.stats.values import Population, Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence

OVER_CASES = "t over case means"
WITHIN_CASES = "t within cases"
_UNANIMOUS = "trials that all agree"
_NO_SPREAD = Undetermined(
    reason="all scores agree exactly, which is not the same as no error; only a declared range of "
    "the scores bounds it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One value a case, how trials vary around it, and how far the mean could still move."""

    values: Sequence[float]
    noise: Sequence[tuple[float, int]]
    """(Variance of a mean of trials, its degrees of freedom) of each case on each side."""
    down: tuple[tuple[float, int], ...]
    """(How far a side's mean is from the end of its range, trials that count) of each side."""
    up: tuple[tuple[float, int], ...]
    is_binary: bool = False

    @property
    def estimate(self) -> float:
        """The mean over cases."""
        return fmean(self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How precisely a sample shows its mean; without any spread only the range bounds it."""

    sample: Sample
    population: Population
    error: float
    freedom: float
    method: str

    def limits(self, tail: float) -> tuple[float, float]:
        """Return the lower and the upper limit, each with `tail` beyond it."""
        half = self.error * t_quantile(1.0 - tail, self.freedom) if self.error else 0.0
        down, up = half, half
        if self.method == _UNANIMOUS or self.sample.is_binary:
            down = max(half, self._move(self.sample.down, tail))
            up = max(half, self._move(self.sample.up, tail))
        return self.sample.estimate - down, self.sample.estimate + up

    def _move(self, sides: tuple[tuple[float, int], ...], tail: float) -> float:
        """Return how far the mean can be off although every trial, or every case, agreed.

        So many agreed with probability `tail` at least if the share that would not is at most
        1 - tail**(1/n): the mean of shares that differ is bounded too, by the inequality of the
        arithmetic and the geometric mean.
        """
        if self.population is Population.CASES_LIKE_THESE:
            share = -math.expm1(math.log(tail) / len(self.sample.values))
            return share * sum(room for room, _ in sides)
        total = sum(n for _, n in sides)
        share = -math.expm1(math.log(tail) / total)
        return share * total * max(room / n for room, n in sides)


def find_spread(population: Population, sample: Sample) -> Spread | Undetermined:
    """Return how precisely the mean is shown, for the population that was meant."""
    error = freedom = math.nan
    method = OVER_CASES
    if population is Population.THESE_CASES and all(df for _, df in sample.noise):
        error, freedom, method = *_vary_within(sample), WITHIN_CASES
    elif len(sample.values) >= MIN_CASES:
        error, freedom = _vary_between(sample.values), len(sample.values) - 1
    elif population is Population.CASES_LIKE_THESE:
        return ONE_CASE
    else:
        error = 0.0
    if not error:
        if not all(math.isfinite(room) for room, _ in (*sample.down, *sample.up)):
            return _NO_SPREAD if agree_exactly(sample.values) else _say_agreed_within(sample)
        method = _UNANIMOUS
    return Spread(
        sample=sample, population=population, error=error, freedom=freedom, method=method
    )


def _say_agreed_within(sample: Sample) -> Undetermined:
    return Undetermined(
        reason="within each case all scores agree exactly (mean over cases "
        f"{sample.estimate:.4g}), which is not the same as no error; only a declared range of the "
        "scores bounds it"
    )


def _vary_between(values: Sequence[float]) -> float:
    return 0.0 if agree_exactly(values) else stdev(values) / math.sqrt(len(values))


def _vary_within(sample: Sample) -> tuple[float, float]:
    total = math.fsum(variance for variance, _ in sample.noise)
    if not total:
        return 0.0, math.nan
    # Shares rather than squares: those of tiny variances would be 0.
    freedom = 1.0 / math.fsum((variance / total) ** 2 / df for variance, df in sample.noise)
    return math.sqrt(total) / len(sample.values), freedom
