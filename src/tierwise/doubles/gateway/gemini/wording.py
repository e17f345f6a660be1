"""A validated body in the gateway's neutral words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.asked import Asked, Turn
from tierwise.doubles.gateway.gemini.schema_rules import to_json_schema
from tierwise.doubles.gateway.gemini.tools_rules import declarations_of
from tierwise.providers import Tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tierwise.doubles.gateway.gemini.breaking import Given
    from tierwise.doubles.gateway.gemini.paths import Target
    from tierwise.doubles.gateway.wire import HttpRequest

Body = dict[str, Any]


def generate_asked(target: Target, http: HttpRequest, given: Given, body: Body) -> Asked:
    """Return a request to generate."""
    read = given.body
    settings: Mapping[str, Any] = read.get("generationConfig") or {}
    return Asked(
        vendor="gemini",
        endpoint=target.endpoint,
        model=target.model,
        http=http,
        turns=tuple(read_turns(read)),
        tools=tuple(map(_read_tool, declarations_of(read))),
        must_call=_read_duty(read),
        schema=_read_schema(settings),
        wants_json=_wants_json(settings),
        stream=target.method == "streamGenerateContent",
        n=settings.get("candidateCount", 1),
        max_tokens=settings.get("maxOutputTokens"),
        body=body,
    )


def count_asked(target: Target, http: HttpRequest, given: Given, body: Body) -> Asked:
    """Return a request to count tokens."""
    read = given.body.get("generateContentRequest") or given.body
    return Asked(
        vendor="gemini",
        endpoint=target.endpoint,
        model=target.model,
        http=http,
        turns=tuple(read_turns(read)),
        tools=tuple(map(_read_tool, declarations_of(read))),
        body=body,
    )


def embed_asked(target: Target, http: HttpRequest, given: Given, body: Body) -> Asked:
    """Return a request to embed one thing or many."""
    requests: Sequence[Mapping[str, Any]] = given.body.get("requests") or [given.body]
    texts = (_text_of(one["content"].get("parts") or []) for one in requests)
    return Asked(
        vendor="gemini",
        endpoint=target.endpoint,
        model=target.model,
        http=http,
        texts=tuple(texts),
        dimensions=requests[0].get("outputDimensionality") or given.model.dimensions,
        body=body,
    )


def read_turns(body: Mapping[str, Any]) -> Iterator[Turn]:
    """Yield the turns of a conversation; each result of a function is a turn of its own."""
    instruction = body.get("systemInstruction")
    if instruction is not None:
        yield Turn(role="system", text=_text_of(instruction.get("parts") or []))
    names: dict[str, str] = {}
    for content in body.get("contents") or []:
        parts = content.get("parts") or []
        yield from (_read_result(part, names) for part in parts if "functionResponse" in part)
        rest = [part for part in parts if "functionResponse" not in part]
        if not rest:
            continue
        calls = tuple(_read_call(part) for part in rest if "functionCall" in part)
        names |= {call.id: call.name for call in calls}
        yield Turn(
            role="assistant" if content.get("role") == "model" else "user",
            text=_text_of(rest),
            tool_calls=calls,
            media=tuple(filter(None, map(_kind_of, rest))),
        )


def _read_result(part: Mapping[str, Any], names: Mapping[str, str]) -> Turn:
    result = part["functionResponse"]
    identifier = result.get("id", "")
    return Turn(
        role="tool",
        text=json.dumps(result.get("response") or {}, ensure_ascii=False),
        tool_name=result.get("name") or names.get(identifier, ""),
        tool_call_id=identifier,
    )


def _read_call(part: Mapping[str, Any]) -> ToolCall:
    call = part["functionCall"]
    return ToolCall(
        name=call.get("name", ""), arguments=call.get("args") or {}, id=call.get("id", "")
    )


def _text_of(parts: Sequence[Mapping[str, Any]]) -> str:
    return "".join(part.get("text", "") for part in parts if not part.get("thought"))


def _kind_of(part: Mapping[str, Any]) -> str:
    blob = part.get("inlineData") or part.get("fileData") or {}
    kind = blob.get("mimeType", "application/octet-stream" if blob else "")
    return str(kind)


def _read_tool(declared: Mapping[str, Any]) -> Tool:
    parameters = declared.get("parametersJsonSchema")
    if parameters is None and "parameters" in declared:
        parameters = to_json_schema(declared["parameters"])
    return Tool(
        name=declared["name"],
        description=declared.get("description", ""),
        parameters=parameters or {"type": "object", "properties": {}},
    )


def _read_duty(body: Mapping[str, Any]) -> str | None:
    config = (body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    if config.get("mode") != "ANY":
        return None
    allowed = config.get("allowedFunctionNames") or []
    return str(allowed[0]) if len(allowed) == 1 else "*"


def _read_schema(settings: Mapping[str, Any]) -> Mapping[str, Any] | None:
    plain = settings.get("responseJsonSchema", settings.get("_responseJsonSchema"))
    if isinstance(plain, dict):
        return plain
    own = settings.get("responseSchema")
    return None if own is None else to_json_schema(own)


def _wants_json(settings: Mapping[str, Any]) -> bool:
    has_schema = any(
        name in settings
        for name in ("responseSchema", "responseJsonSchema", "_responseJsonSchema")
    )
    return settings.get("responseMimeType") == "application/json" and not has_schema
