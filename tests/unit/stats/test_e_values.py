from __future__ import annotations

import math

import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import quad
from scipy.stats import binom

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Undetermined,
    average_e_values,
    mixture_e_value,
    multiply_e_values,
    p_from_e,
    ratio_e_value,
    trials_needed,
    zero_e_value,
)


@settings(max_examples=40)
@given(st.floats(0.005, 0.3), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_zero_bound_survives_peeking(rate: float, confidence: float) -> None:
    """The wealth passes 1 / alpha at the very trial at which the zero bound proves the claim."""
    n = trials_needed(rate, confidence=confidence)
    wealth = [zero_e_value(0, trials, rate=rate) * (1 - confidence) for trials in (n - 1, n)]
    assert wealth[0] <= 1 + 1e-9
    assert wealth[1] >= 1 - 1e-9


def test_an_event_ruins_the_bet_on_a_clean_run() -> None:
    """One event sets the wealth to 0; 298 and 299 clean runs give 19.99 and 20.19."""
    assert zero_e_value(1, 299, rate=0.01) == 0
    wealth = [zero_e_value(0, n, rate=0.01) for n in (298, 299)]
    assert wealth == pytest.approx([19.99, 20.19], abs=0.006)


@pytest.mark.parametrize(("x", "n"), [(0, 1), (0, 50), (1, 50), (3, 40), (7, 7)])
@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5])
def test_the_mixture_is_the_average_of_all_bets(x: int, n: int, rate: float) -> None:
    """The closed form equals the integral over all stakes."""
    most = 1 / (1 - rate)
    area, _ = quad(
        lambda s: (1 + s * rate) ** (n - x) * (1 - s * (1 - rate)) ** x, 0, most, epsabs=1e-13
    )
    assert mixture_e_value(x, n, rate=rate) == pytest.approx(area / most, rel=1e-7)


@settings(max_examples=50)
@given(st.integers(1, 60), st.floats(0.01, 0.9), st.floats(0.0, 0.09))
@pytest.mark.parametrize("e_value", [zero_e_value, mixture_e_value])
def test_the_mean_under_the_hypothesis_is_at_most_one(
    e_value: object, n: int, rate: float, above: float
) -> None:
    """At the rate and above it the expected wealth does not exceed the stake."""
    true = rate + above
    mean = sum(binom.pmf(x, n, true) * e_value(x, n, rate=rate) for x in range(n + 1))
    assert mean <= 1 + 1e-9


def test_the_price_of_tolerating_an_event() -> None:
    """449 clean trials show less than 1 %, 682 clean ones beside one event."""
    enough = [
        next(clean for clean in range(1000) if mixture_e_value(x, clean + x, rate=0.01) >= 20)
        for x in (0, 1)
    ]
    assert enough == [449, 682]


def test_long_clean_runs_do_not_overflow() -> None:
    """A hundred million clean trials give a large finite number; a ruinous run gives 0."""
    assert 1e300 < zero_e_value(0, 10**8, rate=0.01) < math.inf
    assert 1e300 < mixture_e_value(0, 10**8, rate=0.01) < math.inf
    assert mixture_e_value(10**6, 10**6, rate=0.01) == 0


def test_batches_multiply_and_anything_averages() -> None:
    """Halves of a clean run multiply to the whole; averages need no independence."""
    half = zero_e_value(0, 150, rate=0.01)
    assert multiply_e_values([half, half]) == pytest.approx(zero_e_value(0, 300, rate=0.01))
    assert average_e_values([4.0, 0.0, 8.0]) == 4.0


def test_a_p_value_is_the_inverse_capped_at_one() -> None:
    """Evidence of 20 is p .05; evidence under 1 is p 1."""
    assert [p_from_e(e) for e in (20.0, 1.0, 0.5, 0.0)] == [0.05, 1.0, 1.0, 1.0]


def test_no_evidence_is_undetermined() -> None:
    """Combining nothing gives no number."""
    assert isinstance(multiply_e_values([]), Undetermined)
    assert isinstance(average_e_values([]), Undetermined)


def test_nonsense_is_refused() -> None:
    """Negative evidence, NaN, impossible counts and rates raise."""
    with pytest.raises(StatisticsError, match="0 or more"):
        average_e_values([1, -1])
    with pytest.raises(StatisticsError, match="finite"):
        multiply_e_values([math.nan])
    with pytest.raises(StatisticsError, match="rate"):
        zero_e_value(0, 5, rate=0)
    with pytest.raises(StatisticsError, match="rate"):
        mixture_e_value(0, 5, rate=1)
    with pytest.raises(StatisticsError, match="events=6 of n=5"):
        mixture_e_value(6, 5, rate=0.5)


@pytest.mark.parametrize(("x", "n"), [(0, 1), (3, 40), (40, 40)])
def test_the_ratio_is_that_of_two_likelihoods(x: int, n: int) -> None:
    """The oracle is scipy's binomial distribution."""
    wanted = binom.pmf(x, n, 0.95) / binom.pmf(x, n, 0.9)
    assert ratio_e_value(x, n, rate=0.9, against=0.95) == pytest.approx(wanted)


@pytest.mark.parametrize("rate", [0.9, 0.8, 0.5])
def test_the_ratio_seldom_passes_its_limit_at_any_look(rate: float) -> None:
    """Looked at after each of 400 trials, "at most .9" is ever rejected with 5 % at most."""
    waiting, rejected = {0: 1.0}, 0.0
    for n in range(1, 401):
        step: dict[int, float] = {}
        for events, probability in waiting.items():
            step[events] = step.get(events, 0.0) + probability * (1 - rate)
            step[events + 1] = step.get(events + 1, 0.0) + probability * rate
        out = {x for x in step if ratio_e_value(x, n, rate=0.9, against=0.95) >= 20}
        rejected += sum(step[x] for x in out)
        waiting = {x: p for x, p in step.items() if x not in out and p > 1e-15}
    assert rejected <= 0.05
    assert rejected > 0.01 or rate < 0.9


def test_a_ratio_of_many_trials_does_not_overflow() -> None:
    """Less evidence than there is stays valid."""
    assert math.isfinite(ratio_e_value(100_000, 100_000, rate=0.5, against=0.9))
    assert ratio_e_value(0, 100_000, rate=0.5, against=0.9) == 0.0
