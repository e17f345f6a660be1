from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, multinomial

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Population,
    Undetermined,
    bounds_for,
    lower_bound,
    upper_bound,
    zero_bound,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CLEAN = [(0, 15)] * 20
BOTH = list(Population)

Suite = list[tuple[int, int]]


@st.composite
def suites(draw: st.DrawFn) -> Suite:
    n = draw(st.integers(1, 6))
    return draw(st.lists(st.tuples(st.integers(0, n), st.just(n)), min_size=2, max_size=40))


def test_the_same_clean_trials_prove_two_different_claims() -> None:
    """20 cases of 15 clean trials: under 1 % for these cases, under 14 % for cases like these."""
    fixed, new = (bounds_for(population, CLEAN) for population in BOTH)
    assert fixed.upper == zero_bound(300)
    assert new.upper == zero_bound(20)
    assert (fixed.lower, new.lower) == (0.0, 0.0)


@settings(max_examples=40)
@given(suites())
def test_these_cases_pool_all_trials(suite: Suite) -> None:
    """For the fixed suite the bounds are the exact ones of all trials together."""
    found = bounds_for("these_cases", suite, confidence=0.9)
    events, n = sum(x for x, _ in suite), sum(n for _, n in suite)
    assert found.lower == lower_bound(events, n, confidence=0.9)
    assert found.upper == upper_bound(events, n, confidence=0.9)
    assert (found.events, found.trials, found.cases) == (events, n, len(suite))


@settings(max_examples=40)
@given(suites())
def test_cases_like_these_never_prove_more_than_as_many_unanimous_cases(suite: Suite) -> None:
    """Repeats cannot buy what only cases can show, with events or without."""
    found = bounds_for("cases_like_these", suite)
    assert found.upper >= zero_bound(len(suite))
    assert found.lower <= lower_bound(len(suite), len(suite))


@settings(max_examples=40)
@given(suites())
@pytest.mark.parametrize("population", BOTH)
def test_bounds_hold_the_estimate(population: str, suite: Suite) -> None:
    """The estimate lies between the bounds, and the bounds between 0 and 1."""
    found = bounds_for(population, suite)
    assert 0 <= found.lower <= found.rate + 1e-12
    assert found.rate <= found.upper + 1e-12 <= 1 + 1e-9


@settings(max_examples=40)
@given(suites())
@pytest.mark.parametrize("population", BOTH)
def test_counting_passes_mirrors_counting_failures(population: str, suite: Suite) -> None:
    """The bounds of the complement are the mirrored ones."""
    found = bounds_for(population, suite)
    mirrored = bounds_for(population, [(n - x, n) for x, n in suite])
    assert found.upper == pytest.approx(1 - mirrored.lower, abs=1e-9)


@settings(max_examples=50)
@given(suites(), st.data())
@pytest.mark.parametrize("population", BOTH)
def test_missing_trials_only_ever_weaken(
    population: str, suite: Suite, data: st.DataObject
) -> None:
    """With missing trials counted against the claim neither bound gets tighter."""
    missing = [data.draw(st.integers(0, 5)) for _ in suite]
    found = bounds_for(population, suite, missing=missing)
    assert found.upper_with_missing >= found.upper
    assert found.lower_with_missing <= found.lower
    assert found.missing == sum(missing)


def test_missing_trials_count_as_the_event_above_and_as_none_below() -> None:
    """Two missing of 302 give the bounds of 2 events above and of 0 below."""
    found = bounds_for("these_cases", [(0, 151), (0, 149)], missing=[0, 2])
    assert found.upper_with_missing == upper_bound(2, 302)
    passes = bounds_for("these_cases", [(151, 151), (149, 149)], missing=[0, 2])
    assert passes.lower_with_missing == lower_bound(300, 302)


def test_without_missing_trials_both_readings_agree() -> None:
    """Nothing missing: the bounds with missing are the bounds."""
    for population in BOTH:
        found = bounds_for(population, [(1, 5), (0, 5), (5, 5)])
        assert found.upper_with_missing == found.upper
        assert found.lower_with_missing == found.lower


def test_a_case_that_is_all_missing_counts_as_missing_and_is_named() -> None:
    """A case without a scored trial is no clean case; it costs the bound and is cautioned."""
    found = bounds_for("cases_like_these", [(0, 3)] * 20 + [(0, 0)], missing=[0] * 20 + [3])
    assert (found.cases, found.trials, found.missing) == (20, 60, 3)
    assert found.upper == zero_bound(20)
    assert found.upper_with_missing > found.upper
    assert "1 of 21 cases have no scored trial" in found.cautions


def test_unequal_trials_are_cautioned() -> None:
    """The fixed suite weighs by trials, and says so when that matters."""
    assert any("weighted" in text for text in bounds_for("these_cases", [(0, 3), (0, 5)]).cautions)
    assert bounds_for("these_cases", [(0, 3), (0, 3)]).cautions == ()


def test_few_cases_are_cautioned_where_the_method_is_approximate() -> None:
    """Under 30 cases Korn-Graubard carries a caution; the exact bounds carry none."""
    mixed = [(1, 5), (0, 5)]
    assert bounds_for("cases_like_these", mixed * 5).cautions != ()
    assert bounds_for("cases_like_these", mixed * 15).cautions == ()
    assert bounds_for("cases_like_these", [(0, 5)] * 5).cautions == ()
    assert bounds_for("these_cases", mixed).cautions == ()


