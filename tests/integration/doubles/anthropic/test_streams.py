"""What the SDK's clients see of a message that comes as a stream."""

import asyncio
import json
from typing import Any

import anthropic
import pydantic
import pytest
from anthropic_box import HELLO, WEATHER, Box

from tierwise.domain import ToolCall, Usage
from tierwise.doubles.gateway.saying import Refusal, Say, Stop

both = pytest.mark.parametrize("how", ["sync", "async"])


def _raw(box: Box, **request: Any) -> list[Any]:
    return list(box.client().messages.create(**HELLO | request, stream=True))


@both
def test_a_text_arrives_in_the_vendor_s_order(box: Box, how: str) -> None:
    """Start, block with its deltas, reason, end: each event once and in its place."""
    box.says = (Say(text="Hello there, you."),)

    events, message = box.stream(how)

    raw = [event.type for event in events if event.type not in {"text", "input_json"}]
    assert raw == [
        "message_start",
        "content_block_start",
        *["content_block_delta"] * 3,
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert message.content[0].text == "Hello there, you."
    assert message.stop_reason == "end_turn"


@both
def test_a_stream_makes_the_same_message_as_a_whole_body(box: Box, how: str) -> None:
    """Whatever is said, the SDK's snapshot equals the message that is not streamed."""
    box.says = (
        Say(
            thinking="First this, then that.",
            text="A text in words.",
            tool_calls=(
                ToolCall(name="weather", arguments={"city": "São Paulo"}, id="t1"),
                ToolCall(name="weather", arguments={}, id="t2"),
            ),
            usage=Usage(
                input_tokens=50, output_tokens=40, cached_input_tokens=20, reasoning_tokens=10
            ),
        ),
    )

    whole = box.create(how, tools=[WEATHER])
    _, streamed = box.stream(how, tools=[WEATHER])

    left_out = {"id"}
    assert streamed.model_dump(exclude=left_out) == whole.model_dump(exclude=left_out)


def test_raw_events_pass_strict_validation(box: Box) -> None:
    """Each event is read by the SDK's own models, strictly, and typed as such."""
    box.says = (Say(thinking="Hm.", text="Yes.", refusal="Not so fast."),)

    events = _raw(box)

    assert all(isinstance(event, anthropic.BaseModel) for event in events)
    assert events[-2].delta.stop_details.explanation == "Not so fast."
    assert events[-2].delta.stop_reason == "refusal"


def test_the_start_holds_no_content_and_no_reason(box: Box) -> None:
    """What is not yet known is not told: no blocks, no reason, one token at most."""
    start = _raw(box)[0].message

    assert (start.content, start.stop_reason, start.stop_sequence) == ([], None, None)
    assert (start.usage.input_tokens, start.usage.output_tokens) == (2, 1)


def test_usage_comes_with_the_reason(box: Box) -> None:
    """The delta of the message has the tokens in total, those from the cache told apart."""
    usage = Usage(input_tokens=9, output_tokens=8, cached_input_tokens=4, reasoning_tokens=3)
    box.says = (Say(text="Yes.", usage=usage),)

    told = _raw(box)[-2].usage

    assert (told.input_tokens, told.cache_read_input_tokens, told.output_tokens) == (5, 4, 8)
    assert told.output_tokens_details.thinking_tokens == 3


def test_pieces_of_a_text_are_cut_as_said(box: Box) -> None:
    """A scenario may cut where it likes, inside a word too."""
    box.says = (Say(text="Hello", pieces=("He", "l", "lo")),)

    deltas = [event for event in _raw(box) if event.type == "content_block_delta"]

    assert [event.delta.text for event in deltas] == ["He", "l", "lo"]


def test_pieces_of_another_text_are_not_sent(box: Box) -> None:
    """Pieces that don't add up to the text are not what the model says."""
    box.says = (Say(text="Hello you", pieces=("Bye",)),)

    assert box.stream("sync")[1].content[0].text == "Hello you"


def test_a_tool_s_arguments_come_in_pieces(box: Box) -> None:
    """The block starts empty, the JSON follows in parts that are none by themselves."""
    arguments = {"city": "Reykjavík", "days": [1, 2, 3]}
    box.says = (Say(tool_calls=(ToolCall(name="weather", arguments=arguments),)),)

    events = _raw(box, tools=[WEATHER])

    start = next(event for event in events if event.type == "content_block_start")
    parts = [event.delta.partial_json for event in events if event.type == "content_block_delta"]
    assert start.content_block.input == {}
    assert parts[0] == ""
    assert len(parts) > 3
    assert json.loads("".join(parts)) == arguments
    assert events[-2].delta.stop_reason == "tool_use"


def test_parallel_calls_have_blocks_of_their_own(box: Box) -> None:
    """Each wish has its index, its start and its end before the next begins."""
    wishes = tuple(ToolCall(name="weather", arguments={"city": city}) for city in ("A", "B"))
    box.says = (Say(text="I look.", tool_calls=wishes),)

    events = _raw(box, tools=[WEATHER])

    edges = [
        (event.type.removeprefix("content_block_"), event.index)
        for event in events
        if event.type in {"content_block_start", "content_block_stop"}
    ]
    assert edges == [
        ("start", 0),
        ("stop", 0),
        ("start", 1),
        ("stop", 1),
        ("start", 2),
        ("stop", 2),
    ]


def test_a_thought_ends_with_its_signature(box: Box) -> None:
    """Thinking comes in deltas, the signature in one at the end."""
    box.says = (Say(thinking="Two and two.", text="Four."),)

    kinds = [
        event.delta.type
        for event in _raw(box)
        if event.type == "content_block_delta" and event.index == 0
    ]

    assert kinds == [*["thinking_delta"] * 3, "signature_delta"]


def test_a_thought_that_is_left_out_has_only_its_signature(box: Box) -> None:
    """With `display: omitted` nothing of it is streamed."""
    box.says = (Say(thinking="Two and two.", text="Four."),)

    events = _raw(box, thinking={"type": "adaptive", "display": "omitted"})

    first = [event for event in events if getattr(event, "index", None) == 0]
    assert first[0].content_block.thinking == ""
    assert [event.delta.type for event in first[1:-1]] == ["signature_delta"]


def test_redacted_thinking_comes_whole(box: Box) -> None:
    """A block that has no deltas is complete at its start."""
    blocks = [{"type": "redacted_thinking", "data": "ZW5j"}, {"type": "text", "text": "Four."}]
    box.says = (Say(extra={"content": blocks}),)

    _, message = box.stream("sync")

    assert [block.type for block in message.content] == ["redacted_thinking", "text"]
    assert message.content[0].data == "ZW5j"


def test_a_ping_is_sent_and_is_no_event(box: Box) -> None:
    """The wire carries a ping, which clients step over."""
    events = _raw(box)

    assert b"event: ping\n" in box.sent[0].body
    assert "ping" not in {event.type for event in events}


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (Stop.LENGTH, "max_tokens"),
        (Stop.SEQUENCE, "stop_sequence"),
        (Stop.PAUSED, "pause_turn"),
        (Stop.FILTERED, "refusal"),
    ],
)
def test_each_reason_to_stop_is_streamed(box: Box, stop: Stop, reason: str) -> None:
    """Reasons stand in the delta of the message."""
    box.says = (Say(text="So far", stop=stop),)

    assert box.stream("sync", stop_sequences=["x"])[1].stop_reason == reason


