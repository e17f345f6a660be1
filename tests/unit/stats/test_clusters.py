from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given, settings, strategies as st
from scipy.stats import beta, t, ttest_1samp

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Undetermined,
    case_mean_interval,
    clopper_pearson,
    clustered_error,
    effective_trials,
    korn_graubard,
)

if TYPE_CHECKING:
    from collections.abc import Callable

UNEQUAL = [[1, 1], [1, 0, 0, 0], [1, 1, 1], [0], [1, 1, 1, 1, 0]]
SCORE = st.floats(0, 1, allow_subnormal=False).map(lambda x: round(x, 3))


@st.composite
def balanced(draw: st.DrawFn) -> list[list[float]]:
    m = draw(st.integers(1, 5))
    cases = draw(st.lists(st.lists(SCORE, min_size=m, max_size=m), min_size=2, max_size=12))
    assume(len({sum(case) for case in cases}) > 1)
    return cases


@pytest.mark.parametrize(("kind", "corrected"), [("CR0", False), ("CR1", True)])
def test_the_clustered_error_agrees_with_statsmodels(kind: str, corrected: bool) -> None:  # noqa: FBT001
    """On unequal cases both kinds equal the cluster-robust error of an intercept-only fit."""
    scores = np.array([score for case in UNEQUAL for score in case], dtype=float)
    groups = np.array([place for place, case in enumerate(UNEQUAL) for _ in case])
    fit = sm.OLS(scores, np.ones_like(scores)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": corrected}
    )
    assert clustered_error(UNEQUAL, kind=kind) == pytest.approx(fit.bse[0], rel=1e-9)


@settings(max_examples=50)
@given(balanced())
def test_with_equal_cases_the_error_is_that_of_the_case_means(cases: list[list[float]]) -> None:
    """CR1 equals sd(case means) / sqrt(C) when all cases have the same number of trials."""
    means = [fmean(case) for case in cases]
    assert clustered_error(cases) == pytest.approx(stdev(means) / math.sqrt(len(means)), rel=1e-6)


def test_the_case_mean_interval_agrees_with_scipy() -> None:
    """Each case counts the same, whatever its number of trials."""
    expected = ttest_1samp([fmean(case) for case in UNEQUAL], 0).confidence_interval(0.9)
    found = case_mean_interval(UNEQUAL, confidence=0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_korn_graubard_is_clopper_pearson_on_the_effective_trials() -> None:
    """Computed by hand with scipy on cases of unequal size."""
    counts = [(sum(case), len(case)) for case in UNEQUAL]
    rates = [x / n for x, n in counts]
    total, rate = sum(n for _, n in counts), fmean(rates)
    design = rate * (1 - rate) / (stdev(rates) ** 2 / 5)
    n = min(total, design * (t.ppf(0.975, total - 1) / t.ppf(0.975, 4)) ** 2)
    assert effective_trials(counts) == pytest.approx(n, rel=1e-9)
    found = korn_graubard(counts)
    low = beta.ppf(0.025, rate * n, n - rate * n + 1)
    high = beta.ppf(0.975, rate * n + 1, n - rate * n)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)


@settings(max_examples=50)
@given(
    st.lists(st.integers(0, 4).map(lambda x: (x, 4)), min_size=2, max_size=40),
)
def test_clustered_trials_are_never_worth_more_than_independent_ones(
    suite: list[tuple[int, int]],
) -> None:
    """The effective number lies above 0 and at or below the trials that ran."""
    worth = effective_trials(suite)
    assert 0 < worth <= 4 * len(suite)
    found = korn_graubard(suite)
    assert 0 <= found.low <= sum(x for x, _ in suite) / (4 * len(suite)) <= found.high <= 1


def test_cases_that_agree_count_once_each() -> None:
    """Without spread the cases alone count, and the interval keeps its width."""
    assert effective_trials([(3, 6)] * 8) == 8
    clean = korn_graubard([(0, 15)] * 20)
    exact = clopper_pearson(0, 20)
    assert (clean.low, clean.high) == (exact.low, exact.high)


def test_few_cases_are_cautioned() -> None:
    """Under 30 cases both intervals say so, at 30 neither does."""
    for cases in (29, 30):
        scores = [[1.0, float(place % 2)] for place in range(cases)]
        found = (
            case_mean_interval(scores),
            korn_graubard([(int(sum(case)), 2) for case in scores]),
        )
        assert [bool(interval.cautions) for interval in found] == [cases < 30] * 2
        if cases < 30:
            assert "only 29 cases" in found[0].cautions[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: clustered_error([[1, 0, 1]]),
        lambda: clustered_error([]),
        lambda: clustered_error([[1, 0], [0, 1]]),
        lambda: clustered_error([[0.1, 0.1, 0.1], [0.1]]),
        lambda: case_mean_interval([[1, 0]]),
        lambda: case_mean_interval([[1.0], [1.0], [1.0]]),
        lambda: korn_graubard([(1, 2)]),
        lambda: effective_trials([]),
    ],
)
def test_one_case_or_no_spread_is_undetermined(call: Callable[[], Any]) -> None:
    """Fewer than 2 cases, or cases that agree exactly, give no error of zero."""
    assert isinstance(call(), Undetermined)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: clustered_error([[1], []]), r"cases\[1\] is empty"),
        (lambda: clustered_error([[1], [math.nan]]), r"cases\[1\]\[0\]=nan"),
        (lambda: clustered_error([[1], [0]], kind="CR2"), "expected one of: CR0, CR1"),
        (lambda: korn_graubard([(1, 2), (0, 0)]), r"per_case\[1\] has n=0"),
        (lambda: korn_graubard([(3, 2), (0, 1)]), "events=3 of n=2"),
        (lambda: case_mean_interval([[1], [0]], confidence=2), "confidence=2"),
        (lambda: effective_trials([(1, 2), (0, 2)], confidence=0), "confidence=0"),
    ],
)
def test_nonsense_is_refused(call: Callable[[], Any], words: str) -> None:
    """Each refusal names the place and what is expected."""
    with pytest.raises(StatisticsError, match=words):
        call()
