"""A request as the contents and the config of generateContent."""

from __future__ import annotations

import base64
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.providers.wire.body import split_system
from tierwise.providers.wire.settings import check_model, check_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Message, ToolCall
    from tierwise.providers.protocol import Request, Tool

_OURS = frozenset(
    {
        "automatic_continuation",
        "automatic_function_calling",
        "candidate_count",
        "http_options",
        "max_output_tokens",
        "response_json_schema",
        "response_mime_type",
        "response_schema",
        "seed",
        "should_return_http_response",
        "system_instruction",
        "temperature",
        "tools",
    }
)
_SEEDS = 2**31
"""Gemini's seeds are below this."""
_MOST_SIGNATURES = 10_000
# What Google documents for calls that come from elsewhere and have no signature.
_UNSIGNED = base64.b64encode(b"skip_thought_signature_validator").decode()
_WITHOUT_SIGNATURES = ("gemini-1", "gemini-2", "gemma")


class Signatures:
    """What Gemini signed its calls with, by their ids: it wants that back with the calls."""

    def __init__(self) -> None:
        self._by_id: OrderedDict[str, str] = OrderedDict()

    def keep(self, signatures: Mapping[str, str]) -> None:
        """Remember signatures; the oldest ones are forgotten when there are very many."""
        self._by_id.update(signatures)
        while len(self._by_id) > _MOST_SIGNATURES:
            self._by_id.popitem(last=False)

    def find(self, identifier: str) -> str | None:
        """Return the signature of a call, or None where it is not known."""
        return self._by_id.get(identifier)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiAsking:
    """What is the same in each request that goes to one model."""

    model: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_model(self.model, owner="GeminiProvider", known_by="Gemini")
        check_options(sorted(_OURS & {*self.options}), owner="GeminiProvider")

    def form_config(
        self, request: Request[Any], schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Return the config; what the request leaves out is left to the options, or out."""
        system, _ = split_system(request.messages)
        config: dict[str, Any] = dict(self.options)
        if system:
            config["system_instruction"] = "\n".join(message.content for message in system)
        if schema is not None:
            config |= {"response_mime_type": "application/json", "response_json_schema": schema}
        if request.tools:
            config["tools"] = [{"function_declarations": [*map(_form_tool, request.tools)]}]
        if request.temperature is not None:
            config["temperature"] = request.temperature
        if request.max_tokens is not None:
            config["max_output_tokens"] = request.max_tokens
        if request.seed is not None:
            config["seed"] = request.seed % _SEEDS
        return config

    def form_contents(self, request: Request[Any], signatures: Signatures) -> list[dict[str, Any]]:
        """Return the turns; results of calls that were made at once stand in one turn."""
        _, turns = split_system(request.messages)
        formed: list[dict[str, Any]] = []
        open_calls: list[ToolCall] = []
        for message in turns:
            if message.role == "tool":
                part = _form_result(message, open_calls)
                if formed and "function_response" in formed[-1]["parts"][-1]:
                    formed[-1]["parts"].append(part)
                else:
                    formed.append({"role": "user", "parts": [part]})
                continue
            open_calls = list(message.tool_calls)
            role = "model" if message.role == "assistant" else "user"
            formed.append({"role": role, "parts": self._form_parts(message, signatures)})
        return formed

    def _form_parts(self, message: Message, signatures: Signatures) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = [_form_call(call) for call in message.tool_calls]
        if parts:
            # Of calls that were made at once only the first one is signed.
            signature = signatures.find(message.tool_calls[0].id)
            if signature is None and not self.model.startswith(_WITHOUT_SIGNATURES):
                signature = _UNSIGNED
            if signature is not None:
                parts[0]["thought_signature"] = signature
        if message.content or not parts:
            parts.insert(0, {"text": message.content})
        return parts


def _form_call(call: ToolCall) -> dict[str, Any]:
    named = {"id": call.id} if call.id else {}
    return {"function_call": {**named, "name": call.name, "args": dict(call.arguments)}}


def _form_result(message: Message, open_calls: list[ToolCall]) -> dict[str, Any]:
    """Return a result with the name of its function: that of its id, else the next call's."""
    by_id = (call for call in open_calls if call.id == (message.tool_call_id or ""))
    call = next(by_id, open_calls[0] if open_calls else None)
    if call is not None:
        open_calls.remove(call)
    named = {"id": message.tool_call_id} if message.tool_call_id else {}
    name = call.name if call is not None else message.tool_call_id or "unknown"
    response = {"name": name, "response": _as_object(message.content)}
    return {"function_response": {**named, **response}}


def _as_object(content: str) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"result": content}


def _form_tool(tool: Tool) -> dict[str, Any]:
    described = {"description": tool.description} if tool.description else {}
    declared = {"parameters_json_schema": dict(tool.parameters)} if tool.parameters else {}
    return {"name": tool.name, **described, **declared}
