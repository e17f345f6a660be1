"""Which cases trials may share, and which each of them needs for itself."""

from __future__ import annotations

import datetime as dt
import enum
import threading
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import pytest
from pydantic import BaseModel, ConfigDict

from tierwise.errors import EvalUsageError
from tierwise.evals.cases import Case
from tierwise.evals.copying import copy_case, is_immutable
from tierwise.evals.plan import PlannedCase


class Colour(enum.Enum):
    RED = 1


@dataclass(frozen=True)
class Frozen:
    name: str
    parts: object = ()


@dataclass
class Loose:
    name: str = ""
    parts: list[int] = field(default_factory=list)


class FrozenModel(BaseModel):
    model_config = ConfigDict(frozen=True)
    name: str
    parts: list[int] = []


class LooseModel(BaseModel):
    name: str


@pytest.mark.parametrize(
    "value",
    [
        "text",
        3,
        None,
        Colour.RED,
        PurePosixPath("a"),
        dt.date(2026, 1, 1),
        ("a", ("b", 2)),
        frozenset({1}),
        Frozen("a", ("b",)),
        print,
        Loose,
    ],
    ids=repr,
)
def test_what_cannot_change_is_shared(value: object) -> None:
    """A million trials of a text need no copies."""
    planned = PlannedCase(case=Case(id="a", value=value, content=""), arm="trial", trials=1)
    assert is_immutable(value)
    assert planned.take_value() is value


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1},
        [1],
        ("a", [1]),
        Frozen("a", [1]),
        Loose("a"),
        FrozenModel(name="a", parts=[1]),
        LooseModel(name="a"),
        {1},
        bytearray(b"a"),
    ],
    ids=repr,
)
def test_what_may_change_is_copied_for_each_trial(value: object) -> None:
    """A frozen shell around a list is no protection."""
    planned = PlannedCase(case=Case(id="a", value=value, content=""), arm="trial", trials=1)
    first, second = planned.take_value(), planned.take_value()
    assert first == second == value
    assert not is_immutable(value)
    assert first is not value
    assert first is not second


def test_a_frozen_model_of_plain_values_is_shared() -> None:
    """Pydantic says by its configuration that nothing can change."""

    class Plain(BaseModel):
        model_config = ConfigDict(frozen=True)
        name: str

    assert is_immutable(Plain(name="a"))


def test_a_case_without_a_copy_is_refused_with_the_way_out() -> None:
    """Nobody can tell what the trials would do to one another through it."""
    with pytest.raises(
        EvalUsageError, match=r"'a' cannot be copied \(TypeError.*frozen dataclass"
    ):
        copy_case({"lock": threading.Lock()}, "a")
