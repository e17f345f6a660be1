"""How Google's servers read JSON: spellings, single values, exact types, and words for faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.doubles.gateway.gemini.grammar import (
    ANYTHING,
    BYTES,
    INTEGER,
    NUMBER,
    TEXT,
    TRUTH,
    Choice,
    ListOf,
    MapOf,
    Message,
    to_snake,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.gemini.grammar import Kind, Problem

OURS = "type.googleapis.com/google.ai.generativelanguage.v1beta"
STRUCT = "type.googleapis.com/google.protobuf.Struct"
COLOUR = Choice("Colour", frozenset({"RED", "GREEN"}))


def fields() -> Mapping[str, Kind]:
    return {
        "oneName": TEXT,
        "howMany": INTEGER,
        "share": NUMBER,
        "isOn": TRUTH,
        "raw": BYTES,
        "colour": COLOUR,
        "inner": THING,
        "manyThings": ListOf(THING),
        "byName": MapOf(THING),
        "free": ANYTHING,
    }


THING = Message("Thing", fields)


def read(value: Any) -> tuple[Any, list[str]]:
    """Return what is read of a value, and what is said against it."""
    problems: list[Problem] = []
    return THING.read(value, "", problems), [problem.says for problem in problems]


@pytest.mark.parametrize("name", ["oneName", "one_name"])
def test_both_spellings_are_one_name(name: str) -> None:
    """The canonical form has the documented spelling."""
    assert read({name: "x"}) == ({"oneName": "x"}, [])


def test_null_is_left_out() -> None:
    """A field that is null is as one that is not there."""
    assert read({"oneName": None, "inner": None}) == ({}, [])


def test_a_single_value_stands_for_a_list() -> None:
    """Google's own examples write it so."""
    assert read({"manyThings": {"share": 1}}) == ({"manyThings": [{"share": 1.0}]}, [])


@pytest.mark.parametrize(
    ("field", "value", "canonical"),
    [
        ("howMany", "7", 7),
        ("howMany", 7.0, 7),
        ("howMany", -(2**31), -(2**31)),
        ("share", "0.5", 0.5),
        ("share", 2, 2.0),
        ("isOn", False, False),
        ("raw", "-_8", "-_8"),
        ("raw", "+/8=", "+/8="),
        ("colour", "red", "RED"),
        ("free", [{"a": 1}], [{"a": 1}]),
        ("byName", {"Any Name": {"one_name": "x"}}, {"Any Name": {"oneName": "x"}}),
    ],
)
def test_values_that_fit(field: str, value: Any, canonical: Any) -> None:
    """Each is read in its one canonical form."""
    assert read({field: value}) == ({field: canonical}, [])


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("oneName", 5, "'one_name' (TYPE_STRING), 5"),
        ("howMany", 1.5, "'how_many' (TYPE_INT32), 1.5"),
        ("howMany", 2**31, "'how_many' (TYPE_INT32), 2147483648"),
        ("howMany", True, "'how_many' (TYPE_INT32), true"),
        ("share", "much", "'share' (TYPE_FLOAT), \"much\""),
        ("isOn", "true", "'is_on' (TYPE_BOOL), \"true\""),
        ("raw", "***", "'raw' (TYPE_BYTES), Base64 decoding failed for \"***\""),
        ("inner", "x", f"'inner' ({OURS}.Thing), \"x\""),
        ("colour", "BLUE", f"'colour' ({OURS}.Colour), \"BLUE\""),
        ("byName", [], f"'by_name' ({STRUCT}), []"),
    ],
)
def test_values_that_do_not_fit(field: str, value: Any, says: str) -> None:
    """Each is told with its place, its type and itself."""
    assert read({field: value})[1] == [f"Invalid value at {says}"]


def test_unknown_names_are_told_with_their_place() -> None:
    """At the top there is no place to name; in lists and maps it is the number of the entry."""
    _, says = read(
        {
            "foo": 1,
            "inner": {"inner": {"foo": 1}},
            "manyThings": [{}, {"foo": 1}],
            "byName": {"a": {}, "b": {"foo": 1}},
        }
    )
    assert [one.removeprefix("Invalid JSON payload received. ") for one in says] == [
        'Unknown name "foo": Cannot find field.',
        "Unknown name \"foo\" at 'inner.inner': Cannot find field.",
        "Unknown name \"foo\" at 'many_things[1]': Cannot find field.",
        "Unknown name \"foo\" at 'by_name[1].value': Cannot find field.",
    ]


def test_a_long_value_is_shown_in_part() -> None:
    """A megabyte does not go back."""
    (says,) = read({"howMany": "x" * 1000})[1]
    assert len(says) < 200


@pytest.mark.parametrize(
    ("camel", "snake"),
    [("topP", "top_p"), ("responseMimeType", "response_mime_type"), ("text", "text")],
)
def test_spellings(camel: str, snake: str) -> None:
    """Names in errors are spelled as the servers spell them."""
    assert to_snake(camel) == snake
