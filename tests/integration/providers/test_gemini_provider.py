"""Gemini's provider against Gemini in a box: each reply compared whole."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pydantic
import pytest

from tierwise.domain import Message, ToolCall, Usage
from tierwise.errors import MisuseError
from tierwise.gateway import Account, Say, Stop
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    GeminiProvider,
    Request,
    Tool,
    provider_from_spec,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.clock import VirtualClock
    from tierwise.gateway import Gateway

    Make = Callable[..., GeminiProvider]

MODEL = "gemini-2.5-flash"
NEW = "gemini-3.8-flash"
HOST = "gemini.localhost"
URL = f"http://{HOST}"
KEY = "AIzaSyA-not-a-key-of-anybody-at-all-000"
WEATHER = Tool(
    name="weather",
    description="Tells the weather.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
)


class Note(pydantic.BaseModel):
    """What is asked for as JSON."""

    title: str
    stars: int = pydantic.Field(ge=1, le=5)


@pytest.fixture
def make(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return a maker of providers that ask the gateway, with the one key that it accepts."""
    gateway.configure(hosts={HOST: "gemini"}, account=Account(keys=frozenset({KEY})))
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", KEY)

    def make(**settings: Any) -> GeminiProvider:
        return GeminiProvider(
            settings.pop("model", MODEL), **({"base_url": URL, "real": False} | settings)
        )

    return make


def ask(prompt: str = "Where is it?", **fields: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content=prompt),), **fields)


def plain(reply: Any) -> Any:
    """Return a reply without the time that it took."""
    assert reply.latency_s >= 0
    return replace(reply, latency_s=0.0)


async def test_a_text_is_an_answer(gateway: Gateway, make: Make) -> None:
    """Text, tokens and model are the vendor's, and the whole request is what was asked."""
    usage = Usage(input_tokens=12, output_tokens=3)
    gateway.when(model=MODEL).say("Here.", usage=usage)

    reply = await make().generate(
        Request(
            messages=(
                Message(role="system", content="Be brief."),
                Message(role="system", content="Be kind."),
                Message(role="user", content="Where is it?"),
            ),
            temperature=0.5,
            max_tokens=50,
            seed=2**31 + 7,
        )
    )

    assert plain(reply) == Answer(text="Here.", usage=usage, model=MODEL)
    assert gateway.requests.only().json == {
        "contents": [{"role": "user", "parts": [{"text": "Where is it?"}]}],
        "systemInstruction": {"role": "user", "parts": [{"text": "Be brief.\nBe kind."}]},
        "generationConfig": {"temperature": 0.5, "maxOutputTokens": 50, "seed": 7},
    }


async def test_the_sdk_speaks_for_itself(gateway: Gateway, make: Make) -> None:
    """Key, path and user agent go out as the SDK sends them."""
    gateway.when().say("Here.")

    await make().generate(ask())

    sent = gateway.requests.only().raw
    assert sent.headers["x-goog-api-key"] == KEY
    assert "google-genai-sdk" in sent.headers["user-agent"]
    assert sent.path == f"/v1/models/{MODEL}:generateContent"


async def test_a_version_in_the_address_is_kept(gateway: Gateway, make: Make) -> None:
    """An address may end in the version that is meant."""
    gateway.when().say("Here.")

    await make(base_url=f"{URL}/v1beta").generate(ask())

    assert gateway.requests.only().raw.path.startswith("/v1beta/models/")


async def test_a_schema_is_structured_output(gateway: Gateway, make: Make) -> None:
    """The schema goes out as a JSON schema, and comes back as an instance."""
    usage = Usage(input_tokens=5, output_tokens=9)
    gateway.when(schema=True).say('{"title": "Rom", "stars": 3}', usage=usage)

    reply = await make().generate(ask(schema=Note))

    assert plain(reply) == Answer(
        text='{"title": "Rom", "stars": 3}',
        data=Note(title="Rom", stars=3),
        usage=usage,
        model=MODEL,
    )
    config = gateway.requests.only().json["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"]["required"] == ["title", "stars"]
    assert config["responseJsonSchema"]["properties"]["stars"] == {
        "maximum": 5,
        "minimum": 1,
        "title": "Stars",
        "type": "integer",
    }


