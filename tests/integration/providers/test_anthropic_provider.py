"""Anthropic's provider against Anthropic in a box: each reply compared whole."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx2
import pydantic
import pytest

from tierwise.domain import Message, ToolCall, Usage
from tierwise.errors import MisuseError
from tierwise.gateway import Account, Say, Stop
from tierwise.providers import (
    Answer,
    AnthropicProvider,
    Failure,
    FailureKind,
    Request,
    Tool,
    provider_from_spec,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.clock import VirtualClock
    from tierwise.gateway import Gateway

    Make = Callable[..., AnthropicProvider]

MODEL = "claude-sonnet-5-5"
HOST = "anthropic.localhost"
URL = f"http://{HOST}"
KEY = "sk-ant-api03-abcdefghijklmnop-not-a-key"
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
    gateway.configure(hosts={HOST: "anthropic"}, account=Account(keys=frozenset({KEY})))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    def make(**settings: Any) -> AnthropicProvider:
        return AnthropicProvider(
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
                Message(role="user", content="Where is it?"),
            ),
            max_tokens=50,
            seed=7,
        )
    )

    assert plain(reply) == Answer(text="Here.", usage=usage, model=MODEL)
    assert gateway.requests.only().json == {
        "model": MODEL,
        "max_tokens": 50,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Where is it?"}],
    }


async def test_the_sdk_speaks_for_itself(gateway: Gateway, make: Make) -> None:
    """Key, version and user agent go out as the SDK sends them."""
    gateway.when().say("Here.")

    await make().generate(ask())

    sent = gateway.requests.only().raw
    key = sent.headers.get("x-api-key") or sent.headers["authorization"]
    assert key.removeprefix("Bearer ") == KEY
    assert sent.headers["anthropic-version"] in {"2023-06-01", "2026-10-21"}
    assert "Anthropic" in sent.headers["user-agent"]
    assert sent.path == "/v1/messages"


async def test_a_schema_is_structured_output(gateway: Gateway, make: Make) -> None:
    """The schema goes out as output_config.format, and comes back as an instance."""
    gateway.when(schema=True).say('{"title": "Rom", "stars": 3}')

    reply = await make().generate(ask(schema=Note))

    assert isinstance(reply, Answer)
    assert reply.data == Note(title="Rom", stars=3)
    assert reply.text == '{"title": "Rom", "stars": 3}'
    form = gateway.requests.only().json["output_config"]["format"]
    assert form["type"] == "json_schema"
    assert form["schema"]["required"] == ["title", "stars"]
    assert "minimum" not in form["schema"]["properties"]["stars"]


async def test_options_stand_beside_the_schema(gateway: Gateway, make: Make) -> None:
    """Further fields of the body are sent; those of output_config are kept."""
    gateway.when().say('{"title": "Rom", "stars": 3}')
    options = {"output_config": {"effort": "low"}, "thinking": {"type": "adaptive"}}

    await make(options=options).generate(ask(schema=Note))

    body = gateway.requests.only().json
    assert body["thinking"] == {"type": "adaptive"}
    assert body["output_config"]["effort"] == "low"
    assert "format" in body["output_config"]
    assert options["output_config"] == {"effort": "low"}


async def test_a_limit_is_always_sent(gateway: Gateway, make: Make) -> None:
    """Anthropic wants a limit: the provider's own holds where the request has none."""
    gateway.when().say("Here.")

    await make(max_tokens=77).generate(ask())

    assert gateway.requests.only().json["max_tokens"] == 77


async def test_tool_calls_are_wishes(gateway: Gateway, make: Make) -> None:
    """Names, arguments and ids come back in order, beside what was said."""
    gateway.when(tool="weather").say("I look.").call(
        "weather", {"city": "Rom"}, call_id="t1"
    ).call("weather", {"city": "Bonn"}, call_id="t2")

    reply = await make().generate(ask(tools=(WEATHER,)))

    assert isinstance(reply, Answer)
    assert reply.text == "I look."
    assert reply.tool_calls == (
        ToolCall(name="weather", arguments={"city": "Rom"}, id="t1"),
        ToolCall(name="weather", arguments={"city": "Bonn"}, id="t2"),
    )


