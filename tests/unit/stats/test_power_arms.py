from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from statsmodels.stats.proportion import power_proportions_2indep

from tierwise.errors import StatisticsError
from tierwise.stats import power_of_arms, trials_per_arm

if TYPE_CHECKING:
    from collections.abc import Callable

RATE = st.integers(2, 98).map(lambda x: x / 100)


@settings(max_examples=40)
@given(RATE, RATE, st.integers(5, 2000), st.sampled_from([True, False]))
def test_power_agrees_with_statsmodels(first: float, second: float, n: int, two: bool) -> None:  # noqa: FBT001
    """Both the one-sided and the two-sided power equal those of statsmodels."""
    if first == second:
        return
    high, low = max(first, second), min(first, second)
    theirs = power_proportions_2indep(
        high - low, low, n, alternative="two-sided" if two else "larger", return_results=False
    )
    found = power_of_arms(first, second, n, two_sided=two)
    assert found == pytest.approx(theirs, rel=1e-6, abs=1e-9)


@settings(max_examples=40)
@given(RATE, RATE, st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([True, False]))
def test_the_planned_number_reaches_its_power(
    first: float,
    second: float,
    power: float,
    two: bool,  # noqa: FBT001
) -> None:
    """At the planned number the power is reached, and two trials earlier it is not."""
    if abs(first - second) < 0.02:
        return
    n = trials_per_arm(first, second, power=power, two_sided=two)
    assert power_of_arms(first, second, n, two_sided=two) >= power - 1e-9
    if n > 12:
        assert power_of_arms(first, second, n - 2, two_sided=two) < power


def test_the_correction_asks_for_more() -> None:
    """Fleiss's correction adds about 1 / difference to each arm."""
    plain, corrected = (trials_per_arm(0.8, 0.6, corrected=flag) for flag in (False, True))
    assert 8 <= corrected - plain <= 12


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: trials_per_arm(0.9, 0.9), "two different rates"),
        (lambda: trials_per_arm(1.0, 0.9), "first=1.0"),
        (lambda: trials_per_arm(0.9, 0.0), "second=0.0"),
        (lambda: trials_per_arm(0.9, 0.8, power=1), "power=1"),
        (lambda: trials_per_arm(0.9, 0.8, alpha=0), "alpha=0"),
        (lambda: power_of_arms(0.9, 0.8, 0), "n=0"),
        (lambda: power_of_arms(0.9, 0.8, 10, alpha=5), "Did you mean 0.05"),
    ],
)
def test_nonsense_is_refused(call: Callable[[], Any], words: str) -> None:
    """Equal rates, rates at the ends and impossible risks raise."""
    with pytest.raises(StatisticsError, match=words):
        call()