async def test_options_are_fields_of_the_config(gateway: Gateway, make: Make) -> None:
    """Further fields are sent, and the request's own stand beside them."""
    gateway.when().say("Here.")
    options = {"top_p": 0.9, "thinking_config": {"thinking_budget": 0}}

    await make(options=options).generate(ask(max_tokens=9))

    assert gateway.requests.only().json["generationConfig"] == {
        "topP": 0.9,
        "thinkingConfig": {"thinking_budget": 0},
        "maxOutputTokens": 9,
    }
    assert options == {"top_p": 0.9, "thinking_config": {"thinking_budget": 0}}


async def test_tool_calls_are_wishes(gateway: Gateway, make: Make) -> None:
    """Names, arguments and ids come back in order, beside what was said."""
    gateway.when(tool="weather").say("I look.").call(
        "weather", {"city": "Rom"}, call_id="t1"
    ).call("weather", {"city": "Bonn"}, call_id="t2")

    reply = await make().generate(ask(tools=(WEATHER, Tool(name="bare"))))

    assert isinstance(reply, Answer)
    assert reply.text == "I look."
    assert reply.tool_calls == (
        ToolCall(name="weather", arguments={"city": "Rom"}, id="t1"),
        ToolCall(name="weather", arguments={"city": "Bonn"}, id="t2"),
    )
    declared = gateway.requests.only().json["tools"][0]["functionDeclarations"]
    assert [one["name"] for one in declared] == ["weather", "bare"]
    assert "parametersJsonSchema" not in declared[1]


async def test_results_of_tools_make_one_turn(gateway: Gateway, make: Make) -> None:
    """Results go back together, each with the name and the id of its call."""
    gateway.when().say("Sunny in both.")
    calls = tuple(
        ToolCall(name=f"weather_{one}", arguments={"city": one}, id=one) for one in ("a", "b")
    )

    reply = await make().generate(
        Request(
            messages=(
                Message(role="user", content="Weather?"),
                Message(role="assistant", content="", tool_calls=calls),
                Message(role="tool", content='{"sky": "sun"}', tool_call_id="b"),
                Message(role="tool", content="sun too", tool_call_id="a"),
                Message(role="user", content="So?"),
            ),
        )
    )

    assert isinstance(reply, Answer), reply
    contents = gateway.requests.only().json["contents"]
    assert [turn["role"] for turn in contents] == ["user", "model", "user", "user"]
    results = [part["functionResponse"] for part in contents[2]["parts"]]
    assert [(one["id"], one["name"], one["response"]) for one in results] == [
        ("b", "weather_b", {"sky": "sun"}),
        ("a", "weather_a", {"result": "sun too"}),
    ]


async def test_results_without_ids_go_by_their_order(gateway: Gateway, make: Make) -> None:
    """Models that give no ids want their calls answered in order."""
    gateway.when().say("Fine.")
    calls = tuple(ToolCall(name=name, arguments={}) for name in ("one", "two"))

    await make().generate(
        Request(
            messages=(
                Message(role="user", content="Both?"),
                Message(role="assistant", content="I look.", tool_calls=calls),
                Message(role="tool", content="1"),
                Message(role="tool", content="2"),
            ),
        )
    )

    contents = gateway.requests.only().json["contents"]
    results = [part["functionResponse"] for part in contents[2]["parts"]]
    assert [(one["name"], one["response"]["result"]) for one in results] == [
        ("one", "1"),
        ("two", "2"),
    ]
    assert contents[1]["parts"][0] == {"text": "I look."}


