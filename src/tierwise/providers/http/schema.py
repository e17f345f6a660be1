"""A pydantic schema in the strict dialect that vendors enforce while a model writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

# What the strict dialect documents; a request with any other keyword is refused as a whole.
_KNOWN = frozenset(
    {
        *("$defs", "$ref", "title", "description", "type", "const", "enum", "anyOf"),
        *("properties", "required", "additionalProperties"),
        *("items", "minItems", "maxItems"),
        *("pattern", "format", "minLength", "maxLength"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    }
)
_FORMATS = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
)
# Left out, these would let other values through than the schema means.
_SHAPES = frozenset({"allOf", "not", "patternProperties", "prefixItems"})
_KINDS = frozenset({"type", "$ref", "enum", "const", "anyOf", "oneOf"})
"""One of these says what a value is; without any it may be everything."""
_LONGEST_NAME = 64


def form_response_format(schema: type[BaseModel]) -> dict[str, Any]:
    """Return `response_format` for a schema: strict where the strict dialect can say it.

    There objects are closed, every field is required, and what the dialect does not know is left
    to the check of the reply. A schema with open mappings, tuples or no object at its root goes
    out as pydantic writes it, with `strict` false.
    """
    plain = _inline_root(schema.model_json_schema(by_alias=True))
    is_strict = plain.get("type") == "object" and _can_be_strict(plain)
    return {
        "type": "json_schema",
        "json_schema": {
            "name": name_schema(schema.__name__),
            "strict": is_strict,
            "schema": _tighten(plain) if is_strict else plain,
        },
    }


def name_schema(name: str) -> str:
    """Return a name as vendors take it: 64 letters, digits, underscores and dashes at most."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:_LONGEST_NAME] or "reply"


def _inline_root(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    # A schema that holds itself has its root among its definitions; vendors want an object there.
    definitions = schema["$defs"]
    return {**definitions[reference.rsplit("/", 1)[1]], "$defs": definitions}


def _can_be_strict(schema: Mapping[str, Any]) -> bool:
    if _KINDS.isdisjoint(schema) or not _SHAPES.isdisjoint(schema):
        return False
    if schema.get("additionalProperties", False) is not False:
        return False
    if schema.get("type") == "object" and not {"properties", "additionalProperties"} & {*schema}:
        return False
    return all(_can_be_strict(one) for one in _schemas_in(schema))


def _schemas_in(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [
        *schema.get("properties", {}).values(),
        *schema.get("$defs", {}).values(),
        *([schema["items"]] if "items" in schema else []),
        *schema.get("anyOf", ()),
        *schema.get("oneOf", ()),
    ]


def _tighten(schema: Mapping[str, Any]) -> dict[str, Any]:
    tight = {name: value for name, value in schema.items() if name in _KNOWN}
    # The dialect has no oneOf; pydantic's branches exclude each other by their discriminator.
    branches = schema.get("oneOf") or schema.get("anyOf")
    if branches:
        tight["anyOf"] = [_tighten(one) for one in branches]
    if tight.get("format", "date") not in _FORMATS:
        del tight["format"]
    if "(?" in tight.get("pattern", "").replace("(?:", ""):
        del tight["pattern"]  # look-around is no regular language
    if "items" in tight:
        tight["items"] = _tighten(tight["items"])
    for name in ("properties", "$defs"):
        if name in tight:
            tight[name] = {key: _tighten(one) for key, one in tight[name].items()}
    if "properties" in tight or tight.get("type") == "object":
        tight["properties"] = tight.get("properties", {})
        tight["required"] = list(tight["properties"])
        tight["additionalProperties"] = False
    if "$ref" in tight and len(tight) > 1 and "$defs" not in tight:
        # A reference stands alone; what is said beside it goes around it.
        return {"anyOf": [{"$ref": tight.pop("$ref")}], **tight}
    return tight
