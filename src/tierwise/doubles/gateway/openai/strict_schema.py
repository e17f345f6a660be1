"""The dialect of JSON schema that OpenAI enforces in its strict mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    _Place = tuple[str, ...]

_REFUSED = (
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "unevaluatedProperties",
    "contains",
    "uniqueItems",
    "default",
)
_FORMATS = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
)
_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
_SHAPES = ("type", "$ref", "anyOf", "enum", "const")


def find_root_problem(schema: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the root of a schema, strict or not."""
    kind = schema.get("type")
    if kind == "object":
        return next(_loose_problems(schema, ()), None)
    return f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."


def _loose_problems(schema: Any, place: _Place) -> Iterator[str]:  # noqa: ANN401  JSON
    """Yield what no mode takes: a type that does not exist, an array of nobody knows what."""
    if not isinstance(schema, dict):
        return
    for kind in _types_of(schema):
        if kind not in _TYPES:
            here = f"In context={(*place, 'type')}, "
            yield f"{here}{kind!r} is not valid under any of the given schemas."
    if schema.get("type") == "array" and "items" not in schema:
        yield f"In context={place}, array schema missing items."
    for inner, deeper in _inner(schema):
        yield from _loose_problems(inner, (*place, *deeper))


def _types_of(schema: Mapping[str, Any]) -> Sequence[Any]:
    kind = schema.get("type")
    return kind if isinstance(kind, list) else [] if kind is None else [kind]


def find_strict_problem(schema: Mapping[str, Any]) -> str | None:
    """Return the first thing that the strict mode refuses in a schema, or None."""
    problem = find_root_problem(schema)
    return problem or next(_problems(schema, ()), None)


def _problems(schema: Any, place: _Place) -> Iterator[str]:  # noqa: ANN401  JSON
    if not isinstance(schema, dict):
        yield f"In context={place}, {schema!r} is not of type 'object'."
        return
    here = f"In context={place}, "
    yield from (here + one for one in _problems_here(schema))
    for inner, deeper in _inner(schema):
        yield from _problems(inner, (*place, *deeper))


def _problems_here(schema: Mapping[str, Any]) -> Iterator[str]:
    if "$ref" in schema and len(schema) > 1 and "$defs" not in schema:
        beside = sorted(schema.keys() - {"$ref"})
        yield f"$ref cannot have keywords {{{', '.join(map(repr, beside))}}}."
    for name in _REFUSED:
        if name in schema:
            yield f"'{name}' is not permitted."
    if not any(name in schema for name in _SHAPES):
        yield "schema must have a 'type' key."
    if "format" in schema and schema["format"] not in _FORMATS:
        yield f"'{schema['format']}' is not a valid format."
    kinds = _types_of(schema)
    if "array" in kinds and "items" not in schema:
        yield "array schema missing items."
    if "object" in kinds or "properties" in schema:
        yield from _problems_of_object(schema)


def _problems_of_object(schema: Mapping[str, Any]) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        yield "'additionalProperties' is required to be supplied and to be false."
    required, properties = schema.get("required", []), schema.get("properties", {})
    must = (
        "'required' is required to be supplied and to be an array including every key in "
        "properties."
    )
    for name in properties:
        if name not in required:
            yield f"{must} Missing '{name}'."
    for name in required:
        if name not in properties:
            yield f"{must} Extra required key '{name}' supplied."


def _inner(schema: Mapping[str, Any]) -> Iterator[tuple[Any, _Place]]:
    for group in ("properties", "$defs", "definitions"):
        found = schema.get(group)
        if isinstance(found, dict):
            yield from ((inner, (group, name)) for name, inner in found.items())
    for index, inner in enumerate(schema.get("anyOf") or ()):
        yield inner, ("anyOf", str(index))
    if "items" in schema:
        yield schema["items"], ("items",)