async def test_signatures_go_back_with_the_calls(gateway: Gateway, make: Make) -> None:
    """Newer models refuse calls without theirs; it is kept, and sent where the call is."""
    gateway.when(tool_result=False).call("weather", {"city": "Rom"})
    gateway.when(tool_result=True).say("Sunny.")
    provider = make(model=NEW)
    first = await provider.generate(ask(tools=(WEATHER,)))
    assert isinstance(first, Answer)
    call = first.tool_calls[0]

    second = await provider.generate(
        Request(
            messages=(
                Message(role="user", content="Where is it?"),
                Message(role="assistant", content="", tool_calls=(call,)),
                Message(role="tool", content="sun", tool_call_id=call.id),
            ),
            tools=(WEATHER,),
        )
    )

    assert isinstance(second, Answer), second
    said = gateway.requests[0].response.body
    part = gateway.requests[1].json["contents"][1]["parts"][0]
    assert part["thoughtSignature"].encode() in said


async def test_calls_from_elsewhere_are_let_through(gateway: Gateway, make: Make) -> None:
    """What another model called has no signature; what Google documents for that is sent."""
    gateway.when().say("Sunny.")
    call = ToolCall(name="weather", arguments={}, id="elsewhere")
    messages = (
        Message(role="user", content="Where is it?"),
        Message(role="assistant", content="", tool_calls=(call,)),
        Message(role="tool", content="sun", tool_call_id="elsewhere"),
    )

    for model in (NEW, MODEL):
        reply = await make(model=model).generate(Request(messages=messages))
        assert isinstance(reply, Answer), reply

    signed = [
        "thoughtSignature" in one.json["contents"][1]["parts"][0] for one in gateway.requests
    ]
    assert signed == [True, False]


async def test_tokens_are_counted_once(gateway: Gateway, make: Make) -> None:
    """Cached tokens are part of those read, thought ones part of those written."""
    usage = Usage(input_tokens=100, output_tokens=30, cached_input_tokens=60, reasoning_tokens=20)
    gateway.when().say("Four.", thinking="Two and two.", usage=usage)

    reply = await make(options={"thinking_config": {"include_thoughts": True}}).generate(ask())

    assert reply.usage == usage
    assert reply.usage.total_tokens == 130
    assert isinstance(reply, Answer)
    assert reply.text == "Four."


async def test_results_of_googles_own_tools_were_read(gateway: Gateway, make: Make) -> None:
    """They are counted beside the prompt, and are part of what was read here."""
    told = {"promptTokenCount": 10, "toolUsePromptTokenCount": 50, "candidatesTokenCount": 5}
    gateway.when().say("Four.", extra={"usageMetadata": told})

    reply = await make().generate(ask())

    assert reply.usage == Usage(input_tokens=60, output_tokens=5)


@pytest.mark.parametrize("told", [None, [], {"promptTokenCount": "many"}, {"totalTokenCount": 9}])
async def test_what_was_not_counted_is_0(gateway: Gateway, make: Make, told: Any) -> None:
    """A count that is none is no error."""
    gateway.when().say("Four.", extra={"usageMetadata": told})

    assert (await make().generate(ask())).usage == Usage()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, FailureKind.BAD_REQUEST),
        (401, FailureKind.AUTH),
        (403, FailureKind.NO_ENTITLEMENT),
        (404, FailureKind.NOT_FOUND),
        (409, FailureKind.UNAVAILABLE),
        (410, FailureKind.RETIRED),
        (413, FailureKind.BAD_REQUEST),
        (422, FailureKind.BAD_REQUEST),
        (429, FailureKind.BUSY),
        (500, FailureKind.UNAVAILABLE),
        (502, FailureKind.UNAVAILABLE),
        (503, FailureKind.UNAVAILABLE),
        (504, FailureKind.UNAVAILABLE),
        (529, FailureKind.UNAVAILABLE),
    ],
)
async def test_each_status_has_its_kind(
    gateway: Gateway, make: Make, status: int, kind: FailureKind
) -> None:
    """One request is sent, whatever the kind: retrying is the engine's."""
    gateway.when().fail(status)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is kind
    assert f"{URL}/v1/models/{MODEL}:generateContent answered {status}" in reply.message
    assert (reply.model, reply.retry_after_s, reply.attempts) == (MODEL, None, 1)
    assert len(gateway.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_the_delay_of_retry_info_is_read(gateway: Gateway, make: Make, status: int) -> None:
    """Gemini says in the body how long to leave it alone."""
    gateway.when().fail(status, retry_after_s=36.5)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.retry_after_s, reply.retryable) == (36.5, True)


