"""What the provider of each vendor's SDK makes of a reply: answers and failures of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sdk_vendors import STARS, VENDORS, WEATHER, Note, SdkVendor, ask, fail, plain

from tierwise.domain import Message, ToolCall, Usage
from tierwise.providers import Answer, Failure, FailureKind, Request

if TYPE_CHECKING:
    from sdk_vendors import Make

    from tierwise.gateway import Gateway, Stop

USAGE = Usage(input_tokens=12, output_tokens=3)
CUTS = [(vendor, stop) for vendor in VENDORS for stop in vendor.cuts]


async def test_a_text_is_an_answer(gateway: Gateway, vendor: SdkVendor, make: Make) -> None:
    """Text, tokens and model are the vendor's, and there is nothing else."""
    gateway.when(model=vendor.model).say("Here.", usage=USAGE)

    reply = await make().generate(ask(max_tokens=50, seed=7))

    assert plain(reply) == Answer(text="Here.", usage=USAGE, model=vendor.model)


async def test_a_schema_comes_back_as_an_instance(
    gateway: Gateway, vendor: SdkVendor, make: Make
) -> None:
    """Text and data tell the same."""
    gateway.when(schema=True).say(STARS, usage=USAGE)

    reply = await make().generate(ask(schema=Note))

    data = Note(title="Rom", stars=3)
    assert plain(reply) == Answer(text=STARS, data=data, usage=USAGE, model=vendor.model)


async def test_a_schema_goes_out_alike_each_time(gateway: Gateway, make: Make) -> None:
    """It is formed once, and sending it changes nothing of it."""
    gateway.when(schema=True).say(STARS)
    provider = make()

    for _ in range(2):
        assert isinstance(await provider.generate(ask(schema=Note)), Answer)

    first, second = gateway.requests
    assert first.json == second.json


async def test_the_model_that_answered_is_told(
    gateway: Gateway, vendor: SdkVendor, make: Make
) -> None:
    """A name that stands for a dated model comes back as that."""
    dated = f"{vendor.model}-2026-04-14"
    gateway.when().say("Here.", extra={vendor.model_field: dated})

    assert (await make().generate(ask())).model == dated


async def test_tool_calls_are_wishes(gateway: Gateway, vendor: SdkVendor, make: Make) -> None:
    """Names, arguments and ids come back in order, beside what was said."""
    gateway.when(tool="weather").say("I look.", usage=USAGE).call(
        "weather", {"city": "Rom"}, call_id="t1"
    ).call("weather", {"city": "Bonn"}, call_id="t2")

    reply = await make().generate(ask(tools=(WEATHER,)))

    calls = (
        ToolCall(name="weather", arguments={"city": "Rom"}, id="t1"),
        ToolCall(name="weather", arguments={"city": "Bonn"}, id="t2"),
    )
    assert plain(reply) == Answer(
        text="I look.", tool_calls=calls, usage=USAGE, model=vendor.model
    )


async def test_a_tool_that_nobody_offered_is_a_mismatch(gateway: Gateway, make: Make) -> None:
    """A wish for something else is the model's fault."""
    gateway.when().call("wether", {"city": "Rom"})

    assert (await fail(make(), tools=(WEATHER,))).kind is FailureKind.SCHEMA_MISMATCH


async def test_a_call_where_data_was_asked_for(
    gateway: Gateway, vendor: SdkVendor, make: Make
) -> None:
    """A wish is no data."""
    gateway.when().call("weather", {"city": "Rom"})

    reply = await fail(make(model=vendor.new_model), tools=(WEATHER,), schema=Note)

    assert reply.kind is FailureKind.MALFORMED
    assert "'weather' where Note was asked for" in reply.message


async def test_tokens_are_counted_once(gateway: Gateway, vendor: SdkVendor, make: Make) -> None:
    """Cached tokens are part of those read, thought ones part of those written."""
    usage = Usage(input_tokens=100, output_tokens=30, cached_input_tokens=60, reasoning_tokens=20)
    gateway.when().say("Four.", thinking="Two and two.", usage=usage)

    reply = await make(**vendor.thinking).generate(ask())

    assert (reply.text, reply.usage, reply.usage.total_tokens) == ("Four.", usage, 130)


@pytest.mark.parametrize("schema", [None, Note])
async def test_a_refusal_is_the_model_s_own(
    gateway: Gateway, vendor: SdkVendor, make: Make, schema: type[Note] | None
) -> None:
    """What was said, or why not, is kept to be scored."""
    gateway.when().say(refusal="I can't help with that.", usage=Usage(output_tokens=4))

    assert plain(await fail(make(), schema=schema)) == Failure(
        kind=FailureKind.REFUSED,
        message=vendor.refusal,
        text="I can't help with that.",
        usage=Usage(output_tokens=4),
        model=vendor.model,
    )


@pytest.mark.parametrize("text", ["I refuse to be sad.", "The content_filter is a setting."])
async def test_words_that_only_sound_like_a_refusal_are_an_answer(
    gateway: Gateway, make: Make, text: str
) -> None:
    """The vendor's field tells a refusal, and no word of the text."""
    gateway.when().say(text)

    reply = await make().generate(ask())

    assert isinstance(reply, Answer)
    assert reply.text == text


@pytest.mark.parametrize(("vendor", "stop"), CUTS, ids=[f"{v.name}-{s.value}" for v, s in CUTS])
async def test_a_reply_that_did_not_end_is_cut_off(
    gateway: Gateway, make: Make, stop: Stop
) -> None:
    """Half a text is no answer, even where it would parse; a pause is not gone on with."""
    gateway.when().say(STARS, stop=stop)

    reply = await fail(make(), schema=Note)

    assert (reply.kind, reply.text) == (FailureKind.CUT_OFF, STARS)
    assert len(gateway.requests) == 1


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

    assert isinstance(await make().generate(request), Answer)

    assert arguments == {"city": ["Rom"]}
    assert WEATHER.parameters == {"type": "object", "properties": {"city": {"type": "string"}}}
