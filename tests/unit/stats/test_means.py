from __future__ import annotations

import math
import random
from statistics import fmean, variance
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as oracle

from tierwise.errors import StatisticsError
from tierwise.stats import (
    CaseMean,
    Interval,
    MeanBounds,
    Population,
    Undetermined,
    bound_difference,
    bound_mean,
    newcombe,
    zero_bound,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

THESE, LIKE_THESE = Population.THESE_CASES, Population.CASES_LIKE_THESE
SCORES = st.lists(st.floats(-100, 100), min_size=1, max_size=6)


def case(scores: Sequence[float]) -> CaseMean:
    spread = variance(scores) if len(scores) > 1 else 0.0
    return CaseMean(n=len(scores), mean=fmean(scores), variance=spread)


def bounds(found: MeanBounds | Undetermined) -> MeanBounds:
    assert isinstance(found, MeanBounds)
    return found


def test_cases_like_these_is_students_t_over_case_means() -> None:
    """Each case counts the same, however many trials it has; the oracle is scipy's t test."""
    cases = [[0.9, 0.7], [0.5], [0.8, 0.6, 0.7], [0.3, 0.9]]
    found = bounds(bound_mean(LIKE_THESE, [case(scores) for scores in cases]))
    test = oracle.ttest_1samp([fmean(scores) for scores in cases], 0.0)
    assert found.interval.low == pytest.approx(test.confidence_interval(0.95).low)
    assert found.upper == pytest.approx(test.confidence_interval(0.90).high)
    assert found.method == "t over case means"
    assert "only 4 cases" in found.cautions[0]


def test_these_cases_is_welchs_t_within_cases() -> None:
    """For two cases, the half of a sum has the spread of a difference: scipy's Welch test."""
    first, second = [1.0, 2.0, 4.0, 3.5], [7.0, 9.0, 8.5, 8.0, 10.0]
    found = bounds(bound_mean(THESE, [case(first), case(second)]))
    test = oracle.ttest_ind(first, [-x for x in second], equal_var=False)
    wanted = test.confidence_interval(0.95)
    assert found.interval.low == pytest.approx(wanted.low / 2)
    assert found.interval.high == pytest.approx(wanted.high / 2)
    assert found.method == "t within cases"
    assert found.cautions == ()


def test_one_case_of_many_trials_speaks_for_itself_only() -> None:
    """Its trials bound its own mean; of other cases it says nothing."""
    scores = [3.0, 4.0, 5.0, 4.5, 3.5]
    found = bounds(bound_mean(THESE, [case(scores)]))
    low = oracle.ttest_1samp(scores, 0.0).confidence_interval(0.90).low
    assert found.lower == pytest.approx(low)
    other = bound_mean(LIKE_THESE, [case(scores)])
    assert isinstance(other, Undetermined)
    assert "fewer than 2 cases" in other.reason


def test_cases_with_a_single_trial_fall_back_on_how_cases_differ() -> None:
    """Without a repeat nothing shows the spread within a case."""
    cases = [case([x]) for x in (1.0, 2.0, 4.0)]
    assert bounds(bound_mean(THESE, cases)).method == "t over case means"
    assert bounds(bound_mean(THESE, cases)).lower == bounds(bound_mean(LIKE_THESE, cases)).lower


@pytest.mark.parametrize("population", list(Population))
def test_scores_that_all_agree_are_undetermined(population: Population) -> None:
    """No spread is not the same as no error."""
    found = bound_mean(population, [case([5.0, 5.0]), case([5.0, 5.0])])
    assert isinstance(found, Undetermined)
    assert "agree exactly" in found.reason


def test_a_range_bounds_scores_that_all_agree() -> None:
    """As unanimous trials bound a rate: 20 x 15 of the top score of 0 to 1."""
    cases = [case([1.0] * 15)] * 20
    these = bounds(bound_mean(THESE, cases, span=(0.0, 1.0)))
    others = bounds(bound_mean(LIKE_THESE, cases, span=(0.0, 1.0)))
    assert 1 - these.lower == pytest.approx(zero_bound(300))
    assert 1 - others.lower == pytest.approx(zero_bound(20))
    assert these.upper == others.upper == 1.0
    assert these.error == 0.0


def test_a_mean_never_leaves_its_range() -> None:
    """The t interval would, near the end of it."""
    cases = [case([x]) for x in (1.0, 1.0, 1.0, 0.2)]
    assert bounds(bound_mean(LIKE_THESE, cases)).upper > 1.0
    assert bounds(bound_mean(LIKE_THESE, cases, span=(0.0, 1.0))).upper == 1.0


def test_nothing_scored_is_undetermined() -> None:
    """Cases without a trial are no cases."""
    assert isinstance(bound_mean(THESE, []), Undetermined)
    assert isinstance(bound_mean(LIKE_THESE, [CaseMean(n=0, mean=0.0)] * 3), Undetermined)


@pytest.mark.parametrize("span", [(1.0, 1.0), (2.0, 1.0), (0.0, math.inf), (math.nan, 1.0)])
def test_a_range_that_is_none_is_refused(span: tuple[float, float]) -> None:
    """Two finite ends, the least first."""
    with pytest.raises(StatisticsError, match="span"):
        bound_mean(THESE, [case([1.0, 2.0])], span=span)


@given(SCORES, st.integers(0, 5), st.floats(-100, 100))
def test_filling_is_what_the_trials_would_have_been(
    scores: list[float], missing: int, score: float
) -> None:
    """Mean and variance come out as of the longer list."""
    filled, whole = case(scores).fill(missing, score), case([*scores, *[score] * missing])
    assert filled.n == whole.n
    assert filled.mean == pytest.approx(whole.mean, abs=1e-9)
    assert filled.variance == pytest.approx(whole.variance, rel=1e-9, abs=1e-6)


def test_filling_an_empty_case_gives_it_only_the_score() -> None:
    """A case that is all missing counts as the worst of its range."""
    assert CaseMean(n=0, mean=0.0).fill(3, 2.5) == CaseMean(n=3, mean=2.5)


def test_differences_over_cases_are_the_paired_t_test() -> None:
    """The oracle is scipy's ttest_rel."""
    a = [0.9, 1.0, 0.6, 0.8, 0.7, 1.0, 0.5, 0.9]
    b = [0.8, 0.9, 0.6, 0.5, 0.6, 1.0, 0.4, 0.7]
    pairs = [(case([x]), case([y])) for x, y in zip(a, b, strict=True)]
    found = bounds(bound_difference(LIKE_THESE, pairs))
    wanted = oracle.ttest_rel(a, b).confidence_interval(0.90)
    assert (found.lower, found.upper) == pytest.approx((wanted.low, wanted.high))


def test_a_difference_on_one_case_is_welchs_test() -> None:
    """The oracle is scipy's ttest_ind with unequal variances."""
    new, old = [1.0, 2.0, 4.0, 3.5], [7.0, 9.0, 8.5, 8.0, 10.0]
    found = bounds(bound_difference(THESE, [(case(new), case(old))]))
    wanted = oracle.ttest_ind(new, old, equal_var=False).confidence_interval(0.90)
    assert (found.lower, found.upper) == pytest.approx((wanted.low, wanted.high))


def test_pairing_takes_out_how_cases_differ() -> None:
    """Half the cases nearly always fail, half nearly always pass: pooled trials know it not."""
    hard, easy = [1.0, *[0.0] * 14], [0.0, *[1.0] * 14]
    pairs = [(case(scores), case(scores)) for scores in [hard, easy] * 10]
    paired = bounds(bound_difference(THESE, pairs, is_binary=True)).interval
    pooled = newcombe((150, 300), (150, 300))
    assert isinstance(pooled, Interval)
    assert paired.high - paired.low < 0.6 * (pooled.high - pooled.low)


@pytest.mark.parametrize(("population", "n"), [(THESE, 600), (LIKE_THESE, 20)])
def test_two_flawless_runs_still_differ_by_what_they_cannot_show(
    population: Population, n: int
) -> None:
    """20 x 15 against 20 x 15, all True: the bound is that of trials, or cases, that agree."""
    pairs = [(case([1.0] * 15), case([1.0] * 15))] * 20
    found = bounds(bound_difference(population, pairs, is_binary=True))
    share = zero_bound(n)
    assert isinstance(share, float)
    assert found.lower == pytest.approx(-2 * share if population is THESE else -share)
    assert found.upper == pytest.approx(-found.lower)


def test_one_slip_never_proves_more_than_none() -> None:
    """A single False looks like a tiny spread; the bound is held back to that of no slip."""
    clean, slip = case([1.0] * 15), case([0.0, *[1.0] * 14])
    for population in Population:
        flawless = bounds(bound_difference(population, [(clean, clean)] * 20, is_binary=True))
        one = bounds(
            bound_difference(population, [(slip, clean), *[(clean, clean)] * 19], is_binary=True)
        )
        assert one.lower <= flawless.lower


def test_cases_that_one_side_did_not_score_are_no_pairs() -> None:
    """They are left out here; who calls counts and names them."""
    empty, full = CaseMean(n=0, mean=0.0), case([1.0, 0.0, 1.0])
    assert isinstance(bound_difference(THESE, [(empty, full), (full, empty)]), Undetermined)


@settings(max_examples=60)
@given(st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=8), st.sampled_from(Population))
def test_the_two_sides_mirror_each_other(
    pairs: list[tuple[list[float], list[float]]], population: Population
) -> None:
    """New minus old and old minus new have the same bounds, turned around."""
    found = bound_difference(population, [(case(a), case(b)) for a, b in pairs])
    turned = bound_difference(population, [(case(b), case(a)) for a, b in pairs])
    if isinstance(found, Undetermined) or isinstance(turned, Undetermined):
        assert type(found) is type(turned)
        return
    assert found.lower == pytest.approx(-turned.upper, abs=1e-9)
    assert found.lower <= found.estimate <= found.upper
    assert isinstance(found.interval, Interval)
    assert found.interval.low <= found.lower


@pytest.mark.parametrize(
    ("n_cases", "trials", "rate"), [(20, 15, 0.98), (5, 10, 0.9), (50, 1, 0.9), (10, 2, 0.5)]
)
def test_the_bound_of_equal_systems_misses_about_as_often_as_it_may(
    n_cases: int, trials: int, rate: float
) -> None:
    """Two runs of one system: 500 lower bounds at 95 % lie above 0 in at most 8 %."""
    source = random.Random(7)

    def draw() -> CaseMean:
        return case([float(source.random() < rate) for _ in range(trials)])

    misses = 0
    for _ in range(500):
        pairs = [(draw(), draw()) for _ in range(n_cases)]
        misses += bounds(bound_difference(THESE, pairs, is_binary=True)).lower > 0
    assert misses <= 40
