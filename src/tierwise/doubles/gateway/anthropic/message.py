"""What the model says, as the vendor's message."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.domain import Usage
from tierwise.doubles.gateway.anthropic.signing import sign
from tierwise.doubles.gateway.saying import Stop
from tierwise.providers import count_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.domain import ToolCall
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Moment

_WORDS = {
    Stop.END: "end_turn",
    Stop.LENGTH: "max_tokens",
    Stop.TOOL: "tool_use",
    Stop.REFUSED: "refusal",
    Stop.FILTERED: "refusal",
    Stop.SEQUENCE: "stop_sequence",
    Stop.PAUSED: "pause_turn",
}


def form_message(asked: Asked, say: Say, moment: Moment) -> dict[str, Any]:
    """Return the whole message, the scenario's own fields last."""
    stop = say.why_stopped
    message: dict[str, Any] = {
        "id": f"msg_01{moment.number:022d}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": form_content(asked, say, moment),
        "stop_reason": _WORDS[stop],
        "stop_sequence": _find_sequence(asked, say) if stop is Stop.SEQUENCE else None,
        "usage": form_usage(say.usage or count_usage(asked, say)),
    }
    if _WORDS[stop] == "refusal":
        message["stop_details"] = {
            "type": "refusal",
            "category": None,
            "explanation": say.refusal or None,
        }
    return {**message, **say.extra}


def form_content(asked: Asked, say: Say, moment: Moment) -> list[dict[str, Any]]:
    """Return the blocks: what was thought, what is said, what is to be called."""
    content: list[dict[str, Any]] = []
    if say.thinking:
        shown = asked.body.get("thinking", {}).get("display") != "omitted"
        content.append(
            {
                "type": "thinking",
                "thinking": say.thinking if shown else "",
                "signature": sign(say.thinking),
            }
        )
    if say.text:
        content.append({"type": "text", "text": say.text})
    content += [
        {
            "type": "tool_use",
            "id": call.id or f"toolu_01{moment.number:016d}{index:06d}",
            "name": call.name,
            "input": dict(call.arguments),
        }
        for index, call in enumerate(say.tool_calls)
    ]
    return content


def form_usage(usage: Usage) -> dict[str, Any]:
    """Return tokens as the vendor counts them: those from its cache stand beside the others."""
    return {
        "input_tokens": usage.input_tokens - usage.cached_input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached_input_tokens,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"thinking_tokens": usage.reasoning_tokens},
        "service_tier": "standard",
    }


def count_usage(asked: Asked, say: Say) -> Usage:
    """Return a plausible number of tokens for what was asked and said."""
    thought = count_tokens(say.thinking)
    said = count_tokens(say.text) + _count_calls(say.tool_calls)
    return Usage(
        input_tokens=count_input(asked),
        output_tokens=max(1, thought + said),
        reasoning_tokens=thought,
    )


def count_input(asked: Asked) -> int:
    """Return a plausible number of tokens for all that was asked."""
    calls = [call for turn in asked.turns for call in turn.tool_calls]
    tools = sum(
        count_tokens(f"{tool.name} {tool.description} {_dump(tool.parameters)}")
        for tool in asked.tools
    )
    return max(1, count_tokens(asked.text) + _count_calls(calls) + tools)


def _count_calls(calls: Iterable[ToolCall]) -> int:
    return sum(count_tokens(f"{call.name} {_dump(call.arguments)}") for call in calls)


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), default=str)


def _find_sequence(asked: Asked, say: Say) -> str | None:
    wanted = asked.body.get("stop_sequences") or (None,)
    return say.stop_sequence if say.stop_sequence is not None else wanted[0]
