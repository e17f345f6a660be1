"""What Anthropic alone does, against Anthropic in a box; see test_vendor_*.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pydantic
import pytest
from sdk_vendors import ANTHROPIC, WEATHER, Note, SdkVendor, ask, plain

from tierwise.domain import Message, ToolCall, Usage
from tierwise.gateway import Account, Say
from tierwise.providers import (
    Answer,
    AnthropicProvider,
    Failure,
    FailureKind,
    Request,
    provider_from_spec,
)

if TYPE_CHECKING:
    from sdk_vendors import Make

    from tierwise.gateway import Gateway


@pytest.fixture
def vendor() -> SdkVendor:
    """Take this one alone."""
    return ANTHROPIC


async def test_a_text_is_an_answer(gateway: Gateway, make: Make) -> None:
    """Text, tokens and model are the vendor's, and the whole request is what was asked."""
    usage = Usage(input_tokens=12, output_tokens=3)
    gateway.when(model=ANTHROPIC.model).say("Here.", usage=usage)

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

    assert plain(reply) == Answer(text="Here.", usage=usage, model=ANTHROPIC.model)
    assert gateway.requests.only().json == {
        "model": ANTHROPIC.model,
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
    assert key.removeprefix("Bearer ") == ANTHROPIC.key
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


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_retry_after_is_read(gateway: Gateway, make: Make, status: int) -> None:
    """How long the vendor asks to be left alone is part of the failure."""
    gateway.when().fail(status, retry_after_s=7)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.retry_after_s, reply.retryable) == (7.0, True)


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
    gateway.configure(account=Account(keys=frozenset({ANTHROPIC.key}), any_model=True))
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


def test_a_specification_makes_the_same_provider() -> None:
    """`anthropic:ANTHROPIC.model` takes the provider's settings as options."""
    spec = f"anthropic:{ANTHROPIC.model},base_url={ANTHROPIC.url},timeout=5,max_tokens=9"

    provider = provider_from_spec(spec)

    assert isinstance(provider, AnthropicProvider)
    where = urlsplit(ANTHROPIC.url).netloc
    assert (provider.name, provider.real) == (f"anthropic:{ANTHROPIC.model} at {where}", True)
    assert provider.identity == f'{ANTHROPIC.url}#{ANTHROPIC.model} {{"max_tokens": 9}}'


async def test_a_say_of_two_texts_is_one(gateway: Gateway, make: Make) -> None:
    """Blocks of text are one text to us."""
    blocks = [{"type": "text", "text": "He"}, {"type": "text", "text": "re."}]
    gateway.when().say(Say(extra={"content": blocks}))

    assert (await make().generate(ask())).text == "Here."