@pytest.mark.parametrize(
    ("population", "suite", "method"),
    [
        ("these_cases", [(1, 5), (0, 5)], "clopper-pearson over trials"),
        ("cases_like_these", [(0, 5), (0, 5)], "clopper-pearson over cases"),
        ("cases_like_these", [(5, 5), (4, 4)], "clopper-pearson over cases"),
        ("cases_like_these", [(1, 5), (0, 5)], "korn-graubard"),
        ("cases_like_these", [(1, 5), (1, 5)], "korn-graubard"),
    ],
)
def test_the_method_is_named(population: str, suite: Suite, method: Callable[..., Any]) -> None:
    """A report can say how the bound was made."""
    assert bounds_for(population, suite).method == method


def test_the_estimate_of_new_cases_counts_each_case_once() -> None:
    """Equal weight for cases like these, equal weight for trials in these cases."""
    suite = [(0, 1), (9, 9)]
    assert bounds_for("cases_like_these", suite).rate == 0.5
    assert bounds_for("these_cases", suite).rate == 0.9


@pytest.mark.parametrize(
    ("population", "suite", "reason"),
    [
        ("these_cases", [], "no trial was scored"),
        ("these_cases", [(0, 0)], "no trial was scored"),
        ("cases_like_these", [(0, 0), (0, 0)], "no trial was scored"),
        ("cases_like_these", [(0, 500)], "one case"),
    ],
)
def test_what_says_nothing_is_undetermined(population: str, suite: Suite, reason: str) -> None:
    """No scored trial, or one case for a claim about cases, has no bound."""
    found = bounds_for(population, suite, missing=[1] * len(suite))
    assert isinstance(found, Undetermined)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"population": "this_cases"}, "Did you mean 'these_cases'"),
        ({"missing": [1]}, "1 numbers for 20 cases"),
        ({"missing": [-1] * 20}, "missing"),
        ({"per_case": [(3, 2)]}, "events=3 of n=2"),
        ({"per_case": [(1, 0)]}, "events=1 of n=0"),
        ({"confidence": 95}, "Did you mean 0.95"),
    ],
)
def test_nonsense_is_refused(arguments: dict[str, Any], words: str) -> None:
    """Each refusal says what was given."""
    with pytest.raises(StatisticsError, match=words):
        bounds_for(**{"population": "these_cases", "per_case": CLEAN, **arguments})


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.95, 0.99])
def test_the_fixed_suite_bound_is_valid_however_cases_differ(confidence: float) -> None:
    """Over a grid of unequal cases the bounds miss no more often than promised.

    The corner that the docstring names is allowed its -ln(confidence).
    """
    grid = (0.0, 0.02, 0.3, 0.8, 0.95, 1.0)
    allowed = -math.log(confidence)
    for rates in itertools.combinations_with_replacement(grid, 3):
        outcomes = _totals(rates, trials=4)
        mean = sum(rates) / 3
        pooled = {x: bounds_for("these_cases", [(x, 12)], confidence=confidence) for x in outcomes}
        too_low = sum(p for x, p in outcomes.items() if pooled[x].upper < mean - 1e-12)
        too_high = sum(p for x, p in outcomes.items() if pooled[x].lower > mean + 1e-12)
        assert max(too_low, too_high) <= allowed + 1e-12


@pytest.mark.parametrize("confidence", [0.75, 0.9, 0.95, 0.99])
def test_hoeffding_reaches_all_but_the_named_corner(confidence: float) -> None:
    """With 2 or more non-events the inequality's condition holds at the upper bound."""
    for n in range(3, 80):
        for x in range(n - 1):
            bound = upper_bound(x, n, confidence=confidence)
            assert x <= n * bound - 1 or x == 0


@pytest.mark.parametrize("mixture", [{0.0: 0.9, 1.0: 0.1}, {0.02: 0.7, 0.5: 0.3}, {0.3: 1.0}])
def test_new_cases_are_covered_by_enumeration(mixture: dict[float, float]) -> None:
    """Over all samples of 12 cases from a population the bounds cover about as promised."""
    cases, trials = 12, 2
    mean = sum(rate * share for rate, share in mixture.items())
    profile = [
        sum(share * binom.pmf(x, trials, rate) for rate, share in mixture.items())
        for x in range(trials + 1)
    ]
    above = below = 0.0
    for none, one in itertools.product(range(cases + 1), repeat=2):
        if none + one > cases:
            continue
        both = cases - none - one
        suite = [(0, 2)] * none + [(1, 2)] * one + [(2, 2)] * both
        weight = multinomial.pmf([none, one, both], cases, profile)
        found = bounds_for("cases_like_these", suite)
        above += weight * (found.upper >= mean)
        below += weight * (found.lower <= mean)
    assert min(above, below) >= 0.94


def _totals(rates: tuple[float, ...], *, trials: int) -> dict[int, float]:
    totals = {0: 1.0}
    for rate in rates:
        step: dict[int, float] = {}
        for x, p in totals.items():
            for more in range(trials + 1):
                step[x + more] = step.get(x + more, 0.0) + p * binom.pmf(more, trials, rate)
        totals = step
    return totals
