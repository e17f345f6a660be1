"""Four ways to ask a model: where, with which header for the key, and in which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Body = Mapping[str, Any]
_MOST_TOKENS = 64


class Protocol(StrEnum):
    """What a model speaks."""

    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GENERATE = "generate"

    @property
    def family(self) -> str:
        """Whose protocol it is, which is part of the vendor's host names."""
        return _FAMILIES[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one turn."""

    input_tokens: int = 0
    output_tokens: int = 0


_FAMILIES = {
    Protocol.CHAT: "openai",
    Protocol.RESPONSES: "openai",
    Protocol.MESSAGES: "anthropic",
    Protocol.GENERATE: "google",
}


def path_of(protocol: Protocol, model: str) -> str:
    """Return where a model is asked."""
    return {
        Protocol.CHAT: "/v1/chat/completions",
        Protocol.RESPONSES: "/v1/responses",
        Protocol.MESSAGES: "/v1/messages",
        Protocol.GENERATE: f"/v1beta/models/{model}:generateContent",
    }[protocol]


def key_headers(protocol: Protocol, key: str) -> dict[str, str]:
    """Return the header by which a protocol takes its key; each family has another."""
    if protocol is Protocol.MESSAGES:
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}
    if protocol is Protocol.GENERATE:
        return {"x-goog-api-key": key}
    return {"authorization": f"Bearer {key}"}


def body_of(protocol: Protocol, model: str, prompt: str) -> dict[str, Any]:
    """Return a request for one answer to one prompt."""
    turn = {"role": "user", "content": prompt}
    if protocol is Protocol.CHAT:
        return {"model": model, "messages": [turn], "max_completion_tokens": _MOST_TOKENS}
    if protocol is Protocol.RESPONSES:
        return {"model": model, "input": prompt, "max_output_tokens": _MOST_TOKENS}
    if protocol is Protocol.MESSAGES:
        return {"model": model, "messages": [turn], "max_tokens": _MOST_TOKENS}
    return {
        "contents": [{"role": "user", "parts": [{"text": prompt}]}],
        "generationConfig": {"maxOutputTokens": _MOST_TOKENS},
    }


def read_text(protocol: Protocol, body: Body) -> str:
    """Return what the model said."""
    if protocol is Protocol.CHAT:
        return str(body["choices"][0]["message"]["content"])
    if protocol is Protocol.MESSAGES:
        return "".join(part["text"] for part in body["content"] if part["type"] == "text")
    if protocol is Protocol.GENERATE:
        return "".join(part["text"] for part in body["candidates"][0]["content"]["parts"])
    parts = (
        part for item in body["output"] if item["type"] == "message" for part in item["content"]
    )
    return "".join(part["text"] for part in parts if part["type"] == "output_text")


def read_usage(protocol: Protocol, body: Body) -> Usage:
    """Return how many tokens the vendor counted."""
    where, read, written = {
        Protocol.CHAT: ("usage", "prompt_tokens", "completion_tokens"),
        Protocol.RESPONSES: ("usage", "input_tokens", "output_tokens"),
        Protocol.MESSAGES: ("usage", "input_tokens", "output_tokens"),
        Protocol.GENERATE: ("usageMetadata", "promptTokenCount", "candidatesTokenCount"),
    }[protocol]
    counted = body[where]
    return Usage(input_tokens=counted[read], output_tokens=counted.get(written, 0))
