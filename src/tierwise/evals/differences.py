"""One metric of two sides: the difference, its interval and its test, for each population."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from tierwise.evals.comparison import DifferenceClaim, Finding
from tierwise.evals.wording import percent
from tierwise.stats import (
    Interval,
    PairedDifference,
    Population,
    PValue,
    Undetermined,
    bonett_price,
    bound_difference,
    compare_paired,
    exact_case_test,
    holm,
    least_case_p,
    mcnemar_test,
    sign_flip_test,
    welch_case_test,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.pairing import MetricPairs
    from tierwise.stats import MeanBounds

MISSING_CEILING = 0.05
"""Numbers have no worst value to stand in for a missing one, so no more than this is borne."""
_POWER = 0.8
_SHOWN = (Finding.HIGHER, Finding.LOWER)
_FEWEST_CASES = 2
_ONE_CASE = Undetermined(reason="one case says nothing about cases like it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A claim before it is known how many others are tested with it."""

    population: Population
    pairs: MetricPairs
    interval: Interval | Undetermined
    test: PValue | Undetermined
    least_p: float
    """No outcome of such trials could give a smaller p."""

    @property
    def p_value(self) -> float | None:
        """The p that is corrected with the others, or None where nothing was tested."""
        return None if isinstance(self.test, Undetermined) else self.test.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """The p of a draft by Holm, and the least that any outcome of its trials could have had."""

    p_value: float
    least_p: float


def correct(family: Sequence[Draft]) -> list[Corrected]:
    """Return each tested draft's p, corrected for all that were tested with it."""
    values = [draft.p_value or 0.0 for draft in family]
    # No draft has a p below its least, so that this takes the place of the largest.
    others = sorted(values)[:-1]
    least = {p: holm([p, *others])[0] for p in {draft.least_p for draft in family}}
    return [
        Corrected(p_value=p, least_p=least[draft.least_p])
        for draft, p in zip(family, holm(values), strict=True)
    ]


def draft_claim(pairs: MetricPairs, population: Population, *, confidence: float) -> Draft:
    """Estimate and test one difference; `settle` says what that shows."""
    return Draft(
        population=population,
        pairs=pairs,
        interval=_find_interval(pairs, population, confidence),
        test=_test_missing(pairs, population),
        least_p=_find_least(pairs, population),
    )


def bound_second(
    pairs: MetricPairs, population: Population, *, confidence: float
) -> MeanBounds | Undetermined:
    """Return bounds on the mean over cases of second minus first."""
    return bound_difference(
        population,
        [(case.second, case.first) for case in pairs.cases],
        confidence=confidence,
        is_binary=pairs.is_rate,
    )


def settle(
    draft: Draft, corrected: Corrected | None, *, confidence: float, n_tests: int
) -> DifferenceClaim:
    """Say what a difference shows, its p corrected for all that were tested with it."""
    alpha = 1.0 - confidence
    finding, reason = _decide(draft, corrected, alpha, n_tests)
    interval = None if isinstance(draft.interval, Undetermined) else draft.interval
    ends = None if interval is None else (interval.low, interval.high)
    if isinstance(draft.interval, Undetermined):
        reason = reason or f"no interval: {draft.interval.reason}"
    if ends and finding in _SHOWN and ends[0] <= 0 <= ends[1]:
        reason = "the interval includes 0: unlike the test it takes differences for near normal"
    return DifferenceClaim(
        population=str(draft.population),
        finding=finding,
        reason=reason,
        estimate=_estimate(draft.pairs),
        interval=ends,
        method="" if interval is None else interval.method,
        p_value=draft.p_value,
        p_adjusted=None if corrected is None else corrected.p_value,
        test="" if isinstance(draft.test, Undetermined) else draft.test.method,
        detectable=_find_detectable(ends, confidence, n_tests)
        if finding is Finding.NONE
        else None,
        cautions=() if interval is None else interval.cautions,
    )


def _find_interval(
    pairs: MetricPairs, population: Population, confidence: float
) -> Interval | Undetermined:
    """Return the interval of second minus first that goes with the test."""
    first, second = pairs.means()
    if population is Population.CASES_LIKE_THESE and pairs.is_rate and pairs.is_single:
        b, c = _count_disagreements(pairs)
        return bonett_price(c, b, len(first), confidence=confidence)
    if population is Population.CASES_LIKE_THESE:
        paired = compare_paired(second, first, confidence=confidence)
        if isinstance(paired, PairedDifference):
            return paired.interval
    bounds = bound_second(pairs, population, confidence=confidence)
    return bounds if isinstance(bounds, Undetermined) else bounds.interval


