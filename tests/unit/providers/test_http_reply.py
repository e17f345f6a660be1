from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from tierwise.domain import Message, ToolCall, Usage
from tierwise.providers import Answer, Failure, FailureKind, Request, Tool
from tierwise.providers.http.reply import read_reply, read_usage
from tierwise.providers.wire.failure import Asker, Response


class Note(BaseModel):
    text: str


def request(**fields: Any) -> Request[Any]:
    """Return a request with these fields."""
    return Request(messages=(Message(role="user", content="Where?"),), **fields)


def read(body: object, asked: Request[Any] | None = None, *, status: int = 200) -> Any:
    """Return the reply that a body is."""
    asked = asked or request()
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    response = Response(status=status, reason="", body=raw)
    asker = Asker(endpoint="http://h/v1", key_env="K", key="", request=asked)
    return read_reply(response, asked, asker, now=0.0)


def body(content: object = "here", finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    """Return a chat completion."""
    choice = {"message": {"content": content, **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return {"model": "m-1", "choices": [choice], "usage": usage}


def call(arguments: object, name: object = "look") -> dict[str, Any]:
    """Return a tool call as it is written on the wire."""
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


LOOK = (Tool(name="look"),)
USED = Usage(input_tokens=7, output_tokens=3)


def test_plain_text_is_an_answer() -> None:
    """Text, model and usage are the server's."""
    assert read(body()) == Answer(text="here", usage=USED, model="m-1")


def test_a_schema_gets_its_data() -> None:
    """JSON of the schema is an instance of it, and the text stays as it came."""
    reply = read(body('{"text": "x"}'), request(schema=Note))
    assert (reply.text, reply.data, reply.usage) == ('{"text": "x"}', Note(text="x"), USED)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("no json", FailureKind.MALFORMED),
        ('```json\n{"text": "x"}\n```', FailureKind.MALFORMED),
        (None, FailureKind.MALFORMED),
        ('{"text": 5}', FailureKind.SCHEMA_MISMATCH),
    ],
)
def test_what_breaks_the_schema_is_a_failure_that_keeps_text_and_usage(
    content: str | None, kind: FailureKind
) -> None:
    """The model's own doing was paid for: what it said and cost is kept."""
    reply = read(body(content), request(schema=Note))
    assert (reply.kind, reply.text, reply.usage, reply.model) == (kind, content or "", USED, "m-1")


@pytest.mark.parametrize("finish", ["length", "max_tokens", "model_length"])
@pytest.mark.parametrize("schema", [None, Note])
def test_a_reply_that_was_cut_off_is_no_answer(
    finish: str, schema: type[BaseModel] | None
) -> None:
    """Even when what came happens to be whole: the model was not done."""
    reply = read(body('{"text": "x"}', finish), request(schema=schema))
    assert (reply.kind, reply.text, reply.usage) == (FailureKind.CUT_OFF, '{"text": "x"}', USED)


def test_without_a_reason_a_reply_as_long_as_its_limit_is_cut_off() -> None:
    """A server that does not say why a reply ended is believed up to the limit."""
    assert read(body(finish=None), request(max_tokens=3)).kind is FailureKind.CUT_OFF
    assert isinstance(read(body(finish=None), request(max_tokens=4)), Answer)
    assert isinstance(read(body(finish="eos"), request(max_tokens=3)), Answer)
    assert isinstance(read(body(finish=None)), Answer)


def test_a_refusal_keeps_its_words() -> None:
    """`refusal` beside no content is what the model said."""
    reply = read(body(None, refusal="I must not."), request(schema=Note))
    assert (reply.kind, reply.text, reply.usage) == (FailureKind.REFUSED, "I must not.", USED)


def test_a_content_filter_keeps_what_was_said_before_it() -> None:
    """Text that a filter cut is no answer."""
    reply = read(body("half a", "content_filter"))
    assert (reply.kind, reply.text) == (FailureKind.REFUSED, "half a")


def test_tool_calls_are_read() -> None:
    """Name, arguments and identifier come back; content may be missing beside them."""
    reply = read(body(None, "tool_calls", tool_calls=[call('{"at": 1}')]), request(tools=LOOK))
    assert reply.text == ""
    assert reply.tool_calls == (ToolCall(id="c1", name="look", arguments={"at": 1}),)
    assert reply.usage == USED


@pytest.mark.parametrize("arguments", ["", " ", None, {}, "{}"])
def test_no_arguments_are_an_empty_mapping(arguments: object) -> None:
    """Vendors write a call without arguments in many ways."""
    reply = read(body(None, tool_calls=[call(arguments)]), request(tools=LOOK))
    assert reply.tool_calls[0].arguments == {}


def test_arguments_that_are_an_object_already_are_taken() -> None:
    """Some servers do not write them as text."""
    reply = read(body(None, tool_calls=[call({"at": 1})]), request(tools=LOOK))
    assert reply.tool_calls[0].arguments == {"at": 1}


@pytest.mark.parametrize("arguments", ['{"at": ', "[1]", "5", [1], 5])
def test_arguments_that_are_no_object_are_malformed(arguments: object) -> None:
    """The text of the arguments is kept, and the usage."""
    reply = read(body("so", tool_calls=[call(arguments)]), request(tools=LOOK))
    said = arguments if isinstance(arguments, str) else json.dumps(arguments)
    assert (reply.kind, reply.text, reply.usage) == (FailureKind.MALFORMED, said, USED)
    assert "'look'" in reply.message


@pytest.mark.parametrize("wish", [call("{}", None), {"id": "c1"}, {"function": "look"}, "look"])
def test_a_tool_call_without_a_name_is_malformed(wish: object) -> None:
    """Whatever a server sends as a call, reading it never raises."""
    assert read(body(None, tool_calls=[wish]), request(tools=LOOK)).kind is FailureKind.MALFORMED


def test_a_tool_that_nobody_offered_is_a_mismatch() -> None:
    """As with doubles: the message names the tool and what was offered."""
    reply = read(body("so", tool_calls=[call("{}", "fly")]), request(tools=LOOK))
    assert (reply.kind, reply.text, reply.usage) == (FailureKind.SCHEMA_MISMATCH, "so", USED)
    assert "'fly'" in reply.message
    assert "look" in reply.message


def test_a_tool_call_in_place_of_the_data_is_malformed() -> None:
    """A request with a schema promises data; the message says how to ask for a tool."""
    reply = read(body(None, tool_calls=[call("{}")]), request(tools=LOOK, schema=Note))
    assert (reply.kind, reply.usage) == (FailureKind.MALFORMED, USED)
    assert "'look'" in reply.message
    assert "not with both" in reply.message
    both = read(body('{"text": "x"}', tool_calls=[call("{}")]), request(tools=LOOK, schema=Note))
    assert (both.data, len(both.tool_calls)) == (Note(text="x"), 1)


def test_content_in_parts_is_joined() -> None:
    """Some vendors write text as a list of parts; what is no text is left out."""
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, "x", {"text": "b"}]
    assert read(body(parts)).text == "ab"


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (b"", "no JSON"),
        (b"<html>", "no JSON"),
        (b'{"choices": [{"mess', "no JSON"),
        (b'{"a": "\xff"}', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        ([], "no choices"),
        ({}, "no choices"),
        ({"choices": []}, "no choices"),
        ({"choices": None}, "no choices"),
        ({"choices": "x"}, "no choices"),
        ({"choices": [None]}, "no choices"),
        ({"choices": [{}]}, "no message"),
        ({"choices": [{"message": "x"}]}, "no message"),
        ({"choices": [{"message": {"content": 5}}]}, "content that is no text"),
    ],
)
def test_a_body_that_is_no_completion_is_garbled(found: object, problem: str) -> None:
    """The wire's fault, not the model's: it can be retried, and is never scored."""
    reply = read(found)
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED
    assert problem in reply.message


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        ({"error": {"code": "rate_limit_exceeded", "message": "m"}}, FailureKind.BUSY),
        ({"error": {"code": 503, "message": "m"}}, FailureKind.UNAVAILABLE),
        ({"error": {"message": "m"}, "choices": []}, FailureKind.UNAVAILABLE),
        ({"error": "m"}, FailureKind.UNAVAILABLE),
        ({"choices": [{"error": {"code": 429}, "message": {}}]}, FailureKind.BUSY),
        (
            {"choices": [{"message": {"content": "x"}, "finish_reason": "error"}]},
            FailureKind.UNAVAILABLE,
        ),
    ],
)
def test_an_error_in_a_success_is_an_error(found: object, kind: FailureKind) -> None:
    """HTTP 200 with an error body is read by the error, and is no answer."""
    assert read(found).kind is kind