async def test_a_retry_after_in_front_is_read_too(gateway: Gateway, make: Make) -> None:
    """A proxy may write the header; that one is nearer."""
    gateway.when().fail(429, retry_after_s=36.5, headers=(("retry-after", "7"),))

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.retry_after_s == 7.0


async def test_a_delay_of_a_request_of_ours_is_not_read(gateway: Gateway, make: Make) -> None:
    """No waiting makes a wrong request right."""
    gateway.when().fail(400, retry_after_s=7)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.retry_after_s is None


@pytest.mark.parametrize("delay", ["soon", "s", "nans", "infs", 5, None])
async def test_a_delay_that_is_none(gateway: Gateway, make: Make, delay: Any) -> None:
    """RetryInfo without seconds says nothing."""
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [info, "x"]}
    body = pydantic.TypeAdapter(dict[str, Any]).dump_json({"error": error})
    gateway.when().fail(429, body=body)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.kind, reply.retry_after_s) == (FailureKind.BUSY, None)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"status": 400, "code": "API_KEY_INVALID"}, FailureKind.AUTH),
        ({"status": 403, "code": "SERVICE_DISABLED"}, FailureKind.NO_ENTITLEMENT),
        ({"status": 403, "code": "SOMETHING_ELSE"}, FailureKind.NO_ENTITLEMENT),
        ({"status": 400, "code": "SOMETHING_ELSE"}, FailureKind.BAD_REQUEST),
        (
            {"status": 400, "message": "User location is not supported for the API use."},
            FailureKind.NO_ENTITLEMENT,
        ),
        (
            {"status": 404, "message": "This model models/a is no longer available."},
            FailureKind.RETIRED,
        ),
    ],
)
async def test_a_cause_is_read_beside_the_status(
    gateway: Gateway, make: Make, fault: dict[str, Any], kind: FailureKind
) -> None:
    """A wrong key comes as a bad request, and is told by its reason."""
    gateway.when().fail(**fault)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is kind


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"status": 400, "message": "contents[0]: API_KEY_INVALID is a text"}, "bad_request"),
        ({"status": 400, "message": "tools[0].name: rate_limit_429 is taken"}, "bad_request"),
        ({"status": 400, "message": "He said: User location is not supported"}, "bad_request"),
        ({"status": 503, "message": "User location is not supported"}, "unavailable"),
        ({"status": 429, "message": "API key not valid, says the log"}, "busy"),
        ({"status": 500, "message": "quota exceeded, please check billing"}, "unavailable"),
    ],
)
async def test_words_that_only_look_like_a_cause_are_none(
    gateway: Gateway, make: Make, fault: dict[str, Any], kind: str
) -> None:
    """A message is free text: what it mentions in passing classifies nothing."""
    gateway.when().fail(**fault)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind == kind


async def test_a_refusal_is_the_models_own(gateway: Gateway, make: Make) -> None:
    """What was said, or why not, is kept to be scored."""
    gateway.when().say(refusal="I can't help with that.", usage=Usage(output_tokens=4))

    reply = await make().generate(ask())

    assert plain(reply) == Failure(
        kind=FailureKind.REFUSED,
        message="The model refused to answer (SAFETY).",
        text="I can't help with that.",
        usage=Usage(output_tokens=4),
        model=MODEL,
    )


