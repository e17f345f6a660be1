"""A wish to have a tool called, by the kind that the tool was declared as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.doubles.gateway.openai import encoding

if TYPE_CHECKING:
    from tierwise.domain import ToolCall
    from tierwise.doubles.gateway.asked import Asked


def is_custom(call: ToolCall, asked: Asked) -> bool:
    """Return whether the tool takes free text in place of arguments."""
    return any(
        tool["type"] == "custom" and tool.get("custom", tool)["name"] == call.name
        for tool in asked.body.get("tools") or ()
    )


def form_input(call: ToolCall) -> str:
    """Return the text for a custom tool: the argument `input`, or else all of them as JSON."""
    text = call.arguments.get("input")
    return text if isinstance(text, str) else encoding.form_arguments(call)


def is_legacy(asked: Asked) -> bool:
    """Return whether the request declares `functions`, as clients did before there were tools."""
    return bool(asked.body.get("functions")) and not asked.body.get("tools")
