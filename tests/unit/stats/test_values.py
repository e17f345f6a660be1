from __future__ import annotations

import dataclasses

import pytest

from tierwise.stats import Interval, Undetermined


def test_undetermined_is_neither_true_nor_false() -> None:
    """`if bound:` on what could not be told fails loudly and gives the reason."""
    with pytest.raises(TypeError, match="no trial ran"):
        bool(Undetermined(reason="no trial ran"))


def test_undetermined_has_no_order() -> None:
    """`bound < 0.01` cannot decide something that the data do not."""
    with pytest.raises(TypeError):
        _ = Undetermined(reason="no trial ran") < 0.01


def test_an_interval_holds_its_ends() -> None:
    """Both ends belong to the interval and what lies beyond does not."""
    interval = Interval(low=0.1, high=0.2, confidence=0.9, method="by hand")
    assert [x in interval for x in (0.1, 0.15, 0.2)] == [True] * 3
    assert [x in interval for x in (0.09, 0.21)] == [False] * 2


def test_values_are_frozen() -> None:
    """What was found cannot be changed afterwards."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Undetermined(reason="x").reason = "y"