async def test_a_blocked_prompt_is_refused(gateway: Gateway, make: Make) -> None:
    """There is no candidate, and the prompt was read."""
    usage = Usage(input_tokens=4)
    gateway.when().say(stop=Stop.FILTERED, refusal="Not this.", usage=usage)

    reply = await make().generate(ask())

    assert plain(reply) == Failure(
        kind=FailureKind.REFUSED,
        message="The prompt was blocked (SAFETY).",
        text="Not this.",
        usage=usage,
        model=MODEL,
    )


@pytest.mark.parametrize("stop", [Stop.LENGTH, Stop.PAUSED])
async def test_a_reply_that_did_not_end_is_cut_off(
    gateway: Gateway, make: Make, stop: Stop
) -> None:
    """Half a text is no answer, even where it would parse; a pause is not gone on with."""
    gateway.when().say('{"title": "Rom", "stars": 3}', stop=stop)

    reply = await make().generate(ask(schema=Note))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.CUT_OFF
    assert reply.text == '{"title": "Rom", "stars": 3}'
    assert len(gateway.requests) == 1


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("RECITATION", FailureKind.REFUSED),
        ("PROHIBITED_CONTENT", FailureKind.REFUSED),
        ("MALFORMED_FUNCTION_CALL", FailureKind.MALFORMED),
        ("UNEXPECTED_TOOL_CALL", FailureKind.MALFORMED),
        ("OTHER", FailureKind.UNAVAILABLE),
        ("A_NEW_ONE", FailureKind.UNAVAILABLE),
    ],
)
async def test_each_reason_has_its_kind(
    gateway: Gateway, make: Make, reason: str, kind: FailureKind
) -> None:
    """A reason that nobody knows is no success."""
    candidate = {"content": {"role": "model", "parts": [{"text": "so"}]}, "finishReason": reason}
    gateway.when().say("x", extra={"candidates": [candidate]})

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.kind, reply.text) == (kind, "so")
    assert reason in reply.message


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Rom is nice.", FailureKind.MALFORMED),
        ("", FailureKind.MALFORMED),
        ('{"title": "Rom"', FailureKind.MALFORMED),
        ('{"title": "Rom"}', FailureKind.SCHEMA_MISMATCH),
        ('{"title": "Rom", "stars": "3"}', FailureKind.SCHEMA_MISMATCH),
        ('{"title": "Rom", "stars": 6}', FailureKind.SCHEMA_MISMATCH),
    ],
)
async def test_a_text_that_breaks_the_schema_is_no_answer(
    gateway: Gateway, make: Make, text: str, kind: FailureKind
) -> None:
    """The text is kept, data is not made of it."""
    gateway.when().say(text)

    reply = await make().generate(ask(schema=Note))

    assert isinstance(reply, Failure)
    assert (reply.kind, reply.text) == (kind, text)


async def test_json_stays_text_without_a_schema(gateway: Gateway, make: Make) -> None:
    """What only looks like data is what the model said."""
    gateway.when().say('{"title": "Rom", "stars": 3}')

    reply = await make().generate(ask())

    assert isinstance(reply, Answer)
    assert (reply.text, reply.data) == ('{"title": "Rom", "stars": 3}', None)


async def test_a_call_where_data_was_asked_for(gateway: Gateway, make: Make) -> None:
    """A wish is no data."""
    gateway.when().call("weather", {"city": "Rom"})

    reply = await make(model=NEW).generate(ask(tools=(WEATHER,), schema=Note))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.MALFORMED
    assert "'weather' where Note was asked for" in reply.message


async def test_a_tool_that_nobody_offered_is_a_mismatch(gateway: Gateway, make: Make) -> None:
    """A wish for something else is the model's fault."""
    gateway.when().call("wether", {"city": "Rom"})

    reply = await make().generate(ask(tools=(WEATHER,)))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.SCHEMA_MISMATCH


@pytest.mark.parametrize("call", [{"args": {}}, {"name": "weather", "args": "Rom"}, "weather"])
async def test_a_call_that_is_none_is_malformed(gateway: Gateway, make: Make, call: Any) -> None:
    """A call has a name, and args that are an object."""
    content = {"role": "model", "parts": [{"functionCall": call}]}
    candidate = {"content": content, "finishReason": "STOP"}
    gateway.when().say("x", extra={"candidates": [candidate]})

    reply = await make().generate(ask(tools=(WEATHER,)))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.MALFORMED