def test_an_error_of_null_beside_an_answer_is_none() -> None:
    """Some servers always send the field."""
    found = body()
    found["error"] = found["choices"][0]["error"] = None
    assert read(found).text == "here"


def test_a_status_of_error_is_never_an_answer() -> None:
    """Whatever the body of a 500 looks like."""
    assert read(body(), status=500).kind is FailureKind.UNAVAILABLE


@pytest.mark.parametrize(
    ("counted", "usage"),
    [
        (None, Usage()),
        ("many", Usage()),
        ({"prompt_tokens": 5}, Usage(input_tokens=5)),
        ({"prompt_tokens": -5, "completion_tokens": True}, Usage()),
        ({"prompt_tokens": "5", "completion_tokens": None}, Usage()),
        (
            {
                "prompt_tokens": 50,
                "completion_tokens": 30,
                "total_tokens": 80,
                "prompt_tokens_details": {"cached_tokens": 40},
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(input_tokens=50, output_tokens=30, cached_input_tokens=40, reasoning_tokens=20),
        ),
        (
            {
                "prompt_tokens": 50,
                "completion_tokens": 10,
                "total_tokens": 80,
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(input_tokens=50, output_tokens=30, reasoning_tokens=20),
        ),
        (
            {"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 80},
            Usage(input_tokens=50, output_tokens=30, reasoning_tokens=20),
        ),
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 8},
            Usage(input_tokens=9, output_tokens=2, cached_input_tokens=8),
        ),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 3,
                "prompt_tokens_details": {"cached_tokens": 9},
                "completion_tokens_details": {"reasoning_tokens": 9},
            },
            Usage(input_tokens=5, output_tokens=3, cached_input_tokens=5, reasoning_tokens=3),
        ),
    ],
)
def test_cached_and_thought_tokens_are_parts(counted: object, usage: Usage) -> None:
    """They are told apart and never counted twice, whichever way a vendor adds up."""
    assert read_usage(counted) == usage
    assert usage.cached_input_tokens <= usage.input_tokens
    assert usage.reasoning_tokens <= usage.output_tokens
