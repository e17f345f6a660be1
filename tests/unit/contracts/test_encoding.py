"""Values that cross a seam, as plain data and back."""

from __future__ import annotations

import json
from collections import namedtuple
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel

from tierwise.contracts.encoding import decode, encode, find_opaque
from tierwise.domain import Message, Outcome
from tierwise.errors import MisuseError
from tierwise.providers import FailureKind


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        "text",
        1.5,
        float("inf"),
        [1, (2, {3}), {"a": b"\x00\xff"}],
        {1: "a", "$b": 2},
        datetime(2026, 1, 2, 3, tzinfo=UTC),
        date(2026, 1, 2),
        time(3, 4),
        timedelta(hours=1),
        Decimal("1.10"),
        UUID(int=5),
        PurePosixPath("a/b"),
        FailureKind.BUSY,
        Message(role="user", content="hi"),
    ],
)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    """What is written to a file is JSON, and makes the same value again."""
    data = json.loads(json.dumps(encode(value)))
    assert decode(data) == value
    assert type(decode(data)) is type(value)
    assert find_opaque(data) is None


def test_fields_stand_at_paths_of_their_own() -> None:
    """A matcher reaches the field of a dataclass by its name alone."""
    assert encode(Message(role="user", content="hi"))["content"] == "hi"


def test_a_copy_is_made() -> None:
    """What the double does to its arguments afterwards is not in the record."""
    given = {"a": [1]}
    data = encode(given)
    given["a"].append(2)
    assert data == {"a": [1]}


def test_what_has_no_form_is_told_by_its_type() -> None:
    """An answer such as a cursor is compared by type; as an argument it can't be made again."""
    assert encode(object()) == {"$opaque": "builtins:object"}
    assert find_opaque([{"a": (encode(object()))}]) == "builtins:object"
    with pytest.raises(MisuseError, match="no value"):
        decode(encode(object()))


def test_types_within_a_function_are_not_found_again() -> None:
    """A class that only one test knows can't be made for the real side."""

    @dataclass
    class Local:
        a: int

    assert "<locals>" in str(find_opaque(encode(Local(1))))


def test_only_values_are_made() -> None:
    """A file can't have any function called: what it names has to be made of fields."""
    for data in ({"$data": "os:system", "command": "x"}, {"$enum": "os:path", "name": "join"}):
        with pytest.raises(MisuseError, match="is no"):
            decode(data)
    with pytest.raises(MisuseError, match="not there any more"):
        decode({"$data": "tierwise.domain:Gone"})


def test_enums_that_are_text_stay_enums() -> None:
    """An outcome is no mere text, or a real side that answers text would pass."""
    assert encode(Outcome.PASSED) == {"$enum": "tierwise.domain.words:Outcome", "name": "PASSED"}


class Note(BaseModel):
    text: str


class Colour(StrEnum):
    RED = "red"


Point = namedtuple("Point", "x y")  # noqa: PYI024  users have these


@pytest.mark.parametrize("value", [Note(text="a"), Point(1, 2)])
def test_models_and_named_tuples_are_data(value: Any) -> None:
    """Pydantic models and named tuples are written field by field."""
    data = encode(value)
    assert data.pop("$data").endswith(f":{type(value).__name__}")
    assert data in ({"text": "a"}, {"x": 1, "y": 2})
