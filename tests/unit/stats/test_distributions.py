from __future__ import annotations

import sys

import pytest
from scipy import stats as oracle

from tierwise.errors import MissingExtraError
from tierwise.stats import trials_needed, upper_bound, wilson, zero_bound
from tierwise.stats.distributions import (
    beta_cdf,
    beta_quantile,
    binomial_cdf,
    convolve,
    normal_cdf,
    normal_quantile,
    sum_chosen,
    t_cdf,
    t_quantile,
)


@pytest.mark.parametrize("q", [0.001, 0.05, 0.5, 0.975])
def test_the_distributions_are_those_of_scipy_stats(q: float) -> None:
    """Each function agrees with the full implementation, arguments in the right place."""
    assert beta_quantile(q, 2.5, 7) == pytest.approx(oracle.beta.ppf(q, 2.5, 7))
    assert beta_cdf(q, 2.5, 7) == pytest.approx(oracle.beta.cdf(q, 2.5, 7))
    assert t_quantile(q, 4) == pytest.approx(oracle.t.ppf(q, 4))
    assert t_cdf(-q, 4) == pytest.approx(oracle.t.cdf(-q, 4))
    assert binomial_cdf(3, 11, q) == pytest.approx(oracle.binom.cdf(3, 11, q))
    assert normal_quantile(q) == pytest.approx(oracle.norm.ppf(q))
    assert normal_cdf(-q) == pytest.approx(oracle.norm.cdf(-q))


def test_the_ends_of_the_binomial_are_certain() -> None:
    """Fewer than 0 events never happen, n or fewer always do."""
    assert (binomial_cdf(-1, 5, 0.5), binomial_cdf(5, 5, 0.5)) == (0.0, 1.0)
    assert binomial_cdf(0, 5, 0.5) == 1 / 32


def test_without_scipy_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing extra says what to run."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[evals\]'"):
        upper_bound(1, 10)


def test_without_scipy_the_closed_forms_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clean run is bounded and planned with the standard library alone."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert zero_bound(299) == upper_bound(0, 299)
    assert trials_needed(0.01) == 299
    assert 0.0 in wilson(0, 10)


def test_chosen_values_are_summed_alike_with_and_without_numpy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lowest bit chooses the first value, and numpy is only faster."""
    values = [0.5 * place for place in range(21)]
    choices = [0, 1, 0b110, (1 << 21) - 1, 1 << 20]
    expected = [0.0, 0.0, 1.5, sum(values), 10.0]
    assert list(sum_chosen(values, choices)) == expected
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert list(sum_chosen(values, choices)) == expected


def test_the_distribution_of_a_sum() -> None:
    """Two dice of two sides: weights of each total."""
    assert convolve([0.5, 0.5], [0.25, 0.75]) == pytest.approx([0.125, 0.5, 0.375])
