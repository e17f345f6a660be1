from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, ttest_1samp

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Undetermined,
    mean_pass_at_k,
    mean_pass_hat_k,
    pass_at_k,
    pass_hat_k,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@settings(max_examples=40)
@given(st.integers(1, 9), st.data())
def test_both_are_shares_of_all_subsets(n: int, data: st.DataObject) -> None:
    """Of all ways to choose k trials: those with a pass, and those with only passes."""
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    subsets = list(itertools.combinations([1] * c + [0] * (n - c), k))
    assert pass_at_k(c, n, k=k) == pytest.approx(sum(map(any, subsets)) / len(subsets))
    assert pass_hat_k(c, n, k=k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


@pytest.mark.parametrize("p", [0.1, 0.3, 0.9])
def test_both_are_unbiased(p: float) -> None:
    """Averaged over the binomial they give 1 - (1 - p)**k and p**k."""
    weights = [binom.pmf(c, 10, p) for c in range(11)]
    some = sum(w * pass_at_k(c, 10, k=4) for c, w in enumerate(weights))
    every = sum(w * pass_hat_k(c, 10, k=4) for c, w in enumerate(weights))
    assert (some, every) == pytest.approx((1 - (1 - p) ** 4, p**4))


def test_thousands_of_trials_stay_exact() -> None:
    """Whole-number arithmetic neither overflows nor rounds to an end."""
    assert pass_at_k(1, 5000, k=100) == pytest.approx(0.02)
    assert pass_hat_k(4999, 5000, k=100) == pytest.approx(0.98)


@pytest.mark.parametrize(
    ("method", "single"), [(mean_pass_at_k, pass_at_k), (mean_pass_hat_k, pass_hat_k)]
)
def test_the_mean_over_cases_has_a_t_interval(
    method: Callable[..., Any], single: Callable[..., Any]
) -> None:
    """Each case gives one estimate and counts the same."""
    suite = [(9, 10), (5, 10), (10, 12), (2, 5)]
    values = [single(c, n, k=3) for c, n in suite]
    expected = ttest_1samp(values, 0).confidence_interval(0.9)
    found = method(suite, k=3, confidence=0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("method", [pass_at_k, pass_hat_k])
def test_fewer_trials_than_tries_are_undetermined(method: Callable[..., Any]) -> None:
    """Two trials cannot show what three tries would do; three can."""
    assert isinstance(method(2, 2, k=3), Undetermined)
    assert method(3, 3, k=3) == 1.0


@pytest.mark.parametrize("method", [mean_pass_at_k, mean_pass_hat_k])
def test_a_mean_over_too_little_is_undetermined_and_says_where(
    method: Callable[..., Any],
) -> None:
    """One case, cases that agree, or a case with too few trials give a reason."""
    assert isinstance(method([(1, 5)], k=2), Undetermined)
    assert isinstance(method([(5, 5), (5, 5)], k=2), Undetermined)
    found = method([(1, 5), (1, 1)], k=2)
    assert found.reason == "case 1: 1 trials cannot show what 2 tries would do"


@pytest.mark.parametrize("method", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize(("c", "n", "k"), [(3, 2, 1), (1, 2, 0), (-1, 2, 1), (1, 2, 1.5)])
def test_nonsense_is_refused(method: Callable[..., Any], c: int, n: int, k: int) -> None:
    """Impossible counts and no tries raise."""
    with pytest.raises(StatisticsError, match="expected"):
        method(c, n, k=k)
