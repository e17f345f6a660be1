"""Rules about structured output: what the vendor's dialect of JSON schema leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.anthropic.rule import (
    DOCUMENTED,
    OBSERVED,
    BodyRule,
    each_block,
    list_last_of_assistant,
)
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.doubles.gateway.anthropic.rule import Body

_REFUSED = {
    "object": ("minProperties", "maxProperties", "patternProperties", "propertyNames"),
    "array": ("maxItems", "uniqueItems", "contains", "prefixItems"),
    "string": ("minLength", "maxLength"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_REFUSED_ANYWHERE = ("not", "if", "then", "else", "dependentSchemas", "oneOf")
_MIN_ITEMS = (None, 0, 1)


def _schemas_of(body: Body) -> Iterator[Mapping[str, Any]]:
    schema = _schema_of(body)
    if schema is not None:
        yield schema
    for tool in body.get("tools", ()):
        if tool.get("strict") and "input_schema" in tool:
            yield tool["input_schema"]


def _schema_of(body: Body) -> Mapping[str, Any] | None:
    form = body.get("output_config", {}).get("format")
    return form["schema"] if form else None


def walk_schema(schema: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401  JSON
    """Yield a schema and all schemas inside it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for name in ("items", "additionalProperties"):
        yield from walk_schema(schema.get(name))
    for name in ("properties", "$defs", "definitions"):
        for one in (schema.get(name) or {}).values():
            yield from walk_schema(one)
    for name in ("anyOf", "allOf", "oneOf"):
        for one in schema.get(name) or ():
            yield from walk_schema(one)


def _closed(body: Body) -> str | None:
    for schema in _schemas_of(body):
        for one in walk_schema(schema):
            if one.get("type") == "object" and one.get("additionalProperties") is not False:
                return (
                    f"{_place(body, schema)}: For 'object' type, 'additionalProperties' must be "
                    "explicitly set to false"
                )
    return None


def _known(body: Body) -> str | None:
    for schema in _schemas_of(body):
        for one in walk_schema(schema):
            kind = one.get("type")
            refused = _find_refused(one, kind if isinstance(kind, str) else "")
            if refused:
                names = ", ".join(map(repr, refused))
                verb = "properties {} are" if len(refused) > 1 else "property {} is"
                place = _place(body, schema)
                return f"{place}: For '{kind}' type, {verb.format(names)} not supported"
    return None


def _find_refused(schema: Mapping[str, Any], kind: str) -> list[str]:
    names = (*_REFUSED.get("number" if kind == "integer" else kind, ()), *_REFUSED_ANYWHERE)
    found = [name for name in names if name in schema]
    if kind == "array" and schema.get("minItems") not in _MIN_ITEMS:
        found.append("minItems")
    return found


def _place(body: Body, schema: Mapping[str, Any]) -> str:
    return "output_config.format.schema" if schema is _schema_of(body) else "tools"


def _no_citations(body: Body) -> str | None:
    if _schema_of(body) is None:
        return None
    for _, block in each_block(body, "user"):
        if isinstance(block.get("citations"), dict) and block["citations"].get("enabled"):
            return "output_config.format: structured outputs are not compatible with citations"
    return None


def _no_prefill(body: Body) -> str | None:
    if _schema_of(body) is None or list_last_of_assistant(body) is None:
        return None
    return "output_config.format: structured outputs are not compatible with message prefilling"


OUTPUT_RULES = (
    BodyRule(
        rule=RequestRule(
            name="schema-closed",
            ground=DOCUMENTED,
            says="Each object of a schema for structured output is closed.",
        ),
        find=_closed,
    ),
    BodyRule(
        rule=RequestRule(
            name="schema-keywords",
            ground=OBSERVED,
            says="Keywords that the vendor can't enforce are refused, not ignored.",
        ),
        find=_known,
    ),
    BodyRule(
        rule=RequestRule(
            name="schema-citations",
            ground=DOCUMENTED,
            says="Structured output excludes citations.",
        ),
        find=_no_citations,
        needs="output_config",
    ),
    BodyRule(
        rule=RequestRule(
            name="schema-prefill",
            ground=DOCUMENTED,
            says="Structured output excludes a last turn of the assistant.",
        ),
        find=_no_prefill,
        needs="output_config",
    ),
)
