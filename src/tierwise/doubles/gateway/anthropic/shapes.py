"""The SDK's parameter types, closed: what they do not name is refused, iterables are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Schema = dict[str, Any]

_OPEN = "allow"
_CLOSED = "forbid"
_NOT_ON_THE_WIRE = frozenset({"model", "is-instance", "lax-or-strict", "function-after"})
"""What only a Python caller can hand in: response objects, open files, paths."""
_KEPT_BY_UNION = ("ref", "metadata")


def close(
    schema: Mapping[str, Any], *, without: tuple[str, ...], more: Mapping[str, str]
) -> Schema:
    """Return a core schema that reads a body of JSON as the vendor does.

    Objects are closed unless their type says that it is open, a lazy iterable becomes a list, and
    a union of objects is told apart by the field that names their type. `without` are fields of
    the outermost object that travel as headers, `more` are further ones by the name of their type.
    """
    definitions = {one["ref"]: one for one in schema.get("definitions", ())}
    whole = _Closing(definitions)
    root = whole.resolve(dict(schema["schema"] if schema["type"] == "definitions" else schema))
    fields = {name: field for name, field in root["fields"].items() if name not in without}
    for name, kind in more.items():
        fields[name] = {"type": "typed-dict-field", "schema": {"type": kind}, "required": False}
    closed = whole.close({**root, "fields": fields})
    inner = [whole.close(one) for one in definitions.values() if one["type"] != "model"]
    return {"type": "definitions", "schema": closed, "definitions": inner} if inner else closed


class _Closing:
    """The walk through one schema and its definitions."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def resolve(self, schema: Schema) -> Schema:
        while schema["type"] == "definition-ref":
            schema = self._definitions[schema["schema_ref"]]
        return schema

    def close(self, schema: Schema) -> Schema:
        match schema["type"]:
            case "typed-dict":
                return self._close_object(schema)
            case "generator":
                return self._close_parts({**schema, "type": "list"})
            case "union":
                return self._close_union(schema)
            case "json-or-python":
                return self.close(schema["json_schema"])
            case _:
                return self._close_parts(schema)

    def _close_parts(self, schema: Schema) -> Schema:
        inner = {
            name: self.close(value)
            for name, value in schema.items()
            if name in {"schema", "items_schema", "values_schema", "keys_schema"}
        }
        return {**schema, **inner}

    def _close_object(self, schema: Schema) -> Schema:
        config = schema.get("config") or {}
        is_open = _OPEN in {schema.get("extra_behavior"), config.get("extra_fields_behavior")}
        fields = {
            name: {**field, "schema": self.close(field["schema"])}
            for name, field in schema["fields"].items()
        }
        return {**schema, "fields": fields, "extra_behavior": _OPEN if is_open else _CLOSED}

    def _close_union(self, schema: Schema) -> Schema:
        choices = list(self._flatten(schema))
        if len(choices) == 1:
            return self.close(choices[0])
        tagged = self._tag(choices)
        kept = {name: schema[name] for name in _KEPT_BY_UNION if name in schema}
        if tagged is not None:
            return {**tagged, **kept}
        return {"type": "union", "choices": [self.close(one) for one in choices], **kept}

    def _flatten(self, schema: Schema) -> Iterator[Schema]:
        """Yield what may come over the wire, unions in unions as one."""
        for choice in schema["choices"]:
            one = choice[0] if isinstance(choice, tuple) else choice
            resolved = self.resolve(one)
            if resolved["type"] in {"union", "tagged-union"}:
                yield from self._flatten({**resolved, "choices": _list_choices(resolved)})
            elif resolved["type"] not in _NOT_ON_THE_WIRE:
                yield one

    def _tag(self, choices: list[Schema]) -> Schema | None:
        for name in ("role", "type"):
            found = [self._tags_of(choice, name) for choice in choices]
            tags = [tag for some in found for tag in some.names]
            if not all(some.names for some in found) or len({*tags}) < len(tags):
                continue
            closed = [self.close(choice) for choice in choices]
            named = {
                tag: schema
                for some, schema in zip(found, closed, strict=True)
                for tag in some.names
            }
            default = next((some.names[0] for some in found if not some.is_required), None)
            return {
                "type": "tagged-union",
                "choices": named,
                "discriminator": name if default is None else _read_tag(name, default),
            }
        return None

    def _tags_of(self, choice: Schema, name: str) -> _Tags:
        """Return the values that a field of an object may have, and whether it must be there."""
        resolved = self.resolve(choice)
        if resolved["type"] != "typed-dict" or name not in resolved["fields"]:
            return _Tags((), is_required=True)
        field = resolved["fields"][name]
        inner = self.resolve(field["schema"])
        is_required = bool(field.get("required")) and inner["type"] != "nullable"
        if inner["type"] == "nullable":
            inner = self.resolve(inner["schema"])
        names = tuple(inner["expected"]) if inner["type"] == "literal" else ()
        return _Tags(names, is_required=is_required)


@dataclass(frozen=True, slots=True)
class _Tags:
    names: tuple[str, ...]
    is_required: bool


def _list_choices(schema: Schema) -> list[Any]:
    choices = schema["choices"]
    return list(choices.values()) if isinstance(choices, dict) else list(choices)


def _read_tag(name: str, default: str) -> Callable[[Any], str | None]:
    def read(value: Any) -> str | None:  # noqa: ANN401  JSON
        if not isinstance(value, dict):
            return None
        tag = value.get(name)
        return default if tag is None else tag

    return read
