from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway import Stop

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    from tierwise.doubles.gateway import Gateway

MODEL = "gpt-4.1-mini"
TOOL: Any = {
    "type": "function",
    "name": "get_weather",
    "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
    "strict": False,
}


def _stream(client: OpenAI, **more: Any) -> list[Any]:
    asked = {"model": MODEL, "input": "Where?", "stream": True} | more
    return list(client.responses.create(**asked))


def test_a_text_begins_grows_and_ends(gateway: Gateway, client: OpenAI) -> None:
    """Each thing has its event, in the vendor's order, numbered from 0."""
    gateway.when().say("By the sea.")

    events = _stream(client)

    assert [event.type for event in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        *["response.output_text.delta"] * 3,
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert [event.sequence_number for event in events] == list(range(11))
    assert "".join(e.delta for e in events if e.type.endswith("delta")) == "By the sea."
    assert events[0].response.status == "in_progress"
    assert events[0].response.output == []
    assert events[7].text == "By the sea."
    assert events[-1].response.output_text == "By the sea."
    assert events[-1].response.usage.output_tokens == 4
    assert events[2].item.content == []
    assert events[9].item.status == "completed"
    assert len({e.item_id for e in events if hasattr(e, "item_id")} | {events[2].item.id}) == 1


def test_an_event_s_name_is_its_type(gateway: Gateway, client: OpenAI) -> None:
    """On the wire each event has its type as its name too, and there is no `[DONE]`."""
    gateway.when().say("Yes.")

    _stream(client)

    for chunk in gateway.requests[0].response.chunks:
        name, _, data = chunk.data.decode().partition("\n")
        assert name == f"event: {json.loads(data.removeprefix('data: '))['type']}"


async def test_an_async_stream_says_the_same(gateway: Gateway, async_client: AsyncOpenAI) -> None:
    """An async client reads the same events."""
    gateway.when().say("By the séa 🌊.")

    stream = await async_client.responses.create(model=MODEL, input="Where?", stream=True)
    deltas = [e.delta async for e in stream if e.type == "response.output_text.delta"]

    assert "".join(deltas) == "By the séa 🌊."
    assert len(deltas) == 4


def test_function_calls_come_in_pieces(gateway: Gateway, client: OpenAI) -> None:
    """Two calls grow one after the other, each at its place in the output."""
    gateway.when().call("get_weather", {"place": "Zürich"}).call("get_weather", {"place": "Oslo"})

    events = _stream(client, tools=[TOOL])

    written = {0: "", 1: ""}
    for event in events:
        if event.type == "response.function_call_arguments.delta":
            written[event.output_index] += event.delta
    done = [e for e in events if e.type == "response.function_call_arguments.done"]
    assert [json.loads(written[index]) for index in (0, 1)] == [
        {"place": "Zürich"},
        {"place": "Oslo"},
    ]
    assert [event.arguments for event in done] == [written[0], written[1]]
    added = [e.item for e in events if e.type == "response.output_item.added"]
    assert [(item.status, item.arguments) for item in added] == [("in_progress", "")] * 2
    assert [item.arguments for item in events[-1].response.output] == [written[0], written[1]]


def test_reasoning_is_streamed(gateway: Gateway, client: OpenAI) -> None:
    """A summary that was asked for grows before the message does."""
    gateway.when().say("Yes.", thinking="Let me see.")

    events = _stream(client, model="o3", reasoning={"summary": "auto"})

    kinds = [event.type.removeprefix("response.") for event in events]
    assert kinds[2:10] == [
        "output_item.added",
        "reasoning_summary_part.added",
        *["reasoning_summary_text.delta"] * 3,
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
    ]
    assert events[7].text == "Let me see."
    assert [e.output_index for e in events if hasattr(e, "output_index")][-1] == 1


def test_a_refusal_is_streamed(gateway: Gateway, client: OpenAI) -> None:
    """A refusal grows by events of its own."""
    gateway.when().say(refusal="I can't help.")

    events = _stream(client)

    kinds = [event.type for event in events]
    assert kinds.count("response.refusal.delta") == 3
    done = next(event for event in events if event.type == "response.refusal.done")
    assert done.refusal == "I can't help."
    assert not any("output_text" in kind for kind in kinds)


def test_a_stream_that_is_cut_ends_incomplete(gateway: Gateway, client: OpenAI) -> None:
    """The last event of a response that reached its limit is another one."""
    gateway.when().say("By the", stop=Stop.LENGTH)

    last = _stream(client)[-1]

    assert last.type == "response.incomplete"
    assert last.response.incomplete_details.reason == "max_output_tokens"


def test_the_stream_helper_puts_it_together(gateway: Gateway, client: OpenAI, place: Any) -> None:
    """`stream()` parses the schema that it was given, at the end."""
    gateway.when().data({"name": "Pier", "depth": 7})

    with client.responses.stream(model=MODEL, input="Where?", text_format=place) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response()

    assert final.output_parsed == place(name="Pier", depth=7)
    assert kinds[-1] == "response.completed"


async def test_the_async_stream_helper_sees_calls(
    gateway: Gateway, async_client: AsyncOpenAI
) -> None:
    """The async `stream()` tells the arguments so far with each piece."""
    gateway.when().call("get_weather", {"place": "Oslo"})

    async with async_client.responses.stream(model=MODEL, input="Where?", tools=[TOOL]) as stream:
        snapshots = [
            event.snapshot
            async for event in stream
            if event.type == "response.function_call_arguments.delta"
        ]
        final = await stream.get_final_response()

    assert json.loads(snapshots[-1]) == {"place": "Oslo"}
    call: Any = final.output[0]
    assert json.loads(call.arguments) == {"place": "Oslo"}


def test_an_error_inside_a_stream_is_an_event(gateway: Gateway, client: OpenAI) -> None:
    """An error under a status of 200 is the last event, with the vendor's code."""
    gateway.when().say("By the sea.").error_event(500, after=3, message="Broken.")

    events = _stream(client)

    assert [event.type for event in events][-1] == "error"
    assert (events[-1].message, events[-1].code) == ("Broken.", "server_error")
    assert len(events) == 4
