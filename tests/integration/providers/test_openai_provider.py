"""OpenAI's provider against OpenAI in a box: each reply compared whole."""

from __future__ import annotations

import asyncio
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
    OpenAIProvider,
    Request,
    Tool,
    provider_from_spec,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.gateway import Gateway

    Make = Callable[..., OpenAIProvider]

MODEL = "gpt-4.1-mini"
HOST = "openai.localhost"
URL = f"http://{HOST}/v1"
KEY = "sk-proj-abcdefghijklmnop-not-a-key"
WEATHER = Tool(
    name="weather",
    description="Tells the weather.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
)
STARS = '{"title": "Rom", "stars": 3}'


class Note(pydantic.BaseModel):
    """What is asked for as JSON."""

    title: str
    stars: int = pydantic.Field(ge=1, le=5)


@pytest.fixture
def make(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return a maker of providers that ask the gateway, with the one key that it accepts."""
    gateway.configure(hosts={HOST: "openai"}, account=Account(keys=frozenset({KEY})))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def make(**settings: Any) -> OpenAIProvider:
        return OpenAIProvider(
            settings.pop("model", MODEL), **({"base_url": URL, "real": False} | settings)
        )

    return make


def ask(prompt: str = "Where is it?", **fields: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content=prompt),), **fields)


def plain(reply: Any) -> Any:
    """Return a reply without the time that it took."""
    assert reply.latency_s >= 0
    return replace(reply, latency_s=0.0)


async def fail(provider: OpenAIProvider, **fields: Any) -> Failure:
    """Ask, and return the failure that comes back."""
    reply = await provider.generate(ask(**fields))
    assert isinstance(reply, Failure)
    return reply


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
            temperature=0.5,
            max_tokens=50,
            seed=7,
            purpose="search",
            viewer="ann",
        )
    )

    assert plain(reply) == Answer(text="Here.", usage=usage, model=MODEL)
    assert gateway.requests.only().json == {
        "model": MODEL,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Where is it?"},
        ],
        "temperature": 0.5,
        "max_completion_tokens": 50,
        "seed": 7,
    }


async def test_what_is_not_asked_is_not_sent(gateway: Gateway, make: Make) -> None:
    """Settings that the request leaves out are the vendor's to choose."""
    gateway.when().say("Here.")

    await make().generate(ask())

    assert set(gateway.requests.only().json) == {"model", "messages"}


async def test_the_model_that_answered_is_told(gateway: Gateway, make: Make) -> None:
    """A name that stands for a dated model comes back as that."""
    gateway.when().say("Here.", extra={"model": f"{MODEL}-2025-04-14"})

    reply = await make().generate(ask())

    assert reply.model == f"{MODEL}-2025-04-14"


async def test_the_sdk_speaks_for_itself(gateway: Gateway, make: Make) -> None:
    """Key and user agent go out as the SDK sends them, and no attempt is a second one."""
    gateway.when().say("Here.")

    await make().generate(ask())

    sent = gateway.requests.only().raw
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert "OpenAI/Python" in sent.headers["user-agent"]
    assert sent.headers["x-stainless-retry-count"] == "0"
    assert sent.path == "/v1/chat/completions"


async def test_a_schema_is_structured_output(gateway: Gateway, make: Make) -> None:
    """The schema goes out in the strict mode, and comes back as an instance."""
    gateway.when(schema=True).say(STARS)

    reply = await make().generate(ask(schema=Note))

    assert isinstance(reply, Answer)
    assert (reply.data, reply.text) == (Note(title="Rom", stars=3), STARS)
    form = gateway.requests.only().json["response_format"]
    assert form["type"] == "json_schema"
    assert (form["json_schema"]["name"], form["json_schema"]["strict"]) == ("Note", True)
    assert form["json_schema"]["schema"]["required"] == ["title", "stars"]
    assert form["json_schema"]["schema"]["additionalProperties"] is False


async def test_a_schema_that_can_t_be_strict_goes_out_as_it_is(
    gateway: Gateway, make: Make
) -> None:
    """An open mapping is asked for without the strict mode, which the vendor accepts."""

    class Counts(pydantic.BaseModel):
        """How often each word occurs."""

        words: dict[str, int]

    gateway.when().say('{"words": {"a": 1}}')

    reply = await make().generate(ask(schema=Counts))

    assert isinstance(reply, Answer), reply
    assert reply.data == Counts(words={"a": 1})
    assert gateway.requests.only().json["response_format"]["json_schema"]["strict"] is False


async def test_options_are_further_fields(gateway: Gateway, make: Make) -> None:
    """They are sent, also those that the SDK does not know, and a request's own word wins."""
    gateway.when().say("Here.")
    options = {"top_p": 0.9, "temperature": 0.1, "verbosity": "low"}

    await make(options=options).generate(ask(temperature=0.7))

    body = gateway.requests.only().json
    assert (body["top_p"], body["temperature"], body["verbosity"]) == (0.9, 0.7, "low")
    assert options["temperature"] == 0.1


async def test_an_older_name_of_the_limit(gateway: Gateway, make: Make) -> None:
    """Servers that know `max_tokens` only are asked by that."""
    gateway.when().say("Here.")

    await make(max_tokens_as="max_tokens").generate(ask(max_tokens=9))

    body = gateway.requests.only().json
    assert body["max_tokens"] == 9
    assert "max_completion_tokens" not in body


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


async def test_a_tool_loop_goes_round(gateway: Gateway, make: Make) -> None:
    """Wishes and results go back as the vendor wants them, and the request is not changed."""
    gateway.when(tool_result="weather").say("Sunny in both.")
    calls = tuple(
        ToolCall(name="weather", arguments={"city": [city]}, id=city) for city in ("A", "B")
    )
    request: Request[Any] = Request(
        messages=(
            Message(role="user", content="Weather?"),
            Message(role="assistant", content="", tool_calls=calls),
            Message(role="tool", content="sun", tool_call_id="A"),
            Message(role="tool", content="sun too", tool_call_id="B"),
        ),
        tools=(WEATHER,),
    )

    reply = await make().generate(request)

    assert isinstance(reply, Answer), reply
    turns = gateway.requests.only().asked.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "tool"]
    assert turns[1].tool_calls == calls
    assert [turn.tool_call_id for turn in turns[2:]] == ["A", "B"]
    assert calls[0].arguments == {"city": ["A"]}