async def test_results_of_tools_make_one_turn(gateway: Gateway, make: Make) -> None:
    """Two results and what the user says then are blocks of one turn, as the vendor wants."""
    gateway.when().say("Sunny in both.")
    calls = tuple(
        ToolCall(name="weather", arguments={"city": city}, id=city) for city in ("A", "B")
    )

    reply = await make().generate(
        Request(
            messages=(
                Message(role="user", content="Weather?"),
                Message(role="assistant", content="", tool_calls=calls),
                Message(role="tool", content="sun", tool_call_id="A"),
                Message(role="tool", content="sun too", tool_call_id="B"),
                Message(role="user", content="So?"),
            ),
            tools=(WEATHER,),
        )
    )

    assert isinstance(reply, Answer), reply
    turns = gateway.requests.only().json["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert [block["type"] for block in turns[1]["content"]] == ["tool_use", "tool_use"]
    assert turns[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "A", "content": "sun"},
        {"type": "tool_result", "tool_use_id": "B", "content": "sun too"},
        {"type": "text", "text": "So?"},
    ]


async def test_tokens_are_counted_once(gateway: Gateway, make: Make) -> None:
    """Cached tokens are part of those read, thought ones part of those written."""
    usage = Usage(input_tokens=100, output_tokens=30, cached_input_tokens=60, reasoning_tokens=20)
    gateway.when().say("Four.", thinking="Two and two.", usage=usage)

    reply = await make().generate(ask())

    assert reply.usage == usage
    assert reply.usage.total_tokens == 130
    assert reply.text == "Four."


async def test_tokens_that_went_into_the_cache_were_read_too(gateway: Gateway, make: Make) -> None:
    """The vendor counts them beside the others."""
    told = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 50,
        "cache_read_input_tokens": 40,
        "output_tokens": 5,
    }
    gateway.when().say("Four.", extra={"usage": told})

    reply = await make().generate(ask())

    assert reply.usage == Usage(input_tokens=100, output_tokens=5, cached_input_tokens=40)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, FailureKind.BAD_REQUEST),
        (401, FailureKind.AUTH),
        (402, FailureKind.NO_ENTITLEMENT),
        (403, FailureKind.NO_ENTITLEMENT),
        (404, FailureKind.NOT_FOUND),
        (408, FailureKind.TIMEOUT),
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
    assert f"{URL}/v1/messages answered {status}" in reply.message
    assert (reply.model, reply.retry_after_s, reply.attempts) == (MODEL, None, 1)
    assert len(gateway.requests) == 1


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_retry_after_is_read(gateway: Gateway, make: Make, status: int) -> None:
    """How long the vendor asks to be left alone is part of the failure."""
    gateway.when().fail(status, retry_after_s=7)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.retry_after_s, reply.retryable) == (7.0, True)


async def test_retry_after_of_a_request_of_ours_is_not_read(gateway: Gateway, make: Make) -> None:
    """No waiting makes a wrong request right."""
    gateway.when().fail(400, retry_after_s=7)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.retry_after_s is None


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"status": 429, "code": "ramp_limit_exceeded"}, FailureKind.BUSY),
        ({"status": 429, "code": "enforced_spend_limit_reached"}, FailureKind.NO_ENTITLEMENT),
        ({"status": 429, "code": "contract_spend_limit_reached"}, FailureKind.NO_ENTITLEMENT),
        ({"status": 400, "code": "tool_name_conflict"}, FailureKind.BAD_REQUEST),
        (
            {"status": 400, "message": "Your credit balance is too low to access the API."},
            FailureKind.NO_ENTITLEMENT,
        ),
    ],
)
async def test_a_cause_is_read_beside_the_status(
    gateway: Gateway, make: Make, fault: dict[str, Any], kind: FailureKind
) -> None:
    """Money that is spent is no rate limit, though the status is."""
    gateway.when().fail(**fault, retry_after_s=3)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is kind
    assert (reply.retry_after_s is not None) == kind.is_retried


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"status": 400, "message": "tools.0.name: rate_limit_429 is taken"}, "bad_request"),
        ({"status": 400, "message": "messages: credit of 5 is too low to mention"}, "bad_request"),
        ({"status": 500, "message": "credit balance is too low"}, "unavailable"),
        ({"status": 403, "message": "Overloaded is no reason"}, "no_entitlement"),
        ({"status": 429, "message": "invalid x-api-key"}, "busy"),
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


async def test_a_refusal_is_the_model_s_own(gateway: Gateway, make: Make) -> None:
    """What was said, or why not, is kept to be scored."""
    gateway.when().say(refusal="I can't help with that.", usage=Usage(output_tokens=4))

    reply = await make().generate(ask())

    assert plain(reply) == Failure(
        kind=FailureKind.REFUSED,
        message="The model refused to answer.",
        text="I can't help with that.",
        usage=Usage(output_tokens=4),
        model=MODEL,
    )


