"""A response that was asked for, in neutral words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.asked import Asked, Endpoint, Turn
from tierwise.doubles.gateway.openai.chat_reading import (
    join_text,
    kind_of_url,
    read_arguments,
    read_choice,
)
from tierwise.providers import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.doubles.gateway.wire import HttpRequest

    _Body = Mapping[str, Any]

_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})


def read_responses(body: _Body, http: HttpRequest) -> Asked:
    """Return what a body that was found valid asks for."""
    wanted = (body.get("text") or {}).get("format") or {}
    return Asked(
        vendor="openai",
        endpoint=Endpoint.RESPONSES,
        model=body.get("model") or "",
        http=http,
        turns=tuple(_read_turns(body)),
        tools=tuple(_read_tools(body)),
        must_call=read_choice(body.get("tool_choice")),
        schema=wanted.get("schema"),
        wants_json=wanted.get("type") == "json_object",
        stream=bool(body.get("stream")),
        max_tokens=body.get("max_output_tokens"),
        body=body,
    )


def read_count(body: _Body, http: HttpRequest) -> Asked:
    """Return what is to be counted: the input of a response that is not asked for."""
    return replace(read_responses(body, http), endpoint=Endpoint.COUNT_TOKENS)


def _read_turns(body: _Body) -> Iterable[Turn]:
    if body.get("instructions"):
        yield Turn(role="system", text=body["instructions"])
    found = body.get("input")
    if isinstance(found, str):
        yield Turn(role="user", text=found)
        return
    names: dict[str, str] = {}
    for item in found or ():
        turn = _read_item(item, names)
        if turn is not None:
            yield turn


def _read_item(item: _Body, names: dict[str, str]) -> Turn | None:
    kind = item.get("type") or "message"
    if kind == "message" and "role" in item:
        role = "system" if item["role"] == "developer" else item["role"]
        content = item.get("content")
        return Turn(role=role, text=join_text(content), media=tuple(_kinds_of_media(content)))
    if kind in _CALLS:
        call = ToolCall(
            name=item["name"], arguments=read_arguments(item[_CALLS[kind]]), id=item["call_id"]
        )
        names[call.id] = call.name
        return Turn(role="assistant", tool_calls=(call,))
    if kind in _OUTPUTS:
        identifier = item.get("call_id") or ""
        return Turn(
            role="tool",
            text=join_text(item["output"]),
            tool_name=names.get(identifier, item.get("name") or ""),
            tool_call_id=identifier,
            media=tuple(_kinds_of_media(item["output"])),
        )
    return None


def _kinds_of_media(content: Any) -> Iterable[str]:  # noqa: ANN401  JSON
    for part in content if isinstance(content, list) else ():
        if part["type"] == "input_image":
            yield kind_of_url(part.get("image_url") or "", "image/*")
        elif part["type"] == "input_file":
            yield kind_of_url(part.get("file_data") or "", "application/pdf")


def _read_tools(body: _Body) -> Iterable[Tool]:
    for tool in body.get("tools") or ():
        if tool["type"] in {"function", "custom"}:
            yield Tool(
                name=tool["name"],
                description=tool.get("description") or "",
                parameters=tool.get("parameters") or {},
            )