async def test_tokens_are_counted_once(gateway: Gateway, make: Make) -> None:
    """Cached tokens are part of those read, thought ones part of those written."""
    usage = Usage(input_tokens=100, output_tokens=30, cached_input_tokens=60, reasoning_tokens=20)
    gateway.when().say("Four.", thinking="Two and two.", usage=usage)

    reply = await make(model="o3").generate(ask())

    assert reply.usage == usage
    assert reply.usage.total_tokens == 130


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        (None, Usage()),
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
         Usage(input_tokens=5, output_tokens=2)),
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7,
          "prompt_tokens_details": None, "completion_tokens_details": {"reasoning_tokens": None}},
         Usage(input_tokens=5, output_tokens=2)),
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 10},
         Usage(input_tokens=5, output_tokens=5, reasoning_tokens=3)),
        ({"prompt_tokens": 5, "completion_tokens": 2,
          "prompt_tokens_details": {"cached_tokens": 9}},
         Usage(input_tokens=5, output_tokens=2, cached_input_tokens=5)),
    ],
)  # fmt: skip
async def test_odd_counts_of_tokens(
    gateway: Gateway, make: Make, told: dict[str, Any] | None, usage: Usage
) -> None:
    """What was not counted is 0, a part is never more than the whole."""
    gateway.when().say("Four.", extra={"usage": told})

    reply = await make().generate(ask())

    assert reply.usage == usage


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

    reply = await fail(make())

    assert reply.kind is kind
    assert f"{URL}/chat/completions answered {status}" in reply.message
    assert (reply.model, reply.retry_after_s, reply.attempts) == (MODEL, None, 1)
    assert len(gateway.requests) == 1


async def test_a_failure_is_told_whole(gateway: Gateway, make: Make) -> None:
    """A failure has its kind, the vendor's words, and nothing of an answer."""
    gateway.when().fail(429, message="Slow down.", retry_after_s=2.5)

    assert plain(await fail(make())) == Failure(
        kind=FailureKind.BUSY,
        message=f"{URL}/chat/completions answered 429 Too Many Requests: rate_limit_exceeded: "
        "Slow down.",
        retry_after_s=2.5,
        model=MODEL,
    )


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_read(gateway: Gateway, make: Make, status: int) -> None:
    """How long the vendor asks to be left alone is part of the failure, to the millisecond."""
    gateway.when().fail(status, retry_after_s=1.25)

    reply = await fail(make())

    assert (reply.retry_after_s, reply.retryable) == (1.25, True)