@pytest.mark.parametrize("stop", [Stop.LENGTH, Stop.PAUSED])
async def test_a_reply_that_did_not_end_is_cut_off(
    gateway: Gateway, make: Make, stop: Stop
) -> None:
    """Half a text is no answer, even where it would parse."""
    gateway.when().say('{"title": "Rom", "stars": 3}', stop=stop)

    reply = await make().generate(ask(schema=Note))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.CUT_OFF
    assert reply.text == '{"title": "Rom", "stars": 3}'


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


async def test_a_tool_that_nobody_offered_is_a_mismatch(gateway: Gateway, make: Make) -> None:
    """A wish for something else is the model's fault."""
    gateway.when().call("wether", {"city": "Rom"})

    reply = await make().generate(ask(tools=(WEATHER,)))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.SCHEMA_MISMATCH


async def test_a_body_that_ends_in_the_middle_is_garbled(gateway: Gateway, make: Make) -> None:
    """A whole response with half of the JSON is the wire's fault."""
    gateway.when().say("Here.").malformed_body()

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED


@pytest.mark.parametrize(
    "body", [b"<html>upstream</html>", b"[]", b"null", b'{"type":"message"}', b""]
)
async def test_an_error_without_the_vendor_s_words_goes_by_its_status(
    gateway: Gateway, make: Make, body: bytes
) -> None:
    """What a proxy writes in place of the vendor is shown, and is no answer."""
    gateway.when().fail(503, body=body)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.UNAVAILABLE


@pytest.mark.parametrize(
    "extra",
    [
        {"content": None},
        {"content": "Here."},
        {"content": ["Here."]},
        {"stop_reason": None},
    ],
)
async def test_a_message_that_is_none_is_garbled(
    gateway: Gateway, make: Make, extra: dict[str, Any]
) -> None:
    """JSON without blocks or without a reason is no answer."""
    gateway.when().say("Here.", extra=extra)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED


@pytest.mark.parametrize("fault", ["cut", "reset"])
async def test_a_connection_that_is_lost_is_unavailable(
    gateway: Gateway, make: Make, fault: str
) -> None:
    """Neither half a body nor none is an answer."""
    getattr(gateway.when().say("Here."), fault)()

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.UNAVAILABLE
    assert "gave no answer" in reply.message


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (httpx2.ConnectError("refused at 10.0.0.1"), "no connection"),
        (httpx2.RemoteProtocolError("x"), "the response broke off, or is no HTTP"),
        (httpx2.ReadError("x"), "the connection was lost (ReadError)"),
        (OSError("/home/me/key"), "the connection failed (OSError)"),
        (None, "the connection failed (NoneType)"),
    ],
)
def test_what_happened_to_a_connection_is_told_without_its_address(
    cause: Exception | None, words: str
) -> None:
    """The kind of the error tells, and its text may hold anything."""
    from tierwise.providers.anthropic.client import explain_lost  # noqa: PLC0415  an extra

    assert explain_lost(cause) == words


async def test_a_body_that_is_truncated_cleanly_is_garbled(gateway: Gateway, make: Make) -> None:
    """Nothing but the JSON tells that something is missing."""
    gateway.when().say("Here.").truncate()

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED


async def test_what_takes_too_long_is_a_timeout(gateway: Gateway, make: Make) -> None:
    """The call ends at its limit, whatever the vendor does."""
    gateway.when().say("Here.").stall(after=5)

    reply = await make(timeout_s=0.05).generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.TIMEOUT
    assert "longer than 0.05 s" in reply.message


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
    """The failure names the variable, and what to do."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    reply = await make().generate(ask())

    assert plain(reply) == Failure(
        kind=FailureKind.AUTH,
        message=f"anthropic:{MODEL} was not asked: ANTHROPIC_API_KEY is not set. Set it to a key, "
        "or name the variable that has one by key_env.",
        model=MODEL,
    )
    assert len(gateway.requests) == 0


async def test_a_key_is_read_at_each_call(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was renewed meanwhile is used."""
    gateway.when().say("Here.")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-an-older-one-of-nobody")
    provider = make()
    first = await provider.generate(ask())
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    second = await provider.generate(ask())

    assert isinstance(first, Failure)
    assert first.kind is FailureKind.AUTH
    assert second.text == "Here."


