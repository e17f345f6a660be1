"""Rules about functions: how they are declared, and which of them may or must be called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.breaking import Broken
from tierwise.doubles.gateway.gemini.models import Thinking
from tierwise.doubles.gateway.gemini.schema_rules import check_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tierwise.doubles.gateway.gemini.breaking import Given

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_PICKY = frozenset({"ANY", "VALIDATED"})


def declarations_of(body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return every function that a request declares."""
    tools = body.get("tools") or []
    return [one for tool in tools for one in tool.get("functionDeclarations") or []]


def check_tools(given: Given) -> Iterator[Broken]:
    """Yield what is wrong with the tools and with how they are to be called."""
    seen: set[str] = set()
    for i, tool in enumerate(given.body.get("tools") or []):
        for k, declared in enumerate(tool.get("functionDeclarations") or []):
            at = f"{given.request}.tools[{i}].function_declarations[{k}]"
            yield from _check_declaration(declared, at)
            name = declared.get("name", "")
            if name in seen:
                yield Broken("function_twice", f"Duplicate function declaration found: {name}")
            seen.add(name)
    yield from _check_calling(given, seen)
    yield from _check_with_json(given, seen)


def _check_declaration(declared: Mapping[str, Any], at: str) -> Iterator[Broken]:
    if not _NAME.fullmatch(declared.get("name", "")):
        yield Broken(
            "function_name",
            "Invalid function name. Must start with a letter or an underscore. Must be "
            "alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), "
            "with a maximum length of 64.",
            f"{at}.name",
        )
    if "parameters" in declared:
        yield from check_schema(declared["parameters"], f"{at}.parameters", is_root=True)
        if "parametersJsonSchema" in declared:
            says = "only one of parameters and parameters_json_schema can be set."
            yield Broken("function_two_schemas", says, f"{at}.parameters_json_schema")


def _check_calling(given: Given, declared: set[str]) -> Iterator[Broken]:
    config = (given.body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    at = f"{given.request}.tool_config.function_calling_config"
    mode, allowed = config.get("mode", "AUTO"), config.get("allowedFunctionNames") or []
    if mode in _PICKY and not declared:
        says = "Function calling config is set without function_declarations."
        yield Broken("calling_without_functions", says)
        return
    if allowed and mode not in _PICKY:
        says = "only supported when the function calling mode is ANY or VALIDATED."
        yield Broken("allowed_mode", says, f"{at}.allowed_function_names")
        return
    for index, name in enumerate(allowed):
        if name not in declared:
            says = f"'{name}' is not in function_declarations."
            yield Broken("allowed_name", says, f"{at}.allowed_function_names[{index}]")


def _check_with_json(given: Given, declared: set[str]) -> Iterator[Broken]:
    kind = (given.body.get("generationConfig") or {}).get("responseMimeType", "text/plain")
    may_both = given.model.thinking in {Thinking.LEVEL, Thinking.ANY}
    if declared and kind != "text/plain" and not may_both:
        says = f"Function calling with a response mime type: '{kind}' is unsupported"
        yield Broken("json_and_tools", says)
