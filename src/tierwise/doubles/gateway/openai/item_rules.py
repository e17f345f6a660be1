"""What belongs together among the items of a response's input, beyond calls of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import checks
from tierwise.doubles.gateway.openai.problems import Problem
from tierwise.doubles.gateway.saying import Ground

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.doubles.gateway.openai.checks import Body


def _items(body: Body) -> list[Mapping[str, Any]]:
    found = body.get("input")
    return found if isinstance(found, list) else []


def _unanswered_custom_calls(body: Body) -> Iterator[Problem]:
    items = _items(body)
    kind = "custom_tool_call_output"
    answered = {item.get("call_id") for item in items if item.get("type") == kind}
    for item in items:
        if item.get("type") == "custom_tool_call" and item["call_id"] not in answered:
            yield Problem(
                message=f"No tool output found for custom tool call {item['call_id']}.",
                param="input",
            )


def _loose_reasoning(body: Body) -> Iterator[Problem]:
    items = _items(body)
    for item, following in zip(items, [*items, None][1:], strict=True):
        if item.get("type") != "reasoning" or not item.get("id"):
            continue
        if following is None or _is_of_client(following):
            yield Problem(
                message=f"Item '{item['id']}' of type 'reasoning' was provided without its "
                "required following item.",
                param="input",
            )


def _is_of_client(item: Mapping[str, Any]) -> bool:
    role = item.get("role")
    return role is not None and role != "assistant"


def _required_without_tools(body: Body) -> Iterator[Problem]:
    if body.get("tool_choice") == "required" and not body.get("tools") and not body.get("prompt"):
        yield Problem(
            message="Tool choice 'required' must be specified with 'tools' parameter.",
            param="tool_choice",
        )


ITEM_CHECKS = (
    checks.check(
        "unanswered_custom_call",
        "each call of a custom tool has its output",
        _unanswered_custom_calls,
        ground=Ground.OBSERVED,
    ),
    checks.check(
        "loose_reasoning",
        "reasoning is followed by what came of it",
        _loose_reasoning,
        ground=Ground.OBSERVED,
    ),
    checks.check(
        "required_without_tools",
        "a tool is required where there are some",
        _required_without_tools,
        ground=Ground.OBSERVED,
    ),
)