async def test_another_variable_can_hold_the_key(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`key_env` names it."""
    gateway.when().say("Here.")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-of-somebody-else-entirely")
    monkeypatch.setenv("HOUSE_KEY", KEY)

    assert (await make(key_env="HOUSE_KEY").generate(ask())).text == "Here."


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


async def test_a_temperature_is_refused_where_the_api_takes_none(
    gateway: Gateway, make: Make
) -> None:
    """It is not left out in silence: what was asked for can't be had."""
    reply = await make(api_version="2026-10-21").generate(ask(temperature=0.5))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.BAD_REQUEST
    assert "api_version='2023-06-01'" in reply.message
    assert len(gateway.requests) == 0


async def test_an_older_version_of_the_api_takes_a_temperature(
    gateway: Gateway, make: Make
) -> None:
    """The version goes out with the request, and the temperature in it."""
    gateway.when().say("Here.")
    provider = make(model="claude-sonnet-4-5", api_version="2023-06-01")

    reply = await provider.generate(ask(temperature=0.5))

    assert reply.text == "Here."
    sent = gateway.requests.only()
    assert sent.headers["anthropic-version"] == "2023-06-01"
    assert sent.json["temperature"] == 0.5


async def test_an_open_mapping_is_refused_before_it_is_sent(gateway: Gateway, make: Make) -> None:
    """Structured output would let nothing but an empty one through."""

    class Counts(pydantic.BaseModel):
        """How often each word occurs."""

        words: dict[str, int]

    reply = await make().generate(ask(schema=Counts))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.BAD_REQUEST
    assert "Counts can't be sent as a JSON schema" in reply.message
    assert len(gateway.requests) == 0


async def test_an_unknown_model_is_not_found(gateway: Gateway, make: Make) -> None:
    """The vendor's words and the question that helps are in the failure."""
    gateway.when(optional=True).say("Here.")

    reply = await make(model="claude-sonet-5").generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.NOT_FOUND
    assert "Does Anthropic have the model 'claude-sonet-5' for this key?" in reply.message
    gateway.requests.only()


async def test_a_model_that_was_retired_is_retired(gateway: Gateway, make: Make) -> None:
    """The vendor's word for it tells, though the status is that of any unknown model."""
    gateway.when().fail(404, message="The model claude-2 has been retired.")

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.RETIRED


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
        ({"timeout_s": 0}, "timeout_s of AnthropicProvider is 0"),
        ({"max_tokens": 0}, "max_tokens of AnthropicProvider is 0"),
        ({"options": {"messages": []}}, "names 'messages'"),
        ({"options": {"output_config": {"format": {}}}}, "'output_config.format'"),
        ({"options": {"metadata": {1, 2}}}, "can't be sent as JSON"),
        ({"key_env": "NO_SUCH_KEY"}, "key_env of AnthropicProvider names NO_SUCH_KEY"),
        ({"base_url": "api.anthropic.com"}, "has no http:// or https:// in front"),
        ({"base_url": "https://api.anthropic.com"}, "real=False says that a stand-in answers"),
        ({"base_url": f"{URL}?a=b"}, "has a query"),
        (
            {"base_url": "https://models.example", "real": True},
            "The key in ANTHROPIC_API_KEY would go to models.example",
        ),
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
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-one\nsk-ant-two")

    with pytest.raises(MisuseError) as caught:
        make()

    assert "sk-ant-one" not in str(caught.value)


def test_a_specification_makes_the_same_provider() -> None:
    """`anthropic:MODEL` takes the provider's settings as options."""
    spec = f"anthropic:{MODEL},base_url={URL},timeout=5,max_tokens=9"

    provider = provider_from_spec(spec)

    assert isinstance(provider, AnthropicProvider)
    assert (provider.name, provider.real) == (f"anthropic:{MODEL}", True)
    assert provider.identity == f'{URL}#{MODEL} {{"max_tokens": 9}}'


def test_what_changes_the_replies_changes_the_identity(make: Make) -> None:
    """Two plans are one only where the same is asked of the same."""
    settings: tuple[dict[str, Any], ...] = (
        {},
        {"model": "claude-opus-5"},
        {"base_url": "http://localhost"},
        {"max_tokens": 9},
        {"options": {"service_tier": "auto"}},
        {"api_version": "2023-06-01"},
    )

    assert len({make(**one).identity for one in settings}) == len(settings)
    assert make(timeout_s=3).identity == make().identity


async def test_a_say_of_two_texts_is_one(gateway: Gateway, make: Make) -> None:
    """Blocks of text are one text to us."""
    blocks = [{"type": "text", "text": "He"}, {"type": "text", "text": "re."}]
    gateway.when().say(Say(extra={"content": blocks}))

    assert (await make().generate(ask())).text == "Here."
