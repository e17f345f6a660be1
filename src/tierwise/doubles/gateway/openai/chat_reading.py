"""A chat completion that was asked for, in neutral words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.asked import Asked, Endpoint, Turn
from tierwise.providers import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.doubles.gateway.wire import HttpRequest

    _Body = Mapping[str, Any]

_ROLES = {"developer": "system", "function": "tool"}
_AUDIO = {"wav": "audio/wav", "mp3": "audio/mpeg"}


def read_chat(body: _Body, http: HttpRequest) -> Asked:
    """Return what a body that was found valid asks for."""
    wanted = body.get("response_format") or {}
    limit = body.get("max_completion_tokens")
    return Asked(
        vendor="openai",
        endpoint=Endpoint.CHAT,
        model=body["model"],
        http=http,
        turns=tuple(read_turns(body["messages"])),
        tools=tuple(_read_tools(body)),
        must_call=read_choice(body.get("tool_choice")),
        schema=(wanted.get("json_schema") or {}).get("schema"),
        wants_json=wanted.get("type") == "json_object",
        stream=bool(body.get("stream")),
        n=body.get("n") or 1,
        max_tokens=body.get("max_tokens") if limit is None else limit,
        body=body,
    )


def read_turns(messages: Iterable[_Body]) -> list[Turn]:
    """Return the turns; a tool's result knows its tool from the call before it."""
    names: dict[str, str] = {}
    turns = []
    for message in messages:
        calls = tuple(map(_read_call, message.get("tool_calls") or ()))
        names.update({call.id: call.name for call in calls})
        identifier: str = message.get("tool_call_id", "")
        role: str = message["role"]
        content = message.get("content")
        turns.append(
            Turn(
                role=_ROLES.get(role, role),
                text=join_text(content) or message.get("refusal") or "",
                tool_calls=calls,
                tool_name=names.get(identifier, message.get("name", "") if identifier else ""),
                tool_call_id=identifier,
                media=tuple(_kinds_of_media(content)),
            )
        )
    return turns


def join_text(content: Any) -> str:  # noqa: ANN401  JSON
    """Return the text of a message, its parts put together."""
    if isinstance(content, list):
        return "".join(part.get("text") or part.get("refusal") or "" for part in content)
    return content or ""


def _kinds_of_media(content: Any) -> Iterable[str]:  # noqa: ANN401  JSON
    for part in content if isinstance(content, list) else ():
        if part["type"] == "image_url":
            yield kind_of_url(part["image_url"]["url"], "image/*")
        elif part["type"] == "input_audio":
            yield _AUDIO[part["input_audio"]["format"]]
        elif part["type"] == "file":
            yield kind_of_url(part["file"].get("file_data", ""), "application/pdf")


def kind_of_url(url: str, otherwise: str) -> str:
    """Return the kind of data in a data URL, or another word where it does not tell."""
    if not url.startswith("data:"):
        return otherwise
    return url[len("data:") :].partition(";")[0].partition(",")[0] or otherwise


def _read_call(call: _Body) -> ToolCall:
    inner = call[call["type"]]
    written = inner["arguments"] if call["type"] == "function" else inner["input"]
    return ToolCall(name=inner["name"], arguments=read_arguments(written), id=call["id"])


def read_arguments(written: str) -> dict[str, Any]:
    """Return a call's arguments; what is no JSON object is kept as `input`."""
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"input": written}


def _read_tools(body: _Body) -> Iterable[Tool]:
    for tool in body.get("tools") or ():
        inner = tool[tool["type"]]
        yield Tool(
            name=inner["name"],
            description=inner.get("description") or "",
            parameters=inner.get("parameters") or {},
        )
    for function in body.get("functions") or ():
        yield Tool(
            name=function["name"],
            description=function.get("description") or "",
            parameters=function.get("parameters") or {},
        )


def read_choice(choice: Any) -> str | None:  # noqa: ANN401  JSON
    """Return the tool that has to be called: a name, `*` for any, or None."""
    if choice == "required":
        return "*"
    if not isinstance(choice, dict):
        return None
    allowed = choice.get("allowed_tools") or (choice if choice["type"] == "allowed_tools" else {})
    if allowed:
        return "*" if allowed.get("mode") == "required" else None
    name = choice.get("name") or (choice.get(choice["type"]) or {}).get("name")
    return name if isinstance(name, str) else None
