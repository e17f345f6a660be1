from __future__ import annotations

import itertools
from statistics import fmean

import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as oracle

from tierwise.errors import StatisticsError
from tierwise.stats import (
    MeanBounds,
    Population,
    Undetermined,
    bound_tries,
    lower_bound,
    pass_at_k,
    pass_hat_k,
    upper_bound,
    zero_bound,
)

THESE, LIKE_THESE = Population.THESE_CASES, Population.CASES_LIKE_THESE
MIXED = [(15, 15), (9, 15), (12, 15), (3, 15), (14, 15)]


def bounds(found: MeanBounds | Undetermined) -> MeanBounds:
    assert isinstance(found, MeanBounds)
    return found


@pytest.mark.parametrize("population", list(Population))
def test_cases_that_differ_are_judged_by_t_over_their_estimates(population: Population) -> None:
    """The oracle is scipy's t test on the unbiased estimate of each case."""
    found = bounds(bound_tries("pass_hat_k", population, MIXED, k=3))
    values = [pass_hat_k(x, n, k=3) for x, n in MIXED]
    wanted = oracle.ttest_1samp(values, 0.0).confidence_interval(0.90)
    assert found.estimate == pytest.approx(fmean(values))
    assert found.lower == pytest.approx(max(0.0, wanted.low))
    assert found.method == "t over cases"


def test_the_two_kinds_are_one_of_k_and_all_of_k() -> None:
    """pass@k is never below pass^k."""
    one = bounds(bound_tries("pass_at_k", THESE, MIXED, k=3))
    every = bounds(bound_tries("pass_hat_k", THESE, MIXED, k=3))
    assert one.estimate == pytest.approx(fmean(pass_at_k(x, n, k=3) for x, n in MIXED))
    assert one.estimate > every.estimate


def test_one_case_is_exact() -> None:
    """What bounds its rate bounds what k tries of it do."""
    found = bounds(bound_tries("pass_hat_k", THESE, [(8, 10)], k=3))
    assert found.lower == pytest.approx(lower_bound(8, 10) ** 3)
    assert found.upper == pytest.approx(upper_bound(8, 10) ** 3)
    other = bounds(bound_tries("pass_at_k", THESE, [(8, 10)], k=3))
    assert other.lower == pytest.approx(1 - (1 - lower_bound(8, 10)) ** 3)
    assert isinstance(bound_tries("pass_at_k", LIKE_THESE, [(8, 10)], k=3), Undetermined)


@pytest.mark.parametrize("kind", ["pass_hat_k", "pass_at_k"])
@pytest.mark.parametrize("rate", [0.05, 0.5, 0.8, 0.95, 0.99])
def test_the_bound_of_one_case_covers_what_it_promises(kind: str, rate: float) -> None:
    """Enumerated: the lower bound lies above the truth with probability 5 % at most."""
    n, k = 12, 3
    truth = rate**k if kind == "pass_hat_k" else 1 - (1 - rate) ** k
    missed = 0.0
    for x in range(n + 1):
        found = bounds(bound_tries(kind, THESE, [(x, n)], k=k))
        missed += oracle.binom.pmf(x, n, rate) * (found.lower > truth + 1e-12)
    assert missed <= 0.05 + 1e-12


def test_flawless_trials_prove_what_unanimous_trials_prove() -> None:
    """20 x 15 all passed: the rate is above .99, and all of 3 tries pass above its cube."""
    clean = [(15, 15)] * 20
    rate = 1 - zero_bound(300)
    assert bounds(bound_tries("pass_hat_k", THESE, clean, k=3)).lower == pytest.approx(rate**3)
    assert bounds(bound_tries("pass_at_k", THESE, clean, k=3)).lower == pytest.approx(rate)
    others = bounds(bound_tries("pass_hat_k", LIKE_THESE, clean, k=3))
    assert others.lower == pytest.approx(1 - zero_bound(20))


def test_hopeless_trials_bound_it_from_above() -> None:
    """0 of 5 in 4 cases."""
    none = [(0, 5)] * 4
    rate = zero_bound(20)
    assert bounds(bound_tries("pass_hat_k", THESE, none, k=3)).upper == pytest.approx(rate)
    most = bounds(bound_tries("pass_at_k", THESE, none, k=3)).upper
    assert most == pytest.approx(1 - (1 - rate) ** 3)


def test_one_slip_never_proves_more_than_none() -> None:
    """The spread of a single slip looks like certainty."""
    clean, slip = [(15, 15)] * 20, [(14, 15), *[(15, 15)] * 19]
    for kind, population in itertools.product(("pass_hat_k", "pass_at_k"), Population):
        flawless = bounds(bound_tries(kind, population, clean, k=3))
        assert bounds(bound_tries(kind, population, slip, k=3)).lower <= flawless.lower


def test_cases_that_agree_in_the_middle_say_nothing_of_others() -> None:
    """3 of 5 each, four times: no spread to judge cases by, and a carried bound for these."""
    alike = [(3, 5)] * 4
    assert isinstance(bound_tries("pass_hat_k", LIKE_THESE, alike, k=3), Undetermined)
    found = bounds(bound_tries("pass_hat_k", THESE, alike, k=3))
    assert found.lower == pytest.approx(lower_bound(12, 20) ** 3)
    assert found.upper == pytest.approx(upper_bound(12, 20))


def test_fewer_than_k_trials_are_undetermined() -> None:
    """Two trials cannot show what three tries would do."""
    found = bound_tries("pass_hat_k", THESE, [(3, 3), (2, 2)], k=3)
    assert isinstance(found, Undetermined)
    assert "2 trials cannot show" in found.reason
    assert isinstance(bound_tries("pass_hat_k", THESE, [], k=3), Undetermined)


def test_another_kind_is_refused() -> None:
    """The list of kinds is in the message."""
    with pytest.raises(StatisticsError, match="pass_at_k, pass_hat_k"):
        bound_tries("pass_3", THESE, MIXED, k=3)


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 8), min_size=2, max_size=10),
    st.sampled_from(["pass_hat_k", "pass_at_k"]),
    st.sampled_from(Population),
)
def test_bounds_stay_in_order_and_in_range(
    passes: list[int], kind: str, population: Population
) -> None:
    """0 <= lower <= estimate <= upper <= 1, and the two-sided interval is no shorter."""
    found = bound_tries(kind, population, [(x, 8) for x in passes], k=3)
    if isinstance(found, Undetermined):
        return
    assert 0 <= found.lower <= found.estimate + 1e-12
    assert found.estimate <= found.upper + 1e-12 <= 1 + 2e-12
    assert found.interval.low <= found.lower <= found.upper <= found.interval.high