def test_an_empty_answer_is_a_stream_without_blocks(box: Box) -> None:
    """Nothing said is start, reason and end."""
    box.says = (Say(),)

    assert [event.type for event in _raw(box)] == [
        "message_start",
        "message_delta",
        "message_stop",
    ]


def test_each_event_is_a_chunk(box: Box) -> None:
    """The gateway can hold back or cut after any event."""
    _raw(box)

    chunks = [chunk.data for chunk in box.sent[0].chunks]
    assert all(data.endswith(b"\n\n") and data.count(b"\n\n") == 1 for data in chunks)
    assert chunks[-1] == b'event: message_stop\ndata: {"type":"message_stop"}\n\n'
    assert dict(box.sent[0].headers)["content-type"].startswith("text/event-stream")


class Note(pydantic.BaseModel):
    """What is asked for as JSON."""

    title: str


@both
def test_a_stream_with_a_schema_is_parsed(box: Box, how: str) -> None:
    """`stream(output_format=...)` returns the instance at its end."""
    box.says = (Say(text='{"title": "Rom"}'),)

    _, message = box.stream(how, output_format=Note)

    assert message.parsed_output == Note(title="Rom")


@both
def test_the_text_stream_helper_yields_the_words(box: Box, how: str) -> None:
    """`text_stream` is what most programs read."""
    box.says = (Say(text="Hello there, you."),)

    async def collect() -> list[str]:
        async with box.async_client().messages.stream(**HELLO) as stream:
            return [text async for text in stream.text_stream]

    if how == "sync":
        with box.client().messages.stream(**HELLO) as stream:
            words = list(stream.text_stream)
    else:
        words = asyncio.run(collect())

    assert words == ["Hello ", "there, ", "you."]


def test_letters_of_all_kinds_survive_the_stream(box: Box) -> None:
    """Line separators, quotes and emoji are data, and no ends of events."""
    text = 'a\u2028b "c"\r\n\n\x85 😀 \\ d'
    box.says = (Say(text=text),)

    assert box.stream("sync")[1].content[0].text == text


@pytest.mark.parametrize(
    ("status", "kind"),
    [(529, "overloaded_error"), (500, "api_error"), (429, "rate_limit_error")],
)
def test_an_error_inside_a_stream_is_raised(
    box: Box, monkeypatch: pytest.MonkeyPatch, status: int, kind: str
) -> None:
    """An error event in a stream of 200 has the vendor's error object."""
    fault = box.vendor.error_event(None, Refusal(status=status))  # type: ignore[arg-type]  # unused
    monkeypatch.setattr("tierwise.doubles.gateway.anthropic.events._PING", fault)

    with pytest.raises(anthropic.APIStatusError) as caught:
        box.stream("sync")

    assert caught.value.type == kind