@pytest.mark.parametrize("fault", ["malformed_body", "truncate"])
async def test_a_body_that_ends_in_the_middle_is_garbled(
    gateway: Gateway, make: Make, fault: str
) -> None:
    """A whole response with half of the JSON is the wire's fault."""
    getattr(gateway.when().say("Here."), fault)()

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED


@pytest.mark.parametrize("body", [b"<html>upstream</html>", b"[]", b"null", b"", b"\xff\xfe"])
async def test_an_error_without_the_vendors_words_goes_by_its_status(
    gateway: Gateway, make: Make, body: bytes
) -> None:
    """What a proxy writes in place of the vendor is shown, and is no answer."""
    gateway.when().fail(503, body=body)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.UNAVAILABLE


async def test_an_error_that_is_no_text_is_garbled(gateway: Gateway, make: Make) -> None:
    """The SDK reads errors before it shows them, and gives up on bytes of no encoding."""
    gateway.when().fail(503, body=b'\xff{"error": 1}')

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.kind, reply.retryable) == (FailureKind.GARBLED, True)


async def test_an_error_under_a_status_of_success(gateway: Gateway, make: Make) -> None:
    """An error is one, whatever came before it."""
    error = {"code": 503, "status": "UNAVAILABLE", "message": "Later."}
    gateway.when().say("x", extra={"error": error})

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.UNAVAILABLE


_ENDED = {"finishReason": "STOP"}


@pytest.mark.parametrize(
    "candidates",
    [
        None,
        [],
        ["Here."],
        {"a": 1},
        [{"content": {"parts": [{"text": "Here."}]}}],
        [{**_ENDED, "content": "Here."}],
        [{**_ENDED, "content": {"parts": "Here."}}],
        [{**_ENDED, "content": {"parts": ["Here."]}}],
    ],
)
async def test_a_body_without_an_answer_is_garbled(
    gateway: Gateway, make: Make, candidates: Any
) -> None:
    """JSON without candidates, without parts or without a reason is no answer."""
    gateway.when().say("Here.", extra={"candidates": candidates})

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED


@pytest.mark.parametrize("fault", ["cut", "reset"])
async def test_a_connection_that_is_lost_is_unavailable(
    gateway: Gateway, make: Make, fault: str
) -> None:
    """Neither half a body nor none is an answer, and the SDK does not try again."""
    getattr(gateway.when().say("Here."), fault)()

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.UNAVAILABLE
    assert "gave no answer" in reply.message
    assert len(gateway.requests) == 1


async def test_what_takes_too_long_is_a_timeout(gateway: Gateway, make: Make) -> None:
    """The call ends at its limit, whatever the vendor does."""
    gateway.when().say("Here.").stall(after=5)

    reply = await make(timeout_s=0.5).generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.TIMEOUT
    assert "longer than 0.5 s" in reply.message


