from __future__ import annotations

import json
from typing import Any

import pytest

from tierwise.domain import Message, ToolCall
from tierwise.errors import MisuseError
from tierwise.providers import Request, Tool
from tierwise.providers.http.body import Asking

USER = Message(role="user", content="Where?")


def form(asking: Asking, response_format: Any = None, **fields: Any) -> dict[str, Any]:
    """Return the body of a request with these fields."""
    request: Request[Any] = Request(messages=(USER,), **fields)
    found: dict[str, Any] = json.loads(asking.form_body(request, response_format))
    return found


def test_what_the_request_leaves_out_is_left_out() -> None:
    """A bare request is model and messages: the server's defaults hold."""
    assert form(Asking(model="m")) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Where?"}],
    }


def test_parameters_are_passed_zero_included() -> None:
    """Temperature, limit and seed arrive under the names that servers know."""
    body = form(Asking(model="m"), temperature=0.0, max_tokens=5, seed=0)
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0.0, 5, 0)


def test_the_limit_can_have_its_newer_name() -> None:
    """Some models refuse `max_tokens`."""
    body = form(Asking(model="m", max_tokens_as="max_completion_tokens"), max_tokens=5)
    assert body["max_completion_tokens"] == 5
    assert "max_tokens" not in body


def test_options_are_sent_and_the_request_wins() -> None:
    """An option is a default: what a request asks for goes before it."""
    asking = Asking(model="m", options={"top_p": 0.5, "temperature": 1.0})
    body = form(asking, temperature=0.2)
    assert (body["top_p"], body["temperature"]) == (0.5, 0.2)
    assert form(asking)["temperature"] == 1.0


def test_tools_and_their_calls_are_written_as_chat_completions_do() -> None:
    """Tools are functions, arguments are text, and a tool's result names its call."""
    messages = (
        USER,
        Message(
            role="assistant",
            content="",
            tool_calls=(ToolCall(id="c1", name="look", arguments={"at": 1}),),
        ),
        Message(role="tool", content="here", tool_call_id="c1"),
    )
    tools = (
        Tool(name="look", description="Looks.", parameters={"type": "object"}),
        Tool(name="go"),
    )
    request: Request[Any] = Request(messages=messages, tools=tools)
    body = json.loads(Asking(model="m").form_body(request, None))
    call = body["messages"][1]["tool_calls"][0]
    assert call["id"] == "c1"
    assert json.loads(call["function"]["arguments"]) == {"at": 1}
    assert body["messages"][2]["tool_call_id"] == "c1"
    assert body["tools"][0]["function"] == {
        "name": "look",
        "description": "Looks.",
        "parameters": {"type": "object"},
    }
    assert body["tools"][1]["function"]["parameters"]["type"] == "object"


def test_a_response_format_is_put_in() -> None:
    """A schema goes out as `response_format`."""
    assert form(Asking(model="m"), {"type": "json_schema"})["response_format"] == {
        "type": "json_schema"
    }


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"model": " "}, "needs the name of a model"),
        ({"model": "m", "max_tokens_as": "max_token"}, "Did you mean 'max_tokens'"),
        ({"model": "m", "options": {"stream": True, "model": "x"}}, "'model', 'stream'"),
        ({"model": "m", "options": {"n": 2}}, "fills in itself"),
    ],
)
def test_what_can_not_be_asked_is_refused(fields: dict[str, Any], words: str) -> None:
    """A field that the provider fills in itself, or an unknown name, is no option."""
    with pytest.raises(MisuseError, match=words):
        Asking(**fields)
