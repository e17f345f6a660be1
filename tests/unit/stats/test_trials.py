from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import beta

from tierwise.errors import StatisticsError
from tierwise.stats import trials_needed, upper_bound, zero_bound


@settings(max_examples=40)
@given(
    st.floats(0.005, 0.9),
    st.integers(0, 6),
    st.sampled_from([0.8, 0.9, 0.95, 0.99]),
)
def test_it_is_the_smallest_number_that_proves_the_claim(
    rate: float, events: int, confidence: float
) -> None:
    """The bound lies below the rate at n trials and not at n - 1."""
    n = trials_needed(rate, events=events, confidence=confidence)
    assert upper_bound(events, n, confidence=confidence) < rate
    assert upper_bound(events, n - 1, confidence=confidence) >= rate if n > 1 else events == 0


@pytest.mark.parametrize("events", [0, 1, 2, 5])
def test_it_agrees_with_a_search_over_the_beta_quantile(events: int) -> None:
    """Counting up with scipy's quantile ends at the same number."""
    n = events + 1
    while beta.ppf(0.95, events + 1, n - events) >= 0.05:
        n += 1
    assert trials_needed(0.05, events=events) == n


@settings(max_examples=40)
@given(st.floats(0.01, 0.5), st.floats(0.05, 1.0), st.integers(1, 20))
def test_sensitivity_and_secrets_mean_what_they_mean_in_the_bound(
    rate: float, sensitivity: float, secrets: int
) -> None:
    """The planned number makes the zero bound of the same detector hold, and one less does not."""
    n = trials_needed(rate, sensitivity=sensitivity, secrets=secrets)
    assert zero_bound(n, sensitivity=sensitivity, secrets=secrets) < rate * (1 + 1e-9)
    if n > 1:
        fewer = zero_bound(n - 1, sensitivity=sensitivity, secrets=secrets)
        assert fewer >= rate * (1 - 1e-9)


def test_one_in_a_thousand_takes_three_thousand() -> None:
    """The figures of the docs: 59 for 5 %, 2995 for 0.1 %."""
    assert (trials_needed(0.05), trials_needed(0.001)) == (59, 2995)


@pytest.mark.parametrize(
    "arguments",
    [
        {"rate": 0},
        {"rate": 1},
        {"rate": 0.1, "events": -1},
        {"rate": 0.1, "sensitivity": 0},
        {"rate": 0.1, "sensitivity": 1.1},
        {"rate": 0.1, "secrets": 0},
        {"rate": 0.1, "confidence": 1},
    ],
)
def test_nonsense_is_refused(arguments: dict[str, Any]) -> None:
    """A plan that cannot exist raises and says what is expected."""
    with pytest.raises(StatisticsError, match="expected"):
        trials_needed(**arguments)
