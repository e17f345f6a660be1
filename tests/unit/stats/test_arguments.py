from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import (
    require_confidence,
    require_count,
    require_events,
    require_number,
    require_share,
)


def test_counts_of_any_whole_type_become_ints() -> None:
    """An integer of numpy counts as one; the result is a plain int."""
    assert type(require_count("n", np.int64(3))) is int


@pytest.mark.parametrize("value", [True, 1.0, "1", None, math.nan, Fraction(3, 2)])
def test_what_is_no_count_is_refused(value: object) -> None:
    """Booleans, fractions and texts are shown back as given."""
    with pytest.raises(StatisticsError, match="whole number of at least 0") as raised:
        require_count("n", value)
    assert repr(value) in str(raised.value)


def test_the_least_count_is_named() -> None:
    """A count below its least value says what is enough."""
    assert require_count("k", 1, least=1) == 1
    with pytest.raises(StatisticsError, match="k=0: expected a whole number of at least 1"):
        require_count("k", 0, least=1)


def test_more_events_than_trials_are_refused() -> None:
    """Both numbers are shown; as many events as trials are fine."""
    assert require_events(5, 5) == (5, 5)
    with pytest.raises(StatisticsError, match="events=6 of n=5: expected 0 <= events <= n"):
        require_events(6, 5)


def test_shares_include_their_ends() -> None:
    """0 and 1 are shares, what lies beyond is not."""
    assert (require_share("p", 0), require_share("p", 1)) == (0.0, 1.0)
    for value in (-0.001, 1.001):
        with pytest.raises(StatisticsError, match="from 0 to 1"):
            require_share("p", value)


def test_numbers_are_finite() -> None:
    """NaN, infinities and texts are no numbers."""
    assert require_number("x", Fraction(1, 2)) == 0.5
    for value in (math.nan, math.inf, -math.inf, "high", None):
        with pytest.raises(StatisticsError, match="expected a finite number"):
            require_number("x", value)


@pytest.mark.parametrize(
    ("value", "hint"), [(95, "Did you mean 0.95?"), (99.9, "Did you mean 0.999?")]
)
def test_a_percentage_gets_the_closest_valid_value(value: float, hint: str) -> None:
    """A confidence written in percent is recognised."""
    with pytest.raises(StatisticsError) as raised:
        require_confidence(value)
    assert hint in str(raised.value)


@pytest.mark.parametrize("value", [0, 1, -3, 100, 1000])
def test_no_hint_is_given_where_there_is_none(value: float) -> None:
    """Values without a closest meaning are refused without a guess."""
    with pytest.raises(StatisticsError) as raised:
        require_confidence(value)
    assert "Did you mean" not in str(raised.value)
