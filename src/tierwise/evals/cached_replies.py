"""Replies as text and back, exactly."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall, Usage
from tierwise.providers import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from tierwise.providers import Request
    from tierwise.providers.protocol import T


def encode(reply: Answer[Any] | Failure) -> str | None:
    """Return a reply as JSON; None when it holds what JSON cannot."""
    plain: dict[str, Any] = {
        "text": reply.text,
        "usage": dataclasses.asdict(reply.usage),
        "model": reply.model,
        "latency_s": reply.latency_s,
    }
    if isinstance(reply, Failure):
        plain |= {"failure": reply.kind.value, "message": reply.message}
    else:
        plain["tool_calls"] = [
            {"name": call.name, "arguments": dict(call.arguments), "id": call.id}
            for call in reply.tool_calls
        ]
    try:
        if isinstance(reply, Answer) and reply.data is not None:
            plain["data"] = reply.data.model_dump_json(by_alias=True, round_trip=True)
        return json.dumps(plain)
    except (TypeError, ValueError):
        return None


def decode(body: str, request: Request[T]) -> Answer[T] | Failure | None:
    """Return the reply that a text holds; None when it does not fit the request or is damaged.

    Its `source` says that it was kept, and its `latency_s` is that of the call it came from.
    """
    try:
        return _decode(json.loads(body), request)
    except (KeyError, TypeError, ValueError):  # pydantic's refusals among them
        return None


def _decode(plain: dict[str, Any], request: Request[T]) -> Answer[T] | Failure:
    common: dict[str, Any] = {
        "text": plain["text"],
        "usage": Usage(**plain["usage"]),
        "model": plain["model"],
        "latency_s": plain["latency_s"],
        "source": "cache",
    }
    if "failure" in plain:
        kind = FailureKind(plain["failure"])
        return Failure(kind=kind, message=plain["message"], **common)
    tool_calls = tuple(ToolCall(**call) for call in plain["tool_calls"])
    data = None
    if request.schema is not None:
        data = request.schema.model_validate_json(plain["data"])
    return Answer(data=data, tool_calls=tool_calls, **common)