def _decide(
    draft: Draft, corrected: Corrected | None, alpha: float, n_tests: int
) -> tuple[Finding, str]:
    if isinstance(draft.test, Undetermined):
        return Finding.UNDETERMINED, draft.test.reason
    estimate = _estimate(draft.pairs)
    if corrected is not None and corrected.p_value <= alpha and estimate:
        return (Finding.HIGHER if estimate > 0 else Finding.LOWER), ""
    unit = "cases" if _counts_cases(draft) else "trials"
    clearest = f"with so few {unit} even the clearest difference would have p ="
    if draft.least_p > alpha:
        return Finding.UNDETERMINED, f"{clearest} {draft.least_p:.2g}"
    if corrected is not None and corrected.least_p > alpha:
        return Finding.UNDETERMINED, (
            f"{clearest} {corrected.least_p:.2g} by Holm over {n_tests} differences: add {unit}, "
            "or compare fewer metrics (--metric)"
        )
    return Finding.NONE, ""


def _counts_cases(draft: Draft) -> bool:
    return draft.population is Population.CASES_LIKE_THESE or not draft.pairs.is_rate


def _test_missing(pairs: MetricPairs, population: Population) -> PValue | Undetermined:
    """Test the difference; missing trials count against the side that leads."""
    found = _test(pairs, population)
    if isinstance(found, Undetermined) or not pairs.n_missing:
        return found
    if not pairs.is_rate:
        n = pairs.n_missing + pairs.n_scored
        if pairs.n_missing <= MISSING_CEILING * n:
            return found
        return Undetermined(
            reason=f"{pairs.n_missing} of {n} trials have no score, more than the ceiling of "
            f"{percent(MISSING_CEILING)}, and a number has no worst value to stand in for it"
        )
    leads = _estimate(pairs) or 0.0
    filled = pairs.fill(first=float(leads > 0), second=float(leads <= 0))
    against = _test(filled, population)
    is_kept = (_estimate(filled) or 0.0) * leads > 0
    if isinstance(against, Undetermined) or not is_kept:
        return PValue(value=1.0, method=f"{found.method}, missing trials against the lead")
    if against.value <= found.value:
        return found
    return PValue(value=against.value, method=f"{against.method}, missing trials against the lead")


def _test(pairs: MetricPairs, population: Population) -> PValue | Undetermined:
    first, second = pairs.means()
    if population is Population.THESE_CASES:
        if pairs.is_rate:
            return exact_case_test(*pairs.counts())
        found = welch_case_test([(case.second, case.first) for case in pairs.cases])
        return sign_flip_test(second, first) if isinstance(found, Undetermined) else found
    if len(pairs.cases) < _FEWEST_CASES:
        return _ONE_CASE
    if pairs.is_rate and pairs.is_single:
        return mcnemar_test(*_count_disagreements(pairs))
    return sign_flip_test(second, first)


def _count_disagreements(pairs: MetricPairs) -> tuple[int, int]:
    """Return in how many cases the first alone, and the second alone, was True."""
    both = list(zip(*pairs.means(), strict=True))
    return sum(one > two for one, two in both), sum(one < two for one, two in both)


def _find_least(pairs: MetricPairs, population: Population) -> float:
    n = len(pairs.cases)
    if population is Population.THESE_CASES and pairs.is_rate:
        first, second = pairs.counts()
        return least_case_p([m for _, m in first], [m for _, m in second])
    if population is Population.THESE_CASES and not isinstance(
        welch_case_test([(case.second, case.first) for case in pairs.cases]), Undetermined
    ):
        return 0.0
    if pairs.is_rate and pairs.is_single:
        return 0.5**n  # mid-p of cases that all differ the same way
    return min(1.0, 2.0 * 0.5**n)


def _estimate(pairs: MetricPairs) -> float | None:
    if not pairs.cases:
        return None
    first, second = pairs.means()
    return (sum(second) - sum(first)) / len(pairs.cases)


def _find_detectable(
    interval: tuple[float, float] | None, confidence: float, n_tests: int
) -> float | None:
    """Scale half the interval to what the corrected test would see with power .8, about."""
    if interval is None:
        return None
    normal = NormalDist()
    z = normal.inv_cdf((1.0 + confidence) / 2.0)
    needed = normal.inv_cdf(1.0 - (1.0 - confidence) / (2.0 * max(1, n_tests)))
    return (interval[1] - interval[0]) / 2.0 / z * (needed + normal.inv_cdf(_POWER))
