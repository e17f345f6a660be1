"""Both one-sided bounds of pass@k and pass^k over cases, for each population."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Literal

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_confidence, require_count
from tierwise.stats.clusters import (
    MIN_CASES,
    ONE_CASE,
    agree_exactly,
    caution_few_cases,
    require_case_counts,
)
from tierwise.stats.distributions import t_quantile
from tierwise.stats.exact import lower_limit, upper_limit
from tierwise.stats.means import MeanBounds
from tierwise.stats.pass_k import pass_at_k, pass_hat_k
from tierwise.stats.values import Interval, Population, Undetermined, require_population

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TriesKind = Literal["pass_at_k", "pass_hat_k"]

_KINDS = {"pass_at_k": pass_at_k, "pass_hat_k": pass_hat_k}
_NO_SPREAD = Undetermined(reason="all cases agree exactly, which is not the same as no error")


def bound_tries(
    kind: TriesKind,
    population: Population | str,
    per_case: Sequence[tuple[int, int]],
    *,
    k: int,
    confidence: float = 0.95,
) -> MeanBounds | Undetermined:
    """Return one-sided bounds on the mean over cases of pass@k or pass^k.

    `per_case` holds (passes, n) of each case; fewer than k trials of any are undetermined.

    By t over the cases' unbiased estimates, and never tighter than what cases, or the trials of
    these cases, prove that all agree.
    Population: `cases_like_these`, or `these_cases`, for which t counts how cases differ as well
    and is too wide rather than too short. Where it has no spread to go by, and for a single case,
    the bounds of the mean rate are carried over: exact for one case, by Jensen's inequality for
    several. Assumption: independent trials and cases. Guarantee: approximate.
    References: Chen et al. 2021; Yao et al. 2024; Clopper & Pearson 1934. Oracle: test_tries.py,
    scipy.stats.ttest_1samp, and enumeration of the coverage of one case.
    """
    estimate = _require_kind(kind)
    meant, level = require_population(population), require_confidence(confidence)
    counts, tries = require_case_counts(per_case), require_count("k", k, least=1)
    if not counts:
        return Undetermined(reason="no trial was scored, so nothing bounds what tries would do")
    found = [estimate(passes, n, k=tries) for passes, n in counts]
    values = [value for value in found if not isinstance(value, Undetermined)]
    if len(values) < len(found):
        return next(value for value in found if isinstance(value, Undetermined))
    if meant is Population.CASES_LIKE_THESE and len(counts) < MIN_CASES:
        return ONE_CASE
    tried = _Tried(kind=kind, k=tries, population=meant, counts=counts, values=values)
    if not tried.error and not tried.is_carried and not tried.is_unanimous:
        return _NO_SPREAD
    (lower, upper), (low, high) = tried.limits(1 - level), tried.limits((1 - level) / 2)
    return MeanBounds(
        population=meant,
        estimate=fmean(values),
        lower=lower,
        upper=upper,
        interval=Interval(low=low, high=high, confidence=level, method=tried.method),
        error=tried.error,
        confidence=level,
        method=tried.method,
        cautions=caution_few_cases(len(counts)) if tried.error else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    kind: TriesKind
    k: int
    population: Population
    counts: Sequence[tuple[int, int]]
    values: Sequence[float]

    @property
    def error(self) -> float:
        if len(self.values) < MIN_CASES or agree_exactly(self.values):
            return 0.0
        return stdev(self.values) / math.sqrt(len(self.values))

    @property
    def is_unanimous(self) -> bool:
        return set(self.values) in ({0.0}, {1.0})

    @property
    def is_carried(self) -> bool:
        """Can bounds of the mean rate stand for it? They weigh trials, so these must be equal."""
        is_equal = len({n for _, n in self.counts}) == 1
        return self.population is Population.THESE_CASES and not self.error and is_equal

    @property
    def method(self) -> str:
        if self.is_carried:
            return "clopper-pearson over trials"
        return "t over cases" if self.error else "clopper-pearson over cases"

    def limits(self, tail: float) -> tuple[float, float]:
        mean, half = fmean(self.values), 0.0
        if self.error:
            half = self.error * t_quantile(1.0 - tail, len(self.values) - 1)
        least, most = self._carried(tail) if self.is_carried else self._unanimous(tail)
        return max(0.0, min(mean - half, least)), min(1.0, max(mean + half, most))

    def _carried(self, tail: float) -> tuple[float, float]:
        passes, n = sum(x for x, _ in self.counts), sum(n for _, n in self.counts)
        rates = lower_limit(passes, n, tail), upper_limit(passes, n, tail)
        return self._carry(rates, is_single=len(self.counts) == 1)

    def _unanimous(self, tail: float) -> tuple[float, float]:
        """Return the bounds that cases, or trials of these, give at best: all pass, all fail."""
        cases = len(self.counts)
        if self.population is Population.CASES_LIKE_THESE:
            return lower_limit(cases, cases, tail), upper_limit(0, cases, tail)
        n = cases * min(n for _, n in self.counts)
        least, _ = self._carry((lower_limit(n, n, tail), 1.0), is_single=False)
        _, most = self._carry((0.0, upper_limit(0, n, tail)), is_single=False)
        return least, most

    def _carry(self, rates: tuple[float, float], *, is_single: bool) -> tuple[float, float]:
        """Return what bounds of the mean rate say: x**k is convex and at most x."""
        low, high = rates
        if self.kind == "pass_hat_k":
            return low**self.k, high**self.k if is_single else high
        return 1 - (1 - low) ** self.k if is_single else low, 1 - (1 - high) ** self.k


def _require_kind(kind: str) -> Callable[..., float | Undetermined]:
    if kind not in _KINDS:
        raise StatisticsError(f"kind={kind!r}: expected one of: {', '.join(sorted(_KINDS))}.")
    return _KINDS[kind]