async def test_whole_seconds_alone_are_read_too(gateway: Gateway, make: Make) -> None:
    """The standard's own header is enough."""
    gateway.when().fail(429, headers=[("retry-after", "7")])

    assert (await fail(make())).retry_after_s == 7.0


async def test_retry_after_of_a_request_of_ours_is_not_read(gateway: Gateway, make: Make) -> None:
    """No waiting makes a wrong request right."""
    gateway.when().fail(400, retry_after_s=7)

    assert (await fail(make())).retry_after_s is None


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"status": 429, "code": "insufficient_quota"}, "no_entitlement"),
        ({"status": 429, "kind": "tokens", "code": "rate_limit_exceeded"}, "busy"),
        ({"status": 400, "code": "context_length_exceeded"}, "bad_request"),
        ({"status": 400, "code": "content_filter"}, "refused"),
        ({"status": 400, "code": "content_policy_violation"}, "refused"),
        ({"status": 404, "message": "The model `gpt-4-32k` has been deprecated."}, "retired"),
        ({"status": 400, "code": "model_not_found"}, "not_found"),
    ],
)
async def test_a_cause_is_read_beside_the_status(
    gateway: Gateway, make: Make, fault: dict[str, Any], kind: str
) -> None:
    """The vendor's own word is more exact than the status."""
    gateway.when().fail(**fault, retry_after_s=3)

    reply = await fail(make())

    assert reply.kind == kind
    assert (reply.retry_after_s is not None) == reply.kind.is_retried


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"status": 400, "message": "Invalid 'tools[0].name': 'rate_limit_429'"}, "bad_request"),
        ({"status": 400, "message": "the file tpm/insufficient_quota.txt is odd"}, "bad_request"),
        ({"status": 500, "message": "content_filter: invalid_api_key"}, "unavailable"),
        ({"status": 403, "message": "overloaded is no reason"}, "no_entitlement"),
        ({"status": 429, "message": "model_not_found in your plan"}, "busy"),
        ({"status": 404, "message": "Your project was deprecated."}, "not_found"),
    ],
)
async def test_words_that_only_look_like_a_cause_are_none(
    gateway: Gateway, make: Make, fault: dict[str, Any], kind: str
) -> None:
    """A message is free text: what it mentions in passing classifies nothing."""
    gateway.when().fail(**fault)

    assert (await fail(make())).kind == kind


async def test_a_refusal_is_the_model_s_own(gateway: Gateway, make: Make) -> None:
    """What was said, or why not, is kept to be scored."""
    gateway.when().say(refusal="I can't help with that.", usage=Usage(output_tokens=4))

    assert plain(await fail(make(), schema=Note)) == Failure(
        kind=FailureKind.REFUSED,
        message="The model refused to answer.",
        text="I can't help with that.",
        usage=Usage(output_tokens=4),
        model=MODEL,
    )


async def test_a_content_filter_is_a_refusal(gateway: Gateway, make: Make) -> None:
    """What a filter stopped is no answer, and what was said until then is kept."""
    gateway.when().say("By the", stop=Stop.FILTERED)

    reply = await fail(make())

    assert (reply.kind, reply.text) == (FailureKind.REFUSED, "By the")
    assert "content filter" in reply.message


@pytest.mark.parametrize("text", ["I refuse to be sad.", "The content_filter is a setting."])
async def test_words_that_only_sound_like_a_refusal_are_an_answer(
    gateway: Gateway, make: Make, text: str
) -> None:
    """The vendor's field tells a refusal, and no word of the text."""
    gateway.when().say(text)

    reply = await make().generate(ask())

    assert isinstance(reply, Answer)
    assert reply.text == text


async def test_a_reply_that_did_not_end_is_cut_off(gateway: Gateway, make: Make) -> None:
    """Half a text is no answer, even where it would parse."""
    gateway.when().say(STARS, stop=Stop.LENGTH)

    reply = await fail(make(), schema=Note)

    assert (reply.kind, reply.text) == (FailureKind.CUT_OFF, STARS)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Rom is nice.", FailureKind.MALFORMED),
        ("", FailureKind.MALFORMED),
        ('{"title": "Rom"', FailureKind.MALFORMED),
        (f"```json\n{STARS}\n```", FailureKind.MALFORMED),
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

    reply = await fail(make(), schema=Note)

    assert (reply.kind, reply.text) == (kind, text)


