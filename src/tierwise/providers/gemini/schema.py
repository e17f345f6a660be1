"""A pydantic schema as Gemini's structured output takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

# What Gemini documents of JSON schema; the rest is left to the check of the reply.
_KNOWN = frozenset(
    {
        *("$defs", "$ref", "type", "format", "title", "description", "enum"),
        *("items", "prefixItems", "minItems", "maxItems", "minimum", "maximum"),
        *("anyOf", "oneOf", "properties", "additionalProperties", "required"),
    }
)


def form_response_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Return `responseJsonSchema` for a schema, in the keywords that Gemini knows."""
    plain = schema.model_json_schema(by_alias=True)
    reference = plain.get("$ref")
    if reference is not None:
        # A schema that holds itself has its root among its definitions.
        plain = {**plain["$defs"][reference.rsplit("/", 1)[1]], "$defs": plain["$defs"]}
    return _translate(plain)


def _translate(schema: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # a reference stands alone
    known = {name: value for name, value in schema.items() if name in _KNOWN}
    if "const" in schema:
        known["enum"] = [schema["const"]]
    for name in ("properties", "$defs"):
        if name in known:
            known[name] = {key: _translate(one) for key, one in known[name].items()}
    for name in ("anyOf", "oneOf", "prefixItems"):
        if name in known:
            known[name] = [_translate(one) for one in known[name]]
    for name in ("items", "additionalProperties"):
        if isinstance(known.get(name), dict):
            known[name] = _translate(known[name])
    return known
