"""Rules about tools, thinking and limits."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.anthropic.rule import (
    DOCUMENTED,
    OBSERVED,
    OLDER,
    BodyRule,
    each_block,
    each_tool,
    list_blocks,
    thinks,
)
from tierwise.doubles.gateway.anthropic.signing import is_signed
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway.anthropic.rule import Body
    from tierwise.doubles.gateway.saying import Ground

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_LEAST_BUDGET = 1024
_LEAST_TOP_P = 0.95
_ONE_SAMPLING = ("-4-5", "-4-6", "opus-4-1")
"""Parts of the names of models that take temperature or top_p."""
_MOST_BREAKPOINTS = 4
_MOST_TOKENS = {
    "haiku-4-5": 64_000,
    "sonnet-4-5": 64_000,
    "opus-4-5": 64_000,
    "opus-4-6": 128_000,
    "opus-4-7": 128_000,
}
_NO_TOOLS = "tool_choice: tool_choice may only be specified while providing tools."


def _names_of_tools(body: Body) -> str | None:
    for number, tool in each_tool(body):
        if not _TOOL_NAME.fullmatch(tool["name"]):
            return (
                f"tools.{number}.custom.name: String should match pattern '^{_TOOL_NAME.pattern}$'"
            )
    return None


def _tools_once(body: Body) -> str | None:
    names = [tool.get("name") for tool in body.get("tools", ())]
    if len({*names}) < len(names):
        return "tools: Tool names must be unique."
    return None


def _objects_in(body: Body) -> str | None:
    for number, tool in each_tool(body):
        kind = tool["input_schema"].get("type")
        place = f"tools.{number}.custom.input_schema.type"
        if kind is None:
            return f"{place}: Field required"
        if kind != "object":
            return f"{place}: Input should be 'object'"
        problem = _find_in_root(tool["input_schema"])
        if problem is not None:
            return f"tools.{number}.custom.input_schema{problem}"
    return None


def _find_in_root(schema: Body) -> str | None:
    if any(name in schema for name in ("oneOf", "allOf", "anyOf")):
        return ": input_schema does not support oneOf, allOf, or anyOf at the top level"
    if all(_PROPERTY.fullmatch(name) for name in schema.get("properties") or ()):
        return None
    return f".properties: Property keys should match pattern '^{_PROPERTY.pattern}$'"


def _choice_with_tools(body: Body) -> str | None:
    return _NO_TOOLS if "tool_choice" in body and not body.get("tools") else None


def _choice_of_tool(body: Body) -> str | None:
    name = body.get("tool_choice", {}).get("name")
    if name is None or any(tool.get("name") == name for tool in body.get("tools", ())):
        return None
    return f"Tool '{name}' not found in provided tools"


def _limit(body: Body) -> str | None:
    if body["max_tokens"] < 0:
        return "max_tokens: Input should be greater than or equal to 0"
    for part, most in _MOST_TOKENS.items():
        if part in body["model"] and body["max_tokens"] > most:
            return (
                f"max_tokens: {body['max_tokens']} > {most}, which is the maximum allowed number "
                f"of output tokens for {body['model']}"
            )
    return None


def _sequences(body: Body) -> str | None:
    if all(sequence.strip() for sequence in body.get("stop_sequences", ())):
        return None
    return "stop_sequences: each stop sequence must contain non-whitespace"


def _budget(body: Body) -> str | None:
    if thinks(body) != "enabled":
        return None
    budget = body["thinking"]["budget_tokens"]
    if budget < _LEAST_BUDGET:
        return (
            "thinking.enabled.budget_tokens: Input should be greater than or equal to "
            f"{_LEAST_BUDGET}"
        )
    return None


def _budget_in_limit(body: Body) -> str | None:
    if thinks(body) != "enabled":
        return None
    budget = body["thinking"]["budget_tokens"]
    if budget >= body.get("max_tokens", budget + 1):
        return (
            "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our "
            "documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
        )
    return None


def _adaptive(body: Body) -> str | None:
    if thinks(body) == "adaptive" and any(part in body["model"] for part in OLDER):
        return "adaptive thinking is not supported on this model"
    return None


def _forced_thinking(body: Body) -> str | None:
    if thinks(body) and body.get("tool_choice", {}).get("type") in {"any", "tool"}:
        return "Thinking may not be enabled when tool_choice forces tool use."
    return None


def _thought_first(body: Body) -> str | None:
    if thinks(body) != "enabled":
        return None
    turns = [
        (number, message)
        for number, message in enumerate(body["messages"])
        if message["role"] == "assistant"
    ]
    number, last = turns[-1] if turns else (0, None)
    blocks = list_blocks(last) if last else []
    kinds = [block["type"] for block in blocks]
    if "tool_use" not in kinds or kinds[0] in {"thinking", "redacted_thinking"}:
        return None
    return (
        f"messages.{number}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
        f"`{kinds[0]}`. When `thinking` is enabled, a final `assistant` message must start with a "
        "thinking block."
    )


def _signature(body: Body) -> str | None:
    for place, block in each_block(body, "assistant"):
        if block["type"] == "thinking" and not is_signed(block["thinking"], block["signature"]):
            return f"{place}: Invalid `signature` in `thinking` block"
    return None


def _breakpoints(body: Body) -> str | None:
    found = sum(1 for _ in _cached(body))
    if found <= _MOST_BREAKPOINTS:
        return None
    return (
        f"A maximum of {_MOST_BREAKPOINTS} blocks with cache_control may be provided. "
        f"Found {found}."
    )


def _cached(body: Body) -> Iterator[Any]:
    system = body.get("system", ())
    parts = [block for _, block in each_block(body)]
    parts += [] if isinstance(system, str) else system
    parts += body.get("tools", ())
    yield from (part for part in (body, *parts) if part.get("cache_control"))


def _images(body: Body) -> str | None:
    for place, block in each_block(body, "user"):
        source = block.get("source")
        if not isinstance(source, dict) or source["type"] != "base64":
            continue
        try:
            data = base64.b64decode(source["data"], validate=True)
        except binascii.Error:
            return f"{place}.{block['type']}.source.base64: invalid base64 data"
        if not data:
            return f"{place}.{block['type']}.source.base64.data: {block['type']} cannot be empty"
    return None


def _sampling(body: Body) -> str | None:
    for name in ("temperature", "top_p"):
        if not 0 <= body.get(name, 0) <= 1:
            return f"{name}: range: 0..1"
    if thinks(body) and body.get("temperature", 1) != 1:
        return "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode."
    if thinks(body) and "top_k" in body:
        return "`top_k` must be unset when thinking is enabled or in adaptive mode."
    if thinks(body) and body.get("top_p", 1) < _LEAST_TOP_P:
        return "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled."
    if body.keys() >= {"temperature", "top_p"} and any(p in body["model"] for p in _ONE_SAMPLING):
        return (
            "`temperature` and `top_p` cannot both be specified for this model. Please use only "
            "one."
        )
    return None


def _make(name: str, ground: Ground, says: str) -> RequestRule:
    return RequestRule(name=name, ground=ground, says=says)


PARAMETER_RULES = (
    BodyRule(
        rule=_make("tool-name", DOCUMENTED, "A tool's name is letters, digits, _ and -."),
        find=_names_of_tools,
        needs="tools",
    ),
    BodyRule(
        rule=_make("tools-once", OBSERVED, "No two tools share a name."),
        find=_tools_once,
        needs="tools",
    ),
    BodyRule(
        rule=_make("tool-schema", DOCUMENTED, "A tool's schema is that of an object."),
        find=_objects_in,
        needs="tools",
    ),
    BodyRule(
        rule=_make("choice-with-tools", OBSERVED, "A tool choice needs tools."),
        find=_choice_with_tools,
        needs="tool_choice",
    ),
    BodyRule(
        rule=_make("choice-of-tool", OBSERVED, "A chosen tool is one that is offered."),
        find=_choice_of_tool,
        needs="tool_choice",
    ),
    BodyRule(
        rule=_make("thinking-budget", DOCUMENTED, "A budget is at least 1024."),
        find=_budget,
        needs="thinking",
    ),
    BodyRule(
        rule=_make(
            "thinking-limit",
            DOCUMENTED,
            "A budget is under max_tokens, unless thinking is interleaved.",
        ),
        find=_budget_in_limit,
        needs="thinking",
        unless="interleaved-thinking",
    ),
    BodyRule(
        rule=_make("thinking-adaptive", DOCUMENTED, "Models up to 4.5 do not think adaptively."),
        find=_adaptive,
        needs="thinking",
    ),
    BodyRule(
        rule=_make("thinking-forced", DOCUMENTED, "Thinking excludes a forced tool call."),
        find=_forced_thinking,
        needs="thinking",
    ),
    BodyRule(
        rule=_make("thinking-first", DOCUMENTED, "With thinking, a last tool call follows one."),
        find=_thought_first,
        needs="thinking",
    ),
    BodyRule(
        rule=_make("thinking-signed", DOCUMENTED, "A thinking block comes back unchanged."),
        find=_signature,
        needs="blocks",
    ),
    BodyRule(
        rule=_make("breakpoints", DOCUMENTED, "At most four blocks are marked for the cache."),
        find=_breakpoints,
    ),
    BodyRule(
        rule=_make("base64", OBSERVED, "Images and PDFs are base64."),
        find=_images,
        needs="blocks",
    ),
)
LIMIT_RULES = (
    BodyRule(
        rule=_make("max-tokens", DOCUMENTED, "max_tokens is within the model's limit."),
        find=_limit,
    ),
    BodyRule(
        rule=_make("stop-sequences", OBSERVED, "A stop sequence is more than blanks."),
        find=_sequences,
        needs="stop_sequences",
    ),
    BodyRule(
        rule=_make(
            "sampling",
            DOCUMENTED,
            "temperature and top_p are 0 to 1, one of them; 1 when thinking.",
        ),
        find=_sampling,
    ),
)