@pytest.mark.parametrize("text", [STARS, "[1, 2]", "null"])
async def test_json_stays_text_without_a_schema(gateway: Gateway, make: Make, text: str) -> None:
    """What only looks like data is what the model said."""
    gateway.when().say(text)

    reply = await make().generate(ask())

    assert isinstance(reply, Answer)
    assert (reply.text, reply.data) == (text, None)


async def test_a_tool_that_nobody_offered_is_a_mismatch(gateway: Gateway, make: Make) -> None:
    """A wish for something else is the model's fault."""
    gateway.when().call("wether", {"city": "Rom"})

    assert (await fail(make(), tools=(WEATHER,))).kind is FailureKind.SCHEMA_MISMATCH


@pytest.mark.parametrize("fault", ["malformed_body", "truncate"])
async def test_a_body_that_ends_in_the_middle_is_garbled(
    gateway: Gateway, make: Make, fault: str
) -> None:
    """A whole response with half of the JSON is the wire's fault."""
    getattr(gateway.when().say("Here."), fault)()

    assert (await fail(make())).kind is FailureKind.GARBLED


@pytest.mark.parametrize("choices", [None, [], "Here.", [None], [{"index": 0}]])
async def test_a_completion_that_is_none_is_garbled(
    gateway: Gateway, make: Make, choices: Any
) -> None:
    """JSON without a choice that says something is no answer."""
    gateway.when().say("Here.", extra={"choices": choices})

    assert (await fail(make())).kind is FailureKind.GARBLED


@pytest.mark.parametrize("body", [b"<html>upstream</html>", b"[]", b"null", b""])
async def test_an_error_without_the_vendor_s_words_goes_by_its_status(
    gateway: Gateway, make: Make, body: bytes
) -> None:
    """What a proxy writes in place of the vendor is shown, and is no answer."""
    gateway.when().fail(503, body=body)

    assert (await fail(make())).kind is FailureKind.UNAVAILABLE


@pytest.mark.parametrize(
    ("fault", "words"), [("cut", "broke off"), ("reset", "the connection was lost")]
)
async def test_a_connection_that_is_lost_is_unavailable(
    gateway: Gateway, make: Make, fault: str, words: str
) -> None:
    """Neither half a body nor none is an answer, and what happened is told."""
    getattr(gateway.when().say("Here."), fault)()

    reply = await fail(make())

    assert reply.kind is FailureKind.UNAVAILABLE
    assert f"{URL}/chat/completions gave no answer: " in reply.message
    assert words in reply.message


async def test_what_takes_too_long_is_a_timeout(gateway: Gateway, make: Make) -> None:
    """The call ends at its limit, whatever the vendor does."""
    gateway.when().say("Here.").stall(after=5)

    reply = await fail(make(timeout_s=0.05))

    assert reply.kind is FailureKind.TIMEOUT
    assert "longer than 0.05 s" in reply.message


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


async def test_calls_of_one_loop_share_a_client(gateway: Gateway, make: Make) -> None:
    """A client costs more than a call, so that one is made for all calls of a loop."""
    gateway.when().say("Here.")
    provider = make()

    await provider.generate(ask())
    first = await provider._client._clients.get()
    await provider.generate(ask())

    assert await provider._client._clients.get() is first
    assert first.max_retries == 0


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
    monkeypatch.setenv("OPENAI_API_KEY", " ")

    assert plain(await fail(make())) == Failure(
        kind=FailureKind.AUTH,
        message=f"openai:{MODEL} was not asked: OPENAI_API_KEY is not set. Set it to a key, or "
        "name the variable that has one by key_env.",
        model=MODEL,
    )
    assert len(gateway.requests) == 0


