from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import hypergeom, ttest_ind
from statsmodels.stats.contingency_tables import StratifiedTable

from tierwise.errors import StatisticsError
from tierwise.stats import (
    CaseMean,
    Undetermined,
    exact_case_test,
    least_case_p,
    mcnemar_test,
    same_cases,
    welch_case_test,
)

COUNTS = st.integers(1, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def deal(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> float:
    """Enumerate what each case can deal out to the first, with its hypergeometric weight."""
    events = [x1 + x2 for (x1, _), (x2, _) in zip(first, second, strict=True)]
    laws = [
        [hypergeom.pmf(k, n1 + n2, e, n1) for k in range(n1 + 1)]
        for e, (_, n1), (_, n2) in zip(events, first, second, strict=True)
    ]
    seen = sum(x for x, _ in first)
    low = high = 0.0
    for ks in itertools.product(*(range(len(law)) for law in laws)):
        weight = math.prod(law[k] for law, k in zip(laws, ks, strict=True))
        low += weight * (sum(ks) <= seen)
        high += weight * (sum(ks) >= seen)
    return min(1.0, 2 * min(low, high))


@settings(max_examples=60)
@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=3))
def test_the_exact_test_is_that_of_all_deals(
    pairs: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    """P is twice the smaller tail over all ways to deal events within their cases."""
    first, second = [one for one, _ in pairs], [two for _, two in pairs]
    assert exact_case_test(first, second).value == pytest.approx(deal(first, second), rel=1e-9)


def test_one_case_is_fishers_exact_test_with_doubled_tails() -> None:
    """Of one case only the hypergeometric law of a two-by-two table is left."""
    found = exact_case_test([(8, 10)], [(3, 10)])
    assert found.value == pytest.approx(2 * hypergeom.sf(7, 20, 11, 10))
    assert found.method == "exact within cases"


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 5))
def test_one_trial_a_case_is_mcnemars_exact_test(b: int, c: int, agree: int) -> None:
    """Cases on which both agree say nothing; the others are coins."""
    first = [(1, 1)] * b + [(0, 1)] * c + [(1, 1)] * agree + [(0, 1)]
    second = [(0, 1)] * b + [(1, 1)] * c + [(1, 1)] * agree + [(0, 1)]
    expected = mcnemar_test(b, c, method="exact").value
    assert exact_case_test(first, second).value == pytest.approx(expected)


def test_above_many_steps_the_normal_limit_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is Cochran, Mantel and Haenszel's test with a continuity correction, and says so."""
    monkeypatch.setattr(same_cases, "MOST_STEPS", 0)
    first, second = [(8, 10), (5, 9), (7, 7)], [(3, 10), (4, 10), (2, 8)]
    tables = [
        np.array([[x1, n1 - x1], [x2, n2 - x2]])
        for (x1, n1), (x2, n2) in zip(first, second, strict=True)
    ]
    found = exact_case_test(first, second)
    oracle = StratifiedTable(tables).test_null_odds(correction=True).pvalue
    assert found.value == pytest.approx(oracle)
    assert found.method == "within cases, normal limit"


def test_the_normal_limit_is_near_the_exact_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both can be had, a thousand trials a side, they agree to a few per cent."""
    first, second = [(90, 100)] * 10, [(87, 100)] * 10
    exact = exact_case_test(first, second).value
    monkeypatch.setattr(same_cases, "MOST_STEPS", 0)
    assert exact_case_test(first, second).value == pytest.approx(exact, rel=0.05)


def test_no_trial_that_differs_is_said() -> None:
    """Nothing can be dealt out otherwise: p is 1 and the note says why."""
    found = exact_case_test([(5, 5), (0, 3)], [(4, 4), (0, 9)])
    assert (found.value, found.note) == (1.0, "no trial differs")


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=4))
def test_the_least_p_is_that_of_the_most_extreme_outcome(sizes: list[tuple[int, int]]) -> None:
    """All of the first and none of the second: no outcome of that plan gives less."""
    extreme = exact_case_test([(n, n) for n, _ in sizes], [(0, m) for _, m in sizes])
    least = least_case_p([n for n, _ in sizes], [m for _, m in sizes])
    assert least == pytest.approx(extreme.value)


def sample(values: list[float]) -> CaseMean:
    return CaseMean(
        n=len(values), mean=float(np.mean(values)), variance=float(np.var(values, ddof=1))
    )


@settings(max_examples=40)
@given(
    st.lists(st.integers(-50, 50), min_size=2, max_size=9),
    st.lists(st.integers(-50, 50), min_size=2, max_size=9),
)
def test_one_case_of_numbers_is_welchs_test(first: list[int], second: list[int]) -> None:
    """Of one case it is the t test of two samples with unequal variances."""
    if 1 in (len(set(first)), len(set(second))):
        return  # scipy warns of numbers that all agree
    found = welch_case_test([(sample([*map(float, first)]), sample([*map(float, second)]))])
    oracle = ttest_ind(first, second, equal_var=False).pvalue
    assert found.value == pytest.approx(oracle, rel=1e-9, abs=1e-12)


def test_differences_between_cases_do_not_blur_the_mean_over_them() -> None:
    """Exactly these cases are meant: how much they differ from each other is not chance."""
    near = [(sample([1.0, 1.1]), sample([1.2, 1.3])), (sample([1.0, 1.1]), sample([1.2, 1.3]))]
    far = [near[0], (sample([9.0, 9.1]), sample([9.2, 9.3]))]
    assert welch_case_test(far).value == pytest.approx(welch_case_test(near).value)


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([], "no case was scored by both"),
        (
            [(CaseMean(n=1, mean=1.0), CaseMean(n=9, mean=1.0, variance=1.0))],
            "run each case twice",
        ),
        ([(CaseMean(n=2, mean=1.0), CaseMean(n=2, mean=2.0))], "no spread to judge it by"),
    ],
)
def test_numbers_without_spread_are_undetermined(
    pairs: list[tuple[CaseMean, CaseMean]], reason: str
) -> None:
    """No case, one score a case, and scores that all agree give no p."""
    found = welch_case_test(pairs)
    assert isinstance(found, Undetermined)
    assert reason in found.reason


def test_no_case_is_undetermined() -> None:
    """Nothing was compared, which is not the same as nothing differs."""
    assert isinstance(exact_case_test([], []), Undetermined)


def test_cases_that_cannot_be_paired_are_refused() -> None:
    """Different numbers of cases, and a case without a trial, are mistakes of the caller."""
    with pytest.raises(StatisticsError, match="hold 2 and 1 cases"):
        exact_case_test([(1, 2), (1, 2)], [(1, 2)])
    with pytest.raises(StatisticsError, match="hold 1 and 0 cases"):
        least_case_p([3], [])
    with pytest.raises(StatisticsError, match="n=0"):
        exact_case_test([(0, 0)], [(1, 2)])
