from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, binomtest
from statsmodels.stats.proportion import proportion_confint

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Interval,
    Undetermined,
    clopper_pearson,
    jeffreys,
    lower_bound,
    upper_bound,
    wilson,
    zero_bound,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TWO_SIDED = [clopper_pearson, wilson, jeffreys]
COUNTS = [(0, 1), (1, 1), (0, 15), (1, 2), (3, 10), (7, 50), (58, 60), (299, 300), (5, 5000)]


@st.composite
def counts(draw: st.DrawFn, most: int = 300) -> tuple[int, int]:
    n = draw(st.integers(1, most))
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize(("events", "n"), COUNTS)
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_one_sided_bounds_agree_with_scipy(events: int, n: int, confidence: float) -> None:
    """Both bounds are those of the exact one-sided test."""
    upper = binomtest(events, n, alternative="less").proportion_ci(confidence).high
    lower = binomtest(events, n, alternative="greater").proportion_ci(confidence).low
    assert upper_bound(events, n, confidence=confidence) == pytest.approx(upper, rel=1e-9)
    assert lower_bound(events, n, confidence=confidence) == pytest.approx(lower, rel=1e-9)


@pytest.mark.parametrize(("events", "n"), COUNTS)
@pytest.mark.parametrize(
    ("interval", "method"), [(clopper_pearson, "beta"), (wilson, "wilson"), (jeffreys, "jeffreys")]
)
def test_two_sided_intervals_agree_with_statsmodels(
    interval: Callable[..., Any], method: Callable[..., Any], events: int, n: int
) -> None:
    """Each method gives what statsmodels gives, but for the ends of Jeffreys."""
    low, high = proportion_confint(events, n, alpha=0.1, method=method)
    ours = interval(events, n, confidence=0.9)
    if method == "jeffreys":
        low = 0.0 if events == 0 else low
        high = 1.0 if events == n else high
    assert (ours.low, ours.high) == pytest.approx((low, high), rel=1e-8, abs=1e-12)


@settings(max_examples=40)
@given(counts())
@pytest.mark.parametrize("interval", TWO_SIDED)
def test_an_interval_holds_its_estimate_inside_zero_and_one(
    interval: Callable[..., Any], count: tuple[int, int]
) -> None:
    """The observed rate lies in the interval, and the interval in [0, 1]."""
    events, n = count
    found = interval(events, n)
    assert 0.0 <= found.low <= events / n <= found.high <= 1.0
    assert events / n in found


@settings(max_examples=40)
@given(counts())
@pytest.mark.parametrize("interval", TWO_SIDED)
def test_an_interval_is_symmetric_in_events_and_non_events(
    interval: Callable[..., Any], count: tuple[int, int]
) -> None:
    """Counting failures in place of passes mirrors the interval."""
    events, n = count
    found, mirrored = interval(events, n), interval(n - events, n)
    assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low))


@settings(max_examples=40)
@given(counts())
def test_bounds_rise_with_events_and_tighten_with_trials(count: tuple[int, int]) -> None:
    """One more event raises both bounds; one more clean trial lowers both."""
    events, n = count
    for bound in (upper_bound, lower_bound):
        more_events = bound(events + 1, n + 1)
        more_clean = bound(events, n + 1)
        assert more_clean <= bound(events, n) <= more_events
        assert more_clean < more_events


@settings(max_examples=40)
@given(st.integers(1, 1000))
def test_without_events_the_upper_bound_is_the_zero_bound(n: int) -> None:
    """The general bound and the closed form are one number."""
    assert upper_bound(0, n) == zero_bound(n)


@pytest.mark.parametrize("n", [1, 5, 20, 60])
@pytest.mark.parametrize("rate", [0.001, 0.01, 0.05, 0.3, 0.5, 0.77, 0.95, 0.99])
def test_clopper_pearson_covers_at_least_what_it_promises(n: int, rate: float) -> None:
    """Summed over all outcomes, the truth is inside with the nominal probability or more."""
    inside = sum(binom.pmf(x, n, rate) for x in range(n + 1) if rate in clopper_pearson(x, n))
    above = sum(binom.pmf(x, n, rate) for x in range(n + 1) if rate <= upper_bound(x, n))
    below = sum(binom.pmf(x, n, rate) for x in range(n + 1) if rate >= lower_bound(x, n))
    assert min(inside, above, below) >= 0.95 - 1e-12


def test_exact_coverage_of_the_others_is_what_the_docs_say() -> None:
    """At n = 20 and p = .95 Wilson covers .925 and Jeffreys .984."""
    cover = {
        interval: sum(binom.pmf(x, 20, 0.95) for x in range(21) if 0.95 in interval(x, 20))
        for interval in (wilson, jeffreys)
    }
    assert cover == pytest.approx({wilson: 0.925, jeffreys: 0.984}, abs=6e-4)


@pytest.mark.parametrize("method", [*TWO_SIDED, upper_bound, lower_bound])
def test_no_trial_is_undetermined(method: Callable[..., Any]) -> None:
    """Nothing seen gives a reason in place of an interval from 0 to 1."""
    assert isinstance(method(0, 0), Undetermined)


@pytest.mark.parametrize("method", [*TWO_SIDED, upper_bound, lower_bound])
@pytest.mark.parametrize(("events", "n"), [(4, 3), (-1, 3), (1, -3), (0.5, 3), ("1", 3)])
def test_impossible_counts_are_refused(method: Callable[..., Any], events: int, n: int) -> None:
    """More events than trials, negatives and fractions raise."""
    with pytest.raises(StatisticsError, match="expected"):
        method(events, n)


@pytest.mark.parametrize("method", [*TWO_SIDED, upper_bound, lower_bound])
@pytest.mark.parametrize("confidence", [0, 1, -0.1, 95, math.nan, math.inf, "high"])
def test_impossible_confidence_is_refused(method: Callable[..., Any], confidence: float) -> None:
    """Confidence lies between 0 and 1, for undetermined data too."""
    for n in (0, 10):
        with pytest.raises(StatisticsError, match="confidence="):
            method(0, n, confidence=confidence)


def test_a_percentage_is_recognised() -> None:
    """confidence=95 is answered with the value that was meant."""
    with pytest.raises(StatisticsError, match=r"Did you mean 0\.95\?"):
        wilson(1, 2, confidence=95)


def test_an_interval_names_its_method_and_confidence() -> None:
    """What is printed beside the numbers travels with them."""
    found = clopper_pearson(9, 10, confidence=0.9)
    assert isinstance(found, Interval)
    assert (found.method, found.confidence) == ("clopper-pearson", 0.9)
