"""A pydantic schema in the keywords that Gemini knows."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from tierwise.providers.gemini.schema import form_response_schema


class Leaf(BaseModel):
    kind: Literal["leaf"]
    name: str = Field(min_length=1, pattern="^a")


class Tree(BaseModel):
    kind: Literal["tree"] = "tree"
    children: list[Tree | Leaf] = Field(max_length=3)
    counts: dict[str, int]
    main: Leaf = Field(description="The one that matters.")


def test_a_schema_that_holds_itself() -> None:
    """The root is an object, references stand alone, and unknown keywords are left out."""
    schema = form_response_schema(Tree)
    assert schema["type"] == "object"
    assert schema["properties"]["main"] == {"$ref": "#/$defs/Leaf"}
    assert schema["properties"]["children"] == {
        "type": "array",
        "title": "Children",
        "maxItems": 3,
        "items": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"$ref": "#/$defs/Leaf"}]},
    }
    assert schema["properties"]["counts"]["additionalProperties"] == {"type": "integer"}
    assert schema["$defs"]["Leaf"]["properties"] == {
        "kind": {"type": "string", "title": "Kind", "enum": ["leaf"]},
        "name": {"type": "string", "title": "Name"},
    }


def test_properties_may_have_the_names_of_keywords() -> None:
    """A field called `pattern` is a field."""

    class Odd(BaseModel):
        """Has fields that are called as keywords are."""

        pattern: str
        const: int

    assert [*form_response_schema(Odd)["properties"]] == ["pattern", "const"]
