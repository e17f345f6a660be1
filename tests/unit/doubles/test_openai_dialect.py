from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, Field

from tierwise.doubles.gateway.openai.encoding import cut_arguments, cut_words, dump
from tierwise.doubles.gateway.openai.problems import form_path, out_of_range, wrong_value
from tierwise.doubles.gateway.openai.strict_schema import find_root_problem, find_strict_problem
from tierwise.providers.http.schema import form_response_format


class Tag(BaseModel):
    name: str


class Place(BaseModel):
    """A schema with what the strict mode does not know."""

    name: str = Field(default="Pier", min_length=1)
    tags: list[Tag] = Field(default_factory=list, description="What it is called")
    next: Place | None = None
    depth: int | str = 3


def close(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "array", "items": {"type": "string"}}, "got 'type: \"array\"'"),
        ({"anyOf": [close()]}, "got 'type: \"None\"'"),
        (close(x=3), "In context=('properties', 'x'), 3 is not of type 'object'."),
        (close(x={"type": "object", "properties": {}}), "('properties', 'x'), 'additional"),
        (close(x={"anyOf": [{"type": "null"}, {}]}), "('properties', 'x', 'anyOf', '1')"),
        (close(x={"type": "array", "items": {"not": {}}}), "('properties', 'x', 'items')"),
        ({**close(), "$defs": {"A": {"allOf": []}}}, "('$defs', 'A'), 'allOf' is not"),
        (close(x={"$ref": "#/$defs/A", "title": "X"}), "$ref cannot have keywords {'title'}"),
        ({**close(x={"type": "string"}), "required": []}, "Missing 'x'."),
        ({**close(), "required": ["x"]}, "Extra required key 'x' supplied."),
    ],
)
def test_the_strict_mode_says_what_and_where(schema: dict[str, Any], problem: str) -> None:
    """The first thing that the strict mode refuses is named with its place."""
    assert problem in str(find_strict_problem(schema))


@pytest.mark.parametrize(
    "schema",
    [
        close(),
        close(x={"type": ["string", "null"]}, y={"enum": [1, 2]}, z={"const": 3}),
        {**close(x={"$ref": "#/$defs/A"}), "$defs": {"A": close(y={"type": "integer"})}},
        close(x={"type": "array", "items": {"anyOf": [close(), {"type": "null"}]}}),
        close(x={"type": "string", "format": "date-time", "pattern": "^a", "maxLength": 3}),
    ],
)
def test_the_strict_mode_knows_its_own_dialect(schema: dict[str, Any]) -> None:
    """What the dialect documents is no problem."""
    assert find_strict_problem(schema) is None


def test_what_our_own_providers_send_is_accepted() -> None:
    """The schema that HttpProvider makes of a pydantic model passes the strict mode."""
    found = form_response_format(Place)["json_schema"]

    assert found["strict"] is True
    assert find_strict_problem(found["schema"]) is None
    assert find_strict_problem(Place.model_json_schema()) is not None


def test_a_schema_that_is_not_strict_needs_an_object_alone() -> None:
    """Outside the strict mode the root alone is looked at."""
    assert find_root_problem({"type": "object", "oneOf": []}) is None
    assert find_root_problem({"type": "string"}) is not None


@given(st.text())
def test_pieces_are_the_text(text: str) -> None:
    """However a text is cut, the pieces make it up again, and none is empty."""
    for pieces in (cut_words(text), cut_arguments(text)):
        assert "".join(pieces) == text
        assert all(pieces)


@given(st.text(st.characters()))
def test_what_is_sent_can_be_read(text: str) -> None:
    """JSON of any text is bytes that say the text again, surrogates included."""
    import json  # noqa: PLC0415

    assert json.loads(dump({"text": text}).encode())["text"] == text


def test_a_path_reads_as_the_vendor_writes_it() -> None:
    """Places in lists stand in brackets."""
    assert form_path(["messages", 0, "content", 2, "text"]) == "messages[0].content[2].text"


@pytest.mark.parametrize(
    ("given", "low", "high", "words", "code"),
    [
        (3, 0.0, 2.0, "decimal above maximum value. Expected a value <= 2, but got 3",
         "decimal_above_max_value"),
        (-1, 0.0, 2.0, "decimal below minimum value. Expected a value >= 0, but got -1",
         "decimal_below_min_value"),
        (0, 1, None, "integer below minimum value. Expected a value >= 1, but got 0",
         "integer_below_min_value"),
        (200, 1, 128, "integer above maximum value. Expected a value <= 128",
         "integer_above_max_value"),
    ],
)  # fmt: skip
def test_a_number_beyond_its_limits(
    given: float, low: float | None, high: float | None, *, words: str, code: str
) -> None:
    """The side, the kind of number and the limit are told."""
    problem = out_of_range("n", given, low=low, high=high)

    assert words in problem.message
    assert problem.code == code


@pytest.mark.parametrize(
    ("expected", "listed"),
    [(("a",), "'a'."), (("a", "b"), "'a' and 'b'."), (("a", "b", "c"), "'a', 'b' and 'c'.")],
)
def test_values_are_listed(expected: tuple[str, ...], listed: str) -> None:
    """The values that there are stand at the end, the last two joined by `and`."""
    assert wrong_value("x", "z", expected).message.endswith(f"Supported values are: {listed}")
