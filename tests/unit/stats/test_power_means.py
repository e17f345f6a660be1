from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from statsmodels.stats.power import NormalIndPower

from tierwise.errors import StatisticsError
from tierwise.stats import ScoreSpread, cases_needed, detectable_effect

if TYPE_CHECKING:
    from collections.abc import Callable

EASY = ScoreSpread(between_cases=1 / 9)


def test_the_example_of_the_paper_needs_969_cases() -> None:
    """Variance 1/9 and a difference of .03: "about 1000"."""
    assert cases_needed(0.03, EASY) == 969
    assert cases_needed(-0.03, EASY) == 969


@pytest.mark.parametrize(("effect", "alpha", "power"), [(0.05, 0.05, 0.8), (0.2, 0.01, 0.95)])
def test_the_number_reaches_the_power_of_a_normal_test(
    effect: float, alpha: float, power: float
) -> None:
    """By statsmodels the planned cases have that power, and one fewer has less."""
    spread = ScoreSpread(between_cases=0.1, first_noise=0.2, first_trials=4, second_noise=0.05)
    n = cases_needed(effect, spread, alpha=alpha, power=power)
    size = effect / math.sqrt(0.1 + 0.05 + 0.05)
    reached = [NormalIndPower().power(size, count, alpha, ratio=0) for count in (n - 1, n)]
    assert reached[0] < power + 1e-4
    assert reached[1] >= power - 1e-9
    assert reached[0] < reached[1]


@settings(max_examples=40)
@given(st.floats(0.01, 1.0), st.floats(0.001, 1.0), st.integers(1, 20), st.integers(1, 20))
def test_the_detectable_effect_inverts_the_number(
    effect: float, noise: float, first: int, second: int
) -> None:
    """The cases for an effect see that effect, and one fewer does not."""
    spread = ScoreSpread(
        between_cases=0.05,
        first_noise=noise,
        second_noise=2 * noise,
        first_trials=first,
        second_trials=second,
    )
    n = cases_needed(effect, spread)
    assert detectable_effect(n, spread) <= effect * (1 + 1e-9)
    if n > 1:
        assert detectable_effect(n - 1, spread) > effect * (1 - 1e-9)


def test_repeats_shrink_only_their_own_noise() -> None:
    """Endless trials leave the variance between cases."""
    noisy = ScoreSpread(between_cases=0.1, first_noise=1, second_noise=2)
    steady = ScoreSpread(
        between_cases=0.1, first_noise=1, second_noise=2, first_trials=10, second_trials=4
    )
    assert (noisy.per_case, steady.per_case) == pytest.approx((3.1, 0.7))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cases_needed(0, EASY), "effect=0"),
        (lambda: cases_needed(math.nan, EASY), "effect=nan"),
        (lambda: cases_needed(0.1, EASY, power=0), "power=0"),
        (lambda: cases_needed(0.1, EASY, alpha=1), "alpha=1"),
        (lambda: detectable_effect(0, EASY), "cases=0"),
        (lambda: ScoreSpread(between_cases=-1), "between_cases=-1"),
        (lambda: ScoreSpread(between_cases=1, first_noise=-1), "first_noise=-1"),
        (lambda: ScoreSpread(between_cases=1, second_noise=-1), "second_noise=-1"),
        (lambda: ScoreSpread(between_cases=1, first_trials=0), "first_trials=0"),
        (lambda: ScoreSpread(between_cases=1, second_trials=0), "second_trials=0"),
    ],
)
def test_nonsense_is_refused(call: Callable[[], Any], words: str) -> None:
    """No effect, negative variances and cases without a trial raise."""
    with pytest.raises(StatisticsError, match=words):
        call()
