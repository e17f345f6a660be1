"""A pydantic schema as Anthropic's structured output takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import BaseModel


def form_output_format(schema: type[BaseModel]) -> dict[str, Any]:
    """Return `output_config.format` for a schema, as the SDK itself writes it.

    What Anthropic can't enforce becomes a hint in a description, and is left to the check of the
    reply. Raises `ValueError` for a mapping with open keys: structured output can't say one.
    """
    from anthropic import transform_schema  # noqa: PLC0415  an extra

    plain = schema.model_json_schema(by_alias=True)
    if any(_is_open_mapping(one) for one in _each_object(plain)):
        raise ValueError(
            "it holds a mapping with open keys, which Anthropic's structured output does not "
            "know; make it a list of pairs"
        )
    return {"type": "json_schema", "schema": transform_schema(plain)}


def _each_object(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  JSON
    if isinstance(value, dict):
        if value.get("type") == "object":
            yield value
        for inner in value.values():
            yield from _each_object(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _each_object(inner)


def _is_open_mapping(schema: Mapping[str, Any]) -> bool:
    if "patternProperties" in schema or isinstance(schema.get("additionalProperties"), dict):
        return True
    return schema.get("additionalProperties") is True and not schema.get("properties")
