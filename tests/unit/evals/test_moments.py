"""Numbers added up as trials land: exact, in any order, in constant memory."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from tierwise.evals.moments import Moments

if TYPE_CHECKING:
    import random

FLOATS = st.floats(-1e12, 1e12, allow_subnormal=False)


def add_up(values: list[float]) -> Moments:
    found = Moments()
    for value in values:
        found.add(value)
    return found


@given(st.lists(FLOATS, min_size=2, max_size=30), st.randoms(use_true_random=False))
def test_the_sums_are_exact_in_any_order(values: list[float], source: random.Random) -> None:
    """Mean and variance are the true ones, rounded once; the oracle is a fraction."""
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    spread = sum((value - mean) ** 2 for value in exact) / (len(exact) - 1)
    found = add_up(values)
    assert found.mean == float(mean)
    assert found.variance == float(spread)
    assert (found.n, found.low, found.high) == (len(values), min(values), max(values))
    assert add_up(source.sample(values, len(values))) == found


def test_digits_far_from_zero_are_kept() -> None:
    """A sum of squares in floating point would lose all of them here."""
    values = [1e9 + shift for shift in (0.1, 0.2, 0.3)]
    assert add_up(values).variance == pytest.approx(0.01, rel=1e-6)


def test_a_million_numbers_take_no_more_room_than_a_few() -> None:
    """The sums stay within some hundred bits."""
    found = Moments()
    for n in range(100_000):
        found.add((n % 97) / 10)
    assert found.squares.bit_length() < 200


def test_too_few_numbers_have_no_mean_or_no_spread() -> None:
    """NaN, never 0: nobody takes it for a measurement."""
    assert math.isnan(Moments().mean)
    assert math.isnan(add_up([1.0]).variance)
    assert add_up([1.5]).mean == 1.5
