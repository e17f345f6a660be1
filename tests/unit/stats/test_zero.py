from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import beta, binom

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Undetermined,
    detection_probability,
    weaken_upper_bound,
    zero_bound,
)


def known(value: float | Undetermined) -> float:
    assert not isinstance(value, Undetermined)
    return value


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("n", [1, 2, 15, 299, 100_000])
def test_the_zero_bound_is_the_beta_quantile(n: int, confidence: float) -> None:
    """The closed form agrees with the quantile of Beta(1, n)."""
    assert zero_bound(n, confidence=confidence) == pytest.approx(
        beta.ppf(confidence, 1, n), rel=1e-9
    )


def test_no_trial_bounds_nothing() -> None:
    """Zero trials are undetermined, with the reason."""
    assert zero_bound(0) == Undetermined(reason="no trial was scored, so nothing bounds the rate")


@settings(max_examples=40)
@given(st.integers(1, 10_000), st.floats(0.01, 1.0))
def test_a_weaker_detector_proves_less(n: int, sensitivity: float) -> None:
    """The bound is divided by the sensitivity and never passes 1."""
    bound = known(zero_bound(n, sensitivity=sensitivity))
    assert bound == pytest.approx(min(1.0, known(zero_bound(n)) / sensitivity))
    assert bound == weaken_upper_bound(known(zero_bound(n)), sensitivity=sensitivity)


@pytest.mark.parametrize("sensitivity", [None, 0.0])
def test_a_detector_of_unknown_or_no_sensitivity_leaves_it_undetermined(
    sensitivity: float,
) -> None:
    """A clean run seen by a detector that may be blind proves nothing."""
    assert isinstance(zero_bound(299, sensitivity=sensitivity), Undetermined)
    assert isinstance(weaken_upper_bound(0.01, sensitivity=sensitivity), Undetermined)


def test_judges_of_low_recall_weaken_the_claim_to_what_the_field_has_seen() -> None:
    """At recall .25 the 299 clean runs prove only a rate under 4 %."""
    assert known(zero_bound(299, sensitivity=0.25)) == pytest.approx(0.04, rel=0.01)


@settings(max_examples=40)
@given(st.integers(1, 500), st.integers(1, 50))
def test_a_joint_claim_over_many_secrets_is_weaker(n: int, secrets: int) -> None:
    """More secrets in one statement never tighten the bound, and one secret changes nothing."""
    joint = known(zero_bound(n, secrets=secrets))
    assert joint >= known(zero_bound(n))
    assert joint == pytest.approx(known(zero_bound(n, confidence=1 - 0.05 / secrets)))


@settings(max_examples=40)
@given(st.integers(1, 100_000))
def test_more_clean_trials_prove_more(n: int) -> None:
    """The bound falls with n."""
    assert known(zero_bound(n + 1)) < known(zero_bound(n))


@settings(max_examples=40)
@given(st.floats(0.0, 1.0), st.integers(0, 2000))
def test_detection_is_one_minus_a_clean_run(rate: float, n: int) -> None:
    """The probability of seeing an event is that of the binomial above 0."""
    assert detection_probability(rate, n) == pytest.approx(binom.sf(0, n, rate), abs=1e-12)


def test_a_certain_event_is_seen_at_the_first_trial() -> None:
    """Rate 1 is detected with probability 1 once anything ran, and 0 before."""
    assert (detection_probability(1.0, 1), detection_probability(1.0, 0)) == (1.0, 0.0)


@pytest.mark.parametrize(
    "arguments",
    [
        {"n": -1},
        {"n": 1.5},
        {"n": True},
        {"n": 10, "confidence": 0.0},
        {"n": 10, "confidence": 1.0},
        {"n": 10, "confidence": math.nan},
        {"n": 10, "secrets": 0},
        {"n": 10, "sensitivity": 1.1},
        {"n": 10, "sensitivity": math.nan},
    ],
)
def test_nonsense_is_refused(arguments: dict[str, Any]) -> None:
    """Numbers without a meaning raise and say what is expected."""
    with pytest.raises(StatisticsError, match="expected"):
        zero_bound(**arguments)


def test_nonsense_is_refused_by_the_others_too() -> None:
    """Detection and weakening check their numbers."""
    with pytest.raises(StatisticsError, match="n=-1"):
        detection_probability(0.1, -1)
    with pytest.raises(StatisticsError, match=r"rate=1\.5"):
        detection_probability(1.5, 1)
    with pytest.raises(StatisticsError, match="upper=-1"):
        weaken_upper_bound(-1, sensitivity=0.5)
    with pytest.raises(StatisticsError, match="sensitivity=2"):
        weaken_upper_bound(0.5, sensitivity=2)
