"""Gemini's own kind of schema as the JSON schema that says the same."""

from __future__ import annotations

from typing import Any

import pytest

from tierwise.doubles.gateway.gemini.schema_rules import to_json_schema


@pytest.mark.parametrize(
    ("own", "plain"),
    [
        ({"type": "STRING"}, {"type": "string"}),
        ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "STRING", "format": "enum", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"type": "STRING", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        (
            {"type": "ARRAY", "items": {"type": "INTEGER", "minimum": 1}, "maxItems": 3},
            {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 3},
        ),
        (
            {
                "type": "OBJECT",
                "properties": {"a": {"type": "BOOLEAN"}},
                "required": ["a"],
                "propertyOrdering": ["a"],
            },
            {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]},
        ),
        (
            {"anyOf": [{"type": "NUMBER"}], "nullable": True},
            {"anyOf": [{"type": "number"}, {"type": "null"}]},
        ),
    ],
)
def test_each_keyword_keeps_its_meaning(own: dict[str, Any], plain: dict[str, Any]) -> None:
    """What JSON schema has another word for is translated, what it does not know is left out."""
    assert to_json_schema(own) == plain
