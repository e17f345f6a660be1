"""Bodies of Anthropic's as replies: the rare ones, which no scenario of a gateway sends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tierwise.domain import Message, Usage
from tierwise.providers import Answer, Failure, FailureKind, Request, Tool
from tierwise.providers.anthropic.reply import read_message, read_usage
from tierwise.providers.wire.failure import Asker, Response

REQUEST: Request[Any] = Request(messages=(Message(role="user", content="Where?"),))
ASKER = Asker(endpoint="https://api", key_env="KEY", key="sk-ant-secret", request=REQUEST)
MESSAGE = {
    "type": "message",
    "model": "claude-opus-5",
    "content": [{"type": "text", "text": "Here."}],
    "stop_reason": "end_turn",
}


def read(body: Any, *, status: int = 200, request: Request[Any] = REQUEST) -> Any:
    written = body if isinstance(body, bytes) else json.dumps(body).encode()
    response = Response(status=status, reason="", body=written)
    return read_message(response, request, ASKER, now=0.0)


def test_a_message_is_an_answer() -> None:
    """Text and model are taken from it; what was not counted is 0."""
    assert read(MESSAGE) == Answer(text="Here.", model="claude-opus-5")


@pytest.mark.parametrize("reason", ["end_turn", "stop_sequence", "tool_use", "one_of_tomorrow"])
def test_a_reply_that_ended_is_an_answer(reason: str) -> None:
    """Whatever ended it, and words of tomorrow are no failure."""
    assert isinstance(read(MESSAGE | {"stop_reason": reason}), Answer)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("max_tokens", "max_tokens was used up"),
        ("model_context_window_exceeded", "the context was used up"),
        ("pause_turn", "the vendor paused it"),
    ],
)
def test_a_reply_that_was_cut_off_says_by_what(reason: str, words: str) -> None:
    """Its text is kept."""
    reply = read(MESSAGE | {"stop_reason": reason})

    assert (reply.kind, reply.text) == (FailureKind.CUT_OFF, "Here.")
    assert words in reply.message


@pytest.mark.parametrize(
    "body", [b"<html>", b"", b"[]", b'"text"', b"null", {"type": "message"}, b"[" * 100_000]
)
def test_a_success_that_is_no_message_is_garbled(body: Any) -> None:
    """It is the wire's fault, and tried again."""
    reply = read(body)

    assert reply.kind is FailureKind.GARBLED
    assert reply.retryable


def test_an_error_that_came_as_a_success_is_an_error() -> None:
    """The body says what it is, whatever the status."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}

    reply = read(error)

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.UNAVAILABLE


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_use", "id": "t1", "input": {}},
        {"type": "tool_use", "id": "t1", "name": "look", "input": "{}"},
        {"type": "tool_use", "id": "t1", "name": "look"},
    ],
)
def test_half_a_tool_call_is_malformed(block: dict[str, Any]) -> None:
    """A call without a name or without an object of arguments is none."""
    request: Request[Any] = Request(messages=REQUEST.messages, tools=(Tool(name="look"),))

    reply = read(MESSAGE | {"content": [block]}, request=request)

    assert reply.kind is FailureKind.MALFORMED


def test_blocks_of_other_kinds_are_no_text() -> None:
    """Thoughts, and what a server's tool found, are not what the model said."""
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "eA=="},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "text", "text": "Here."},
    ]

    assert read(MESSAGE | {"content": blocks}) == Answer(text="Here.", model="claude-opus-5")


@pytest.mark.parametrize("details", [None, [], "x", {"explanation": None}, {"explanation": 5}])
def test_a_refusal_without_a_reason_is_a_refusal(details: Any) -> None:
    """The details may be missing or of another shape."""
    reply = read(MESSAGE | {"content": [], "stop_reason": "refusal", "stop_details": details})

    assert (reply.kind, reply.text) == (FailureKind.REFUSED, "")


@pytest.mark.parametrize("details", [None, [], "x", {}, {"error_code": 5}])
def test_details_of_another_shape_are_stepped_over(details: Any) -> None:
    """The status and the type tell enough."""
    error = {"type": "rate_limit_error", "message": "Slow down.", "details": details}

    assert read({"type": "error", "error": error}, status=429).kind is FailureKind.BUSY


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        (None, Usage()),
        ({}, Usage()),
        ([], Usage()),
        ({"input_tokens": 3, "output_tokens": 2}, Usage(input_tokens=3, output_tokens=2)),
        (
            {
                "input_tokens": 3,
                "cache_creation_input_tokens": 10,
                "cache_read_input_tokens": 100,
                "output_tokens": 7,
                "output_tokens_details": {"thinking_tokens": 5},
            },
            Usage(input_tokens=113, output_tokens=7, cached_input_tokens=100, reasoning_tokens=5),
        ),
        (
            {"output_tokens": 7, "output_tokens_details": {"thinking_tokens": 9}},
            Usage(output_tokens=7, reasoning_tokens=7),
        ),
        ({"input_tokens": -3, "output_tokens": True}, Usage()),
        ({"input_tokens": "3", "output_tokens": 1.5}, Usage()),
        ({"input_tokens": 10**13}, Usage()),
    ],
)
def test_tokens_are_read_as_ours(told: Any, usage: Usage) -> None:
    """Each token counts once, and nonsense counts for nothing."""
    assert read_usage(told) == usage
