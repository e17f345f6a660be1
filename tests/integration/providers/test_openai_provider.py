"""What OpenAI alone does, against OpenAI in a box; see test_vendor_*.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pydantic
import pytest
from sdk_vendors import OPENAI, STARS, WEATHER, Note, SdkVendor, ask, fail, plain

from tierwise.domain import Message, ToolCall, Usage
from tierwise.gateway import Say, Stop
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    OpenAIProvider,
    Request,
    provider_from_spec,
)

if TYPE_CHECKING:
    from sdk_vendors import Make

    from tierwise.gateway import Gateway


@pytest.fixture
def vendor() -> SdkVendor:
    """Take this one alone."""
    return OPENAI


async def test_a_text_is_an_answer(gateway: Gateway, make: Make) -> None:
    """Text, tokens and model are the vendor's, and the whole request is what was asked."""
    usage = Usage(input_tokens=12, output_tokens=3)
    gateway.when(model=OPENAI.model).say("Here.", usage=usage)

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

    assert plain(reply) == Answer(text="Here.", usage=usage, model=OPENAI.model)
    assert gateway.requests.only().json == {
        "model": OPENAI.model,
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


async def test_the_sdk_speaks_for_itself(gateway: Gateway, make: Make) -> None:
    """Key and user agent go out as the SDK sends them, and no attempt is a second one."""
    gateway.when().say("Here.")

    await make().generate(ask())

    sent = gateway.requests.only().raw
    assert sent.headers["authorization"] == f"Bearer {OPENAI.key}"
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


async def test_a_failure_is_told_whole(gateway: Gateway, make: Make) -> None:
    """A failure has its kind, the vendor's words, and nothing of an answer."""
    gateway.when().fail(429, message="Slow down.", retry_after_s=2.5)

    assert plain(await fail(make())) == Failure(
        kind=FailureKind.BUSY,
        message=f"{OPENAI.endpoint} answered 429 Too Many Requests: rate_limit_exceeded: "
        "Slow down.",
        retry_after_s=2.5,
        model=OPENAI.model,
    )


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_read(gateway: Gateway, make: Make, status: int) -> None:
    """How long the vendor asks to be left alone is part of the failure, to the millisecond."""
    gateway.when().fail(status, retry_after_s=1.25)

    reply = await fail(make())

    assert (reply.retry_after_s, reply.retryable) == (1.25, True)


async def test_a_content_filter_is_a_refusal(gateway: Gateway, make: Make) -> None:
    """What a filter stopped is no answer, and what was said until then is kept."""
    gateway.when().say("By the", stop=Stop.FILTERED)

    reply = await fail(make())

    assert (reply.kind, reply.text) == (FailureKind.REFUSED, "By the")
    assert "content filter" in reply.message


@pytest.mark.parametrize("choices", [None, [], "Here.", [None], [{"index": 0}]])
async def test_a_completion_that_is_none_is_garbled(
    gateway: Gateway, make: Make, choices: Any
) -> None:
    """JSON without a choice that says something is no answer."""
    gateway.when().say("Here.", extra={"choices": choices})

    assert (await fail(make())).kind is FailureKind.GARBLED


async def test_what_the_vendor_refuses_is_a_bad_request(gateway: Gateway, make: Make) -> None:
    """A temperature for a model that has only one is refused by the vendor, in its words."""
    gateway.when(optional=True).say("Here.")

    reply = await fail(make(model="o3"), temperature=0.5)

    assert reply.kind is FailureKind.BAD_REQUEST
    assert "'temperature' does not support 0.5 with this model" in reply.message


async def test_a_specification_names_it(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`openai:OPENAI.model` and its options make the provider."""
    monkeypatch.setenv("HOUSE_KEY", OPENAI.key)

    provider = provider_from_spec(
        f"openai:{OPENAI.model},key_env=HOUSE_KEY,base_url={OPENAI.url},timeout=5,max_tokens_as=max_tokens"
    )

    assert isinstance(provider, OpenAIProvider)
    assert (provider.model, provider.base_url) == (OPENAI.model, OPENAI.url)
    assert provider._keys.variables == ("HOUSE_KEY",)
    assert provider._asking.max_tokens_as == "max_tokens"


async def test_half_a_surrogate_pair_is_no_text_to_send_on(gateway: Gateway, make: Make) -> None:
    """Structured output with half a character in it is malformed."""
    gateway.when().say(Say(text='{"title": "\ud83d", "stars": 3}'))

    assert (await fail(make(), schema=Note)).kind is FailureKind.MALFORMED