async def test_a_key_is_read_at_each_call(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was renewed meanwhile is used."""
    gateway.when().say("Here.")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-an-older-one-of-nobody")
    provider = make()
    first = await fail(provider)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    second = await provider.generate(ask())

    assert first.kind is FailureKind.AUTH
    assert "The key is taken from OPENAI_API_KEY, which is set." in first.message
    assert second.text == "Here."


async def test_another_variable_can_hold_the_key(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`key_env` names it."""
    gateway.when().say("Here.")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else-entirely")
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


async def test_what_the_vendor_refuses_is_a_bad_request(gateway: Gateway, make: Make) -> None:
    """A temperature for a model that has only one is refused by the vendor, in its words."""
    gateway.when(optional=True).say("Here.")

    reply = await fail(make(model="o3"), temperature=0.5)

    assert reply.kind is FailureKind.BAD_REQUEST
    assert "'temperature' does not support 0.5 with this model" in reply.message


async def test_an_unknown_model_is_not_found(gateway: Gateway, make: Make) -> None:
    """The vendor's words and the question that helps are in the failure."""
    gateway.when(optional=True).say("Here.")

    reply = await fail(make(model="gpt-4.1-mimi"))

    assert reply.kind is FailureKind.NOT_FOUND
    assert "Does OpenAI have the model 'gpt-4.1-mimi' for this key?" in reply.message


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request(messages=()), "no messages"),
        (ask(max_tokens=0), "max_tokens is 0"),
        (ask(temperature=-1), "temperature is -1"),
    ],
)
async def test_a_request_that_nobody_serves_is_not_sent(
    gateway: Gateway, make: Make, request_: Request[Any], words: str
) -> None:
    """It is refused as by every provider."""
    reply = await make().generate(request_)

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.BAD_REQUEST
    assert words in reply.message
    assert len(gateway.requests) == 0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": " "}, "OpenAIProvider needs the name of a model"),
        ({"timeout_s": 0}, "timeout_s of OpenAIProvider is 0"),
        ({"max_tokens_as": "max_token"}, "max_tokens_as of OpenAIProvider is 'max_token'"),
        ({"options": {"messages": []}}, "options of OpenAIProvider names 'messages'"),
        ({"options": {"metadata": {1, 2}}}, "can't be sent as JSON"),
        ({"key_env": "NO_SUCH_KEY"}, "key_env of OpenAIProvider names NO_SUCH_KEY"),
        ({"base_url": "api.openai.com"}, "has no http:// or https:// in front"),
        ({"base_url": "https://api.openai.com"}, "real=False says that a stand-in answers"),
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
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one\nsk-two")

    with pytest.raises(MisuseError) as caught:
        make()

    assert "OPENAI_API_KEY holds a blank" in str(caught.value)
    assert "sk-one" not in str(caught.value)


def test_what_tells_it_from_others(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Model, place and options are its identity; the vendor's own place goes without saying."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    own = OpenAIProvider(MODEL)

    assert (own.name, own.identity, own.real) == (f"openai:{MODEL}", f"openai:{MODEL}", True)
    assert own.base_url == "https://api.openai.com/v1"
    assert make().identity == f"{URL}#{MODEL}"
    assert OpenAIProvider(MODEL, options={"top_p": 1}).identity == f'openai:{MODEL} {{"top_p": 1}}'
    assert repr(own) == f"OpenAIProvider('{MODEL}')"


async def test_a_specification_names_it(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`openai:MODEL` and its options make the provider."""
    monkeypatch.setenv("HOUSE_KEY", KEY)

    provider = provider_from_spec(
        f"openai:{MODEL},key_env=HOUSE_KEY,base_url={URL},timeout=5,max_tokens_as=max_tokens"
    )

    assert isinstance(provider, OpenAIProvider)
    assert (provider.model, provider.base_url) == (MODEL, URL)
    assert provider._key_env == "HOUSE_KEY"
    assert provider._asking.max_tokens_as == "max_tokens"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("openai:", "names no model"),
        ("openai:,timeout=3", "names no model"),
        ("openai:gpt-4.1,tiemout=3", "has no option 'tiemout'"),
        ("openai:gpt-4.1,timeout=soon", "timeout is 'soon'"),
        ("openai:gpt-4.1,key_env=NO_SUCH_KEY", "NO_SUCH_KEY"),
    ],
)
def test_a_specification_that_names_nothing(spec: str, words: str) -> None:
    """What is wrong is quoted, with what would be right."""
    with pytest.raises(MisuseError, match=re.escape(words)):
        provider_from_spec(spec)


async def test_half_a_surrogate_pair_is_no_text_to_send_on(gateway: Gateway, make: Make) -> None:
    """Structured output with half a character in it is malformed."""
    gateway.when().say(Say(text='{"title": "\ud83d", "stars": 3}'))

    assert (await fail(make(), schema=Note)).kind is FailureKind.MALFORMED
