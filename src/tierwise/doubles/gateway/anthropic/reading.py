"""A body that was found valid, in neutral words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.anthropic.rule import list_blocks
from tierwise.doubles.gateway.asked import Asked, Turn
from tierwise.providers import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tierwise.doubles.gateway.anthropic.rule import Block, Body
    from tierwise.doubles.gateway.asked import Endpoint
    from tierwise.doubles.gateway.wire import HttpRequest

VENDOR = "anthropic"
_MEDIA = frozenset({"image", "document"})


def read_body(endpoint: Endpoint, http: HttpRequest, body: Body) -> Asked:
    """Return what a body asks for."""
    form = body.get("output_config", {}).get("format")
    choice = body.get("tool_choice", {})
    return Asked(
        vendor=VENDOR,
        endpoint=endpoint,
        model=body["model"],
        http=http,
        turns=tuple(_read_turns(body)),
        tools=tuple(_read_tool(tool) for tool in body.get("tools", ())),
        must_call="*" if choice.get("type") == "any" else choice.get("name"),
        schema=form["schema"] if form else None,
        stream=body.get("stream", False),
        max_tokens=body.get("max_tokens"),
        is_held=bool(body.get("thread")),
        body=body,
    )


def _read_turns(body: Body) -> Iterator[Turn]:
    system = body.get("system")
    if system:
        yield Turn(role="system", text=_text_of(system))
    names: dict[str, str] = {}
    for message in body["messages"]:
        blocks = list_blocks(message)
        calls = tuple(_read_call(block) for block in blocks if block["type"] == "tool_use")
        names |= {call.id: call.name for call in calls}
        results = [block for block in blocks if block["type"] == "tool_result"]
        yield from (_read_result(block, names) for block in results)
        if len(results) < len(blocks) or not blocks:
            yield Turn(
                role=message["role"],
                text=_text_of(blocks),
                tool_calls=calls,
                media=tuple(_media_of(blocks)),
            )


def _read_call(block: Block) -> ToolCall:
    return ToolCall(name=block["name"], arguments=block["input"], id=block["id"])


def _read_result(block: Block, names: Mapping[str, str]) -> Turn:
    content = block.get("content", "")
    return Turn(
        role="tool",
        text=_text_of(content),
        tool_name=names.get(block["tool_use_id"], ""),
        tool_call_id=block["tool_use_id"],
        media=() if isinstance(content, str) else tuple(_media_of(content)),
    )


def _text_of(content: str | Iterable[Block]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def _media_of(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if block["type"] in _MEDIA:
            source = block["source"]
            yield source.get("media_type") or f"{block['type']}/{source['type']}"


def _read_tool(tool: Mapping[str, Any]) -> Tool:
    return Tool(
        name=tool.get("name") or tool["type"],
        description=tool.get("description", ""),
        parameters=tool.get("input_schema", {}),
    )
