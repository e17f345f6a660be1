"""Rules about Gemini's own kind of schema, and the JSON schema that it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.breaking import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TEXT_FORMATS = frozenset({"enum", "date-time"})


def check_schema(schema: Mapping[str, Any], at: str, *, is_root: bool = False) -> Iterator[Broken]:
    """Yield what is wrong with a schema, at every depth; parameters may be empty at their root."""
    kind = schema.get("type", "TYPE_UNSPECIFIED")
    if kind == "TYPE_UNSPECIFIED" and not schema.get("anyOf"):
        says = "must be specified when not using one_of, any_of or all_of fields"
        yield Broken("schema", says, f"{at}.type")
        return
    yield from _check_object(schema, at, kind, is_root=is_root)
    yield from _check_array(schema, at, kind)
    yield from _check_text(schema, at, kind)
    for name, one in (schema.get("properties") or {}).items():
        yield from check_schema(one, f"{at}.properties[{name}]")
    for index, one in enumerate(schema.get("anyOf") or []):
        yield from check_schema(one, f"{at}.any_of[{index}]")


def _check_object(
    schema: Mapping[str, Any], at: str, kind: str, *, is_root: bool
) -> Iterator[Broken]:
    properties = schema.get("properties")
    if kind == "OBJECT":
        if not properties and not is_root and "additionalProperties" not in schema:
            yield Broken("schema", "should be non-empty for OBJECT type", f"{at}.properties")
        for index, name in enumerate(schema.get("required") or []):
            if name not in (properties or {}):
                yield Broken("schema", "property is not defined", f"{at}.required[{index}]")
        return
    if kind == "TYPE_UNSPECIFIED":
        return
    for name in ("properties", "required"):
        if schema.get(name):
            yield Broken("schema", "only allowed for OBJECT type", f"{at}.{name}")


def _check_array(schema: Mapping[str, Any], at: str, kind: str) -> Iterator[Broken]:
    if kind == "ARRAY" and "items" not in schema:
        yield Broken("schema", "missing field.", f"{at}.items")
    if "items" in schema:
        yield from check_schema(schema["items"], f"{at}.items")


def _check_text(schema: Mapping[str, Any], at: str, kind: str) -> Iterator[Broken]:
    for index, value in enumerate(schema.get("enum") or []):
        if not value:
            yield Broken("schema", "cannot be empty", f"{at}.enum[{index}]")
    if schema.get("enum") and kind not in {"STRING", "TYPE_UNSPECIFIED"}:
        yield Broken("schema", "only allowed for STRING type", f"{at}.enum")
    if kind == "STRING" and schema.get("format", "enum") not in _TEXT_FORMATS:
        says = "only 'enum' and 'date-time' are supported for STRING type"
        yield Broken("schema", says, f"{at}.format")


_KEPT = (
    *("title", "description", "enum", "default", "format", "pattern", "required"),
    *("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"),
    *("minimum", "maximum"),
)


def to_json_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema that says the same."""
    plain: dict[str, Any] = {name: schema[name] for name in _KEPT if name in schema}
    if plain.get("format") == "enum":
        del plain["format"]
    kind = str(schema.get("type", "")).lower()
    if kind and kind != "type_unspecified":
        plain["type"] = [kind, "null"] if schema.get("nullable") else kind
        if schema.get("nullable") and "enum" in plain:
            plain["enum"] = [*plain["enum"], None]
    if "items" in schema:
        plain["items"] = to_json_schema(schema["items"])
    if "properties" in schema:
        found = schema["properties"].items()
        plain["properties"] = {name: to_json_schema(one) for name, one in found}
    if schema.get("anyOf"):
        plain["anyOf"] = [to_json_schema(one) for one in schema["anyOf"]]
        if schema.get("nullable") and "type" not in plain:
            plain["anyOf"].append({"type": "null"})
    if "additionalProperties" in schema:
        plain["additionalProperties"] = schema["additionalProperties"]
    return plain
