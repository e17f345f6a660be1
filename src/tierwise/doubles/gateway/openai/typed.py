"""The SDK's types of requests as one validator: nothing lazy, nothing unknown let through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter
from pydantic_core import SchemaValidator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    _Schema = dict[str, Any]

TAG = ":"
"""What names a branch of a union in the place of an error begins with it."""
WRONG_KIND = "wrong_kind"
WRONG_VARIANT = "wrong_variant"

_FIELDS = ("type", "role")
_KINDS = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "typed-dict": "object",
    "dict": "object",
}
_JSON_KINDS: Mapping[type, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
    type(None): "null",
}
_OPTIONAL: Mapping[str, frozenset[str]] = {
    # The vendor makes them up; the SDK's type asks for them all the same.
    "FunctionToolParam": frozenset({"parameters", "strict"}),
    "ResponseInputImageParam": frozenset({"detail"}),
    "ResponseOutputTextParam": frozenset({"annotations"}),
}
_ALSO: Mapping[str, frozenset[str]] = {
    # A message of the vendor's own that is sent back as it came.
    "ChatCompletionAssistantMessageParam": frozenset({"annotations"}),
}


def build_validator(params: Any) -> SchemaValidator:  # noqa: ANN401  a TypedDict or a union
    """Return the validator of a type of the SDK's.

    In it iterables are lists, types are strict, unknown fields are errors, and a union tells its
    branches apart by the kind of the JSON value and by `type` and `role`, so that an error names
    the field and not every branch.
    """
    found: Any = TypeAdapter(params).core_schema
    definitions: list[_Schema] = []
    if found["type"] == "definitions":
        definitions, found = found["definitions"], found["schema"]
    tightening = _Tightening({one["ref"]: one for one in definitions})
    schema: Any = tightening.tighten(found)
    if "stream" in found.get("fields", {}):
        # The SDK has a type for each of its values.
        schema["fields"]["stream"]["schema"] = {
            "type": "nullable",
            "schema": {"type": "bool", "strict": True},
        }
    if definitions:
        tight = [tightening.tighten(one) | {"ref": one["ref"]} for one in definitions]
        schema = {"type": "definitions", "schema": schema, "definitions": tight}
    return SchemaValidator(schema)


class _Tightening:
    def __init__(self, definitions: Mapping[str, _Schema]) -> None:
        self._definitions = definitions

    def tighten(self, schema: _Schema) -> _Schema:
        kind = schema["type"]
        if kind in {"str", "int", "float", "bool"}:
            return {"type": kind, "strict": True}
        if kind == "json-or-python":  # a sequence that is no text
            return self.tighten(schema["json_schema"])
        if kind == "typed-dict":
            return self._close(schema)
        if kind == "union":
            return self._divide(self._flatten(schema))
        return self._tighten_inside(schema)

    def _tighten_inside(self, schema: _Schema) -> _Schema:
        kind = schema["type"]
        if kind in {"generator", "list"}:
            items = self.tighten(schema["items_schema"])
            return {"type": "list", "items_schema": items, "strict": True}
        if kind == "nullable":
            return {"type": "nullable", "schema": self.tighten(schema["schema"])}
        if kind == "dict":
            values = self.tighten(schema["values_schema"])
            return {"type": "dict", "keys_schema": {"type": "str"}, "values_schema": values}
        return schema

    def _close(self, schema: _Schema) -> _Schema:
        name = schema["cls"].__name__
        optional = _OPTIONAL.get(name, frozenset())
        fields = {
            field: {
                "type": "typed-dict-field",
                "schema": self.tighten(one["schema"]),
                "required": one.get("required", False) and field not in optional,
            }
            for field, one in schema["fields"].items()
        }
        for field in _ALSO.get(name, ()):
            fields[field] = {
                "type": "typed-dict-field",
                "schema": {"type": "any"},
                "required": False,
            }
        return {
            "type": "typed-dict",
            "fields": fields,
            "extra_behavior": "forbid",
            "strict": True,
        }

    def _flatten(self, schema: _Schema) -> list[_Schema]:
        found: list[_Schema] = []
        for choice in schema["choices"]:
            one = choice[0] if isinstance(choice, tuple) else choice
            found += self._flatten(one) if one["type"] == "union" else [one]
        return found

    def _resolve(self, schema: _Schema) -> _Schema:
        return self._definitions[schema["schema_ref"]] if "schema_ref" in schema else schema

    def _divide(self, choices: list[_Schema]) -> _Schema:
        """Return a union that looks at the kind of the JSON value first."""
        if any(choice["type"] == "any" for choice in choices):
            return {"type": "any"}
        groups: dict[str, list[_Schema]] = {}
        for choice in choices:
            groups.setdefault(self._kind(choice), []).append(choice)
        if len(groups) == 1:
            return self._merge(*groups.popitem())
        return {
            "type": "tagged-union",
            "choices": {
                f"{TAG}{kind}": self._merge(kind, group) for kind, group in groups.items()
            },
            "discriminator": _tag_kind,
            "custom_error_type": WRONG_KIND,
            "custom_error_message": "wrong kind",
            "custom_error_context": {"expected": list(groups)},
        }

    def _kind(self, schema: _Schema) -> str:
        resolved = self._resolve(schema)
        if resolved["type"] == "literal":
            return _JSON_KINDS[type(resolved["expected"][0])]
        if resolved["type"] in {"generator", "json-or-python"}:
            return "array"
        return _KINDS[resolved["type"]]

    def _merge(self, kind: str, choices: list[_Schema]) -> _Schema:
        if kind == "object":
            return self._divide_by(_FIELDS, choices)
        if kind == "string":
            if any(choice["type"] == "str" for choice in choices):
                return {"type": "str", "strict": True}
            expected = [value for choice in choices for value in choice["expected"]]
            return {"type": "literal", "expected": list(dict.fromkeys(expected))}
        return _unite([self.tighten(choice) for choice in choices])

    def _divide_by(self, fields: Sequence[str], choices: list[_Schema]) -> _Schema:
        """Return a union of objects that looks at the fields that name the variant."""
        if len(choices) == 1 or not fields:
            return _unite([self.tighten(choice) for choice in choices])
        field, *others = fields
        groups: dict[str, list[_Schema]] = {}
        for choice in choices:
            for tag in self._tags(choice, field):
                groups.setdefault(tag, []).append(choice)
        if len(groups) == 1:
            return self._divide_by(others, choices)
        named = [tag for tag in groups if tag]
        return {
            "type": "tagged-union",
            "choices": {
                f"{TAG}{tag}": self._divide_by(others, group) for tag, group in groups.items()
            },
            "discriminator": _tag_objects_by(field, frozenset(named)),
            "custom_error_type": WRONG_VARIANT,
            "custom_error_message": "wrong variant",
            "custom_error_context": {"field": field, "expected": named},
        }

    def _tags(self, schema: _Schema, field: str) -> list[str]:
        resolved = self._resolve(schema)
        found = resolved.get("fields", {}).get(field)
        if found is None:
            return [""]
        inner = found["schema"]
        inner = inner["schema"] if inner["type"] == "nullable" else inner
        tags = list(inner["expected"]) if inner["type"] == "literal" else [""]
        return tags if found.get("required", False) else [*tags, ""]


def _unite(choices: list[_Schema]) -> _Schema:
    if len(choices) == 1:
        return choices[0]
    labelled = [(choice, f"{TAG}{index}") for index, choice in enumerate(choices)]
    return {"type": "union", "choices": labelled}


def _tag_kind(value: object) -> str:
    return f"{TAG}{_JSON_KINDS.get(type(value), '')}"


def _tag_objects_by(field: str, known: frozenset[str]) -> Callable[[object], str]:
    # The validator takes no partial: it asks a discriminator for its name.
    def tag_object(value: object) -> str:
        found = value.get(field) if isinstance(value, dict) else None
        if found is None:
            return TAG
        return f"{TAG}{found}" if isinstance(found, str) and found in known else f"{TAG}?"

    return tag_object
