from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import BaseModel

from tierwise.errors import EvalUsageError, MissingExtraError, ScorerError
from tierwise.evals.json_text import NoJson, ParsedJson, extract_json
from tierwise.evals.scorers import follows_schema, is_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "people": {"type": "integer", "minimum": 0}},
    "required": ["city"],
}
GOOD = '{"city": "Paris", "people": 2}'


class City(BaseModel):
    """What is asked for, as a model."""

    city: str
    people: int = 0


@pytest.mark.parametrize("schema", [SCHEMA, City])
def test_a_reply_that_follows_its_schema(schema: Any) -> None:
    """A model and a JSON schema are judged alike."""
    assert follows_schema(GOOD, schema)
    assert follows_schema(f"\n {GOOD} \n", schema)


@pytest.mark.parametrize("schema", [SCHEMA, City])
def test_no_json_and_a_broken_schema_are_told_apart(schema: Any) -> None:
    """Whoever reads the trial sees which of the two it was."""
    no_json = follows_schema("Paris has 2", schema)
    assert not no_json
    assert no_json.why.startswith("no JSON: ")
    broken = follows_schema('{"people": -1, "city": 3}', schema)
    assert not broken
    assert broken.why.startswith("breaks the schema: ")
    assert "field 'city'" in broken.why
    assert is_json('{"people": -1, "city": 3}')
    assert not is_json("Paris has 2")


def test_types_are_strict_in_a_model() -> None:
    """A number in quotes is a text, as it is for providers."""
    assert not follows_schema('{"city": "Paris", "people": "2"}', City)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("  \n", "it is empty"),
        ('{"a": NaN}', "NaN is not a JSON value"),
        ('{"a": 1, "a": 2}', "the key 'a' comes twice"),
        ('"\\ud800"', "half a surrogate pair"),
        ("[" * 100_000, "nests too deeply"),
        ('{"a": 1', "Expecting ',' delimiter at line 1 column 8"),
        (f"{GOOD} and more", "Extra data"),
        (f"```json\n{GOOD}\n```", "Expecting value"),
    ],
)
def test_what_is_no_json_is_said_to_be_none(text: str, reason: str) -> None:
    """Cut off, fenced, doubled: each is named, and none is an error of ours."""
    found = is_json(text)
    assert not found
    assert reason in found.why


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here it is:\n\n```\n{GOOD}\n```\nEnjoy.",
        f"~~~~ json\n{GOOD}\n~~~~",
        f"  ```json\n{GOOD}\n  ```",
        f"````\n{GOOD}\n`````",
    ],
)
def test_a_fence_is_seen_through_when_declared(text: str) -> None:
    """The policy is the caller's, and one fence is clear."""
    assert follows_schema(text, City, extract="fenced")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"```json\n{GOOD}", "has no end"),
        (f"````json\n{GOOD}\n```", "has no end"),
        (f"```\n{GOOD}\n```\n```\n{GOOD}\n```", "2 fenced blocks"),
        (f"Here: {GOOD}", "Expecting value"),
        ("```json\n```", "it is empty"),
    ],
)
def test_a_fence_that_says_nothing_for_sure_is_no_json(text: str, reason: str) -> None:
    """Cut off or doubled, nobody chooses for the model."""
    found = is_json(text, extract="fenced")
    assert not found
    assert reason in found.why


def test_json_in_prose_is_found_when_declared() -> None:
    """One object or array is clear, whatever brackets stand around it."""
    assert follows_schema(f"Sure (see [below]): {GOOD}. {{Bye.", City, extract="embedded")
    assert follows_schema(f"It is {GOOD}, as {{asked}}.", City, extract="embedded")
    assert "no JSON object" in is_json("3 and true", extract="embedded").why
    assert "2 JSON values" in is_json(f"{GOOD} or {GOOD}", extract="embedded").why
    assert "comes twice" in is_json('x {"a": {"b": 1, "b": 2}}', extract="embedded").why


def test_a_search_without_an_end_is_given_up() -> None:
    """Brackets without number are no verdict on the model."""
    with pytest.raises(ScorerError, match="more than 1000 brackets"):
        is_json("[x" * 2000, extract="embedded")
    assert "nests too deeply" in is_json("[" * 100_000, extract="embedded").why


def test_a_schema_is_checked_before_the_reply() -> None:
    """A schema that is none, refers to nothing or says nothing is the caller's fault."""
    with pytest.raises(EvalUsageError, match="a schema that is none, at field 'type'"):
        follows_schema("no JSON", {"type": "objekt"})
    with pytest.raises(EvalUsageError, match="empty schema, which everything follows"):
        follows_schema(GOOD, {})
    with pytest.raises(EvalUsageError, match="expected a class derived from"):
        follows_schema(GOOD, "object")  # type: ignore[arg-type]
    with pytest.raises(EvalUsageError, match=r"extract='fence'.*Did you mean 'fenced'"):
        follows_schema(GOOD, City, extract="fence")  # type: ignore[arg-type]


def test_a_reference_to_elsewhere_is_never_fetched() -> None:
    """Judging touches no network: the reference is refused in words."""
    with pytest.raises(EvalUsageError, match=r"leads nowhere in it.*nothing is fetched"):
        follows_schema(GOOD, {"$ref": "http://192.0.2.1/schema.json"})
    inside = {"$ref": "#/$defs/city", "$defs": {"city": SCHEMA}}
    assert follows_schema(GOOD, inside)


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a JSON schema needs one."""
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[evals\]'"):
        follows_schema(GOOD, SCHEMA)
    assert follows_schema(GOOD, City)


def test_an_unknown_keyword_and_an_older_dialect_are_no_obstacle() -> None:
    """A vendor's own remarks in a schema break nothing."""
    assert follows_schema(GOOD, {**SCHEMA, "x-note": 1, "strict": True})
    older = {"$schema": "http://json-schema.org/draft-04/schema#", **SCHEMA}
    assert follows_schema(GOOD, older)


def test_many_problems_are_shown_briefly() -> None:
    """Three and a count; long values lose their middle."""
    schema = {"type": "array", "items": {"type": "string"}}
    assert follows_schema("[1, 2, 3, 4, 5]", schema).why.endswith("; and 2 more")
    long = follows_schema(json.dumps(["x" * 5000]), {"items": {"type": "number"}, "type": "array"})
    assert len(long.why) < 300


@settings(deadline=None)
@given(JSON)
def test_whatever_is_json_is_found_in_all_three_places(value: Any) -> None:
    """Whole, fenced, and in prose when it is an object or array."""
    text = json.dumps(value)
    for whole in (extract_json(text, "whole"), extract_json(f"\n```json\n{text}\n```", "fenced")):
        assert isinstance(whole, ParsedJson)
        assert whole.value == value
    embedded = extract_json(f"Here it is: {text}.", "embedded")
    assert isinstance(embedded, ParsedJson) == isinstance(value, dict | list)


@settings(deadline=None)
@given(st.text(), st.sampled_from(["whole", "fenced", "embedded"]))
def test_any_text_has_json_or_a_reason(text: str, extract: Any) -> None:
    """Nothing that a model says breaks the reading."""
    found = extract_json(text, extract)
    assert isinstance(found, ParsedJson) or (isinstance(found, NoJson) and found.reason)