async def test_a_server_that_trickles_takes_too_long(
    gateway: Gateway, make: Make, clock: VirtualClock
) -> None:
    """The limit is for the whole call: a byte now and then does not put it off."""
    gateway.configure(hosts={}, allow_hosts=("127.0.0.1",))
    is_over = asyncio.Event()

    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            for _ in range(60):
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(2)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        is_over.set()

    server = await asyncio.start_server(trickle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, make(base_url=f"http://127.0.0.1:{port}", timeout_s=30) as provider:
        reply = await provider.generate(ask())
        await is_over.wait()

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.TIMEOUT


async def test_a_call_that_is_cancelled_raises(gateway: Gateway, make: Make) -> None:
    """Cancelling is the caller's, and is neither a timeout nor a failure."""
    gateway.configure(real_time=True)
    gateway.when().say("Here.").slow(before_s=20)
    call = asyncio.create_task(make().generate(ask()))
    await asyncio.sleep(0.05)

    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call


async def test_replies_are_not_mixed_up(gateway: Gateway, make: Make) -> None:
    """As many calls run at once as are made, each with its own answer."""
    gateway.when().answer(lambda asked: f"to {asked.last_user}")
    provider = make()

    replies = await asyncio.gather(*(provider.generate(ask(str(n))) for n in range(20)))

    assert [reply.text for reply in replies] == [f"to {n}" for n in range(20)]


def test_a_provider_outlives_its_loops(gateway: Gateway, make: Make) -> None:
    """Each loop has a client of its own, which ends with it."""
    gateway.when().say("Here.")
    provider = make()

    for _ in range(2):
        assert asyncio.run(provider.generate(ask())).text == "Here."
    provider.close()


async def test_a_closed_provider_can_be_asked_again(gateway: Gateway, make: Make) -> None:
    """Closing ends connections, not the provider."""
    gateway.when().say("Here.")
    async with make() as provider:
        first = await provider.generate(ask())
    second = await provider.generate(ask())

    assert (first.text, second.text) == ("Here.", "Here.")


async def test_a_missing_key_is_told_before_anything_is_sent(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure names the variables, and what to do."""
    monkeypatch.delenv("GEMINI_API_KEY")

    reply = await make().generate(ask())

    assert plain(reply) == Failure(
        kind=FailureKind.AUTH,
        message=f"gemini:{MODEL} was not asked: GEMINI_API_KEY or GOOGLE_API_KEY is not set. Set "
        "it to a key, or name the variable that has one by key_env.",
        model=MODEL,
    )
    assert len(gateway.requests) == 0


async def test_a_key_is_read_at_each_call(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was renewed meanwhile is used; a wrong one is told by its variable."""
    gateway.when().say("Here.")
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-an-older-one-of-nobody")
    provider = make()
    first = await provider.generate(ask())
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    second = await provider.generate(ask())

    assert isinstance(first, Failure)
    assert first.kind is FailureKind.AUTH
    assert second.text == "Here."


@pytest.mark.parametrize("settings", [{"key_env": "HOUSE_KEY"}, {}], ids=["named", "found"])
async def test_other_variables_can_hold_the_key(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    """`key_env` names one; without it the order is the SDK's."""
    gateway.when().say("Here.")
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-of-somebody-else-entirely")
    monkeypatch.setenv(settings.get("key_env", "GOOGLE_API_KEY"), KEY)

    assert (await make(**settings).generate(ask())).text == "Here."


@pytest.mark.parametrize("status", [400, 401, 403, 500])
async def test_no_failure_shows_the_key_or_the_prompt(
    gateway: Gateway, make: Make, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """Whatever the vendor repeats of them is masked, and nothing is logged."""
    caplog.set_level(logging.WARNING)
    prompt = "the treasure lies under the old oak of Brockhampton"
    gateway.when().fail(status, message=f"invalid key {KEY} for {prompt}")
    provider = make()

    reply = await provider.generate(ask(prompt))

    shown = f"{reply} {provider!r} {provider.name} {provider.identity} {caplog.text}"
    assert KEY not in shown
    assert KEY[:20] not in shown
    assert "under the old oak" not in shown


async def test_a_late_system_message_is_refused(gateway: Gateway, make: Make) -> None:
    """It is not moved to the start in silence, where it would mean something else."""
    messages = (
        Message(role="user", content="a"),
        Message(role="system", content="b"),
        Message(role="user", content="c"),
    )

    for some, words in ((messages, "after the start"), (messages[1:2], "messages only")):
        reply = await make().generate(Request(messages=some))
        assert isinstance(reply, Failure)
        assert reply.kind is FailureKind.BAD_REQUEST
        assert words in reply.message
    assert len(gateway.requests) == 0


async def test_an_unknown_model_is_not_found(gateway: Gateway, make: Make) -> None:
    """The vendor's words and the question that helps are in the failure."""
    gateway.when(optional=True).say("Here.")

    reply = await make(model="gemini-2.5-flush").generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.NOT_FOUND
    assert "Does Gemini have the model 'gemini-2.5-flush' for this key?" in reply.message


async def test_the_request_stays_as_it_was(gateway: Gateway, make: Make) -> None:
    """What was asked is not changed by asking."""
    gateway.when().say("Here.")
    arguments = {"city": ["Rom"]}
    call = ToolCall(name="weather", arguments=arguments, id="t1")
    request: Request[Any] = Request(
        messages=(
            Message(role="user", content="a"),
            Message(role="assistant", content="b", tool_calls=(call,)),
            Message(role="tool", content="c", tool_call_id="t1"),
        ),
        tools=(WEATHER,),
    )

    await make().generate(request)

    assert arguments == {"city": ["Rom"]}
    assert WEATHER.parameters == {"type": "object", "properties": {"city": {"type": "string"}}}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": " "}, "needs the name of a model"),
        ({"timeout_s": 0}, "timeout_s of GeminiProvider is 0"),
        ({"options": {"temperature": 1}}, "names 'temperature'"),
        ({"options": {"tpo_p": 1}}, "field 'tpo_p': Extra inputs are not permitted"),
        ({"options": {"labels": {1, 2}}}, "can't be sent as JSON"),
        ({"key_env": "NO_SUCH_KEY"}, "key_env of GeminiProvider names NO_SUCH_KEY"),
        ({"base_url": "generativelanguage.googleapis.com"}, "has no http:// or https://"),
        ({"base_url": "https://generativelanguage.googleapis.com"}, "real=False says that"),
        ({"base_url": f"{URL}?a=b"}, "has a query"),
    ],
)
def test_a_wrong_setting_is_told_when_it_is_made(
    make: Make, settings: dict[str, Any], words: str
) -> None:
    """Each message names the setting and what is wrong with it."""
    with pytest.raises(MisuseError, match=re.escape(words)):
        make(**settings)


def test_a_key_that_no_header_carries_is_told(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line break in a key comes from the way it was stored; the key is not shown."""
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-one\nAIza-two")

    with pytest.raises(MisuseError) as caught:
        make()

    assert "AIza-one" not in str(caught.value)


def test_a_specification_makes_the_same_provider() -> None:
    """`gemini:MODEL` takes the provider's settings as options."""
    provider = provider_from_spec(f"gemini:{MODEL},base_url={URL},timeout=5")

    assert isinstance(provider, GeminiProvider)
    assert (provider.name, provider.real) == (f"gemini:{MODEL}", True)
    assert provider.identity == f"{URL}#{MODEL}"


def test_google_itself_is_asked_unless_another_address_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Making such a provider reaches nobody; the variable of the SDK is heard."""
    monkeypatch.delenv("GOOGLE_GEMINI_BASE_URL", raising=False)
    provider = GeminiProvider(MODEL)
    assert provider.base_url == "https://generativelanguage.googleapis.com"
    assert (provider.real, provider.identity) == (True, f"gemini:{MODEL}")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", URL)
    assert GeminiProvider(MODEL).identity == f"{URL}#{MODEL}"


def test_what_changes_the_replies_changes_the_identity(make: Make) -> None:
    """Two plans are one only where the same is asked of the same."""
    settings: tuple[dict[str, Any], ...] = (
        {},
        {"model": NEW},
        {"base_url": "http://localhost"},
        {"options": {"top_p": 0.5}},
    )

    assert len({make(**one).identity for one in settings}) == len(settings)
    assert make(timeout_s=3).identity == make().identity


async def test_parts_of_a_text_are_one(gateway: Gateway, make: Make) -> None:
    """Parts that are text are one text to us, thoughts left out."""
    parts = [{"text": "hm", "thought": True}, {"text": "He"}, {"text": "re."}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    gateway.when().say(Say(extra={"candidates": [candidate]}))

    reply = await make().generate(ask())

    assert isinstance(reply, Answer)
    assert reply.text == "Here."
