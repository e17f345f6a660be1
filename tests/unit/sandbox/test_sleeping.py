from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from tierwise.sandbox.sleeping import CLASSIFIERS, slept

if TYPE_CHECKING:
    from tierwise.sandbox.world import World


@pytest.mark.parametrize(
    ("seconds", "target"),
    [(1.5, "1.5 s"), (60, "60 s"), (Fraction(1, 4), "0.25 s"), (1e-6, "1e-06 s")],
)
def test_waiting_is_a_touch(world: World, seconds: float, target: str) -> None:
    """Any real wait is one, with its length as the target."""
    assert [
        each.target for each in CLASSIFIERS["time.sleep"]("time.sleep", (seconds,), world)
    ] == [target]


@pytest.mark.parametrize("seconds", [0, 0.0, -1, None, "soon", float("nan")])
def test_yielding_is_none(seconds: object) -> None:
    """Zero only yields; what is no time is left to the function that will refuse it."""
    assert slept("time.sleep", seconds) == ()
