from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from openai import APIError

from tierwise.domain import Usage
from tierwise.doubles.gateway import Stop

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    from tierwise.doubles.gateway import Gateway

MODEL = "gpt-4.1-mini"
SPOKEN = "By the séa, 🌊 of course."


def test_a_stream_says_the_text_in_pieces(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """The role comes first, then a piece a word, then the reason to stop, all with one id."""
    gateway.when().say(SPOKEN)

    chunks = list(client.chat.completions.create(model=MODEL, messages=ask, stream=True))

    deltas = [chunk.choices[0].delta for chunk in chunks]
    assert (deltas[0].role, deltas[0].content) == ("assistant", "")
    assert [delta.content for delta in deltas[1:-1]] == [
        "By", " the", " séa,", " 🌊", " of", " course.",
    ]  # fmt: skip
    assert deltas[-1].content is None
    finish = [chunk.choices[0].finish_reason for chunk in chunks]
    assert finish == [None] * 7 + ["stop"]
    assert len({(chunk.id, chunk.created, chunk.model, chunk.object) for chunk in chunks}) == 1
    assert {chunk.usage for chunk in chunks} == {None}


async def test_an_async_stream_says_the_same(
    gateway: Gateway, async_client: AsyncOpenAI, ask: list[Any]
) -> None:
    """An async client reads the same pieces."""
    gateway.when().say(SPOKEN)

    stream = await async_client.chat.completions.create(model=MODEL, messages=ask, stream=True)
    text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])

    assert text == SPOKEN


def test_the_pieces_can_be_said(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """A stream is cut where the scenario cuts it."""
    gateway.when().say("abcdef", pieces=["ab", "cde", "f"])

    chunks = list(client.chat.completions.create(model=MODEL, messages=ask, stream=True))

    assert [c.choices[0].delta.content for c in chunks[1:-1]] == ["ab", "cde", "f"]


def test_the_stream_on_the_wire_ends_with_done(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """Events are `data:` lines with an empty line after each; the last one is `[DONE]`."""
    gateway.when().say("Yes.")

    list(client.chat.completions.create(model=MODEL, messages=ask, stream=True))

    response = gateway.requests[0].response
    events = [chunk.data.decode() for chunk in response.chunks]
    assert all(event.startswith("data: ") and event.endswith("\n\n") for event in events)
    assert events[-1] == "data: [DONE]\n\n"
    assert dict(response.headers)["content-type"].startswith("text/event-stream")


def test_usage_comes_last_when_it_is_asked_for(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """With include_usage one more chunk has the usage and no choice; the others say null."""
    gateway.when().say("Yes.", usage=Usage(input_tokens=5, output_tokens=2))

    chunks = list(
        client.chat.completions.create(
            model=MODEL, messages=ask, stream=True, stream_options={"include_usage": True}
        )
    )

    assert chunks[-1].choices == []
    assert chunks[-1].usage
    assert (chunks[-1].usage.prompt_tokens, chunks[-1].usage.total_tokens) == (5, 7)
    assert all("usage" in chunk.model_fields_set for chunk in chunks)
    assert {chunk.usage for chunk in chunks[:-1]} == {None}


def test_parallel_tool_calls_come_in_pieces(
    gateway: Gateway, client: OpenAI, ask: list[Any], weather: Any
) -> None:
    """A call's name and id come once, its arguments in pieces, each under its own index."""
    gateway.when().call("get_weather", {"place": "Zürich"}, call_id="call_a").call(
        "get_weather", {"place": "Oslo"}, call_id="call_b"
    )

    stream = client.chat.completions.create(
        model=MODEL, messages=ask, tools=[weather], stream=True
    )
    written: dict[int, str] = {}
    named: list[Any] = []
    for chunk in stream:
        for call in chunk.choices[0].delta.tool_calls or ():
            function = call.function
            assert function
            if call.id:
                named.append((call.index, call.id, call.type, function.name))
            written[call.index] = written.get(call.index, "") + (function.arguments or "")
        finish = chunk.choices[0].finish_reason

    assert named == [
        (0, "call_a", "function", "get_weather"),
        (1, "call_b", "function", "get_weather"),
    ]
    assert {index: json.loads(text) for index, text in written.items()} == {
        0: {"place": "Zürich"},
        1: {"place": "Oslo"},
    }
    assert finish == "tool_calls"


def test_arguments_are_streamed_in_more_than_one_piece(
    gateway: Gateway, client: OpenAI, ask: list[Any], weather: Any
) -> None:
    """Nobody who reads the first piece alone has the arguments."""
    gateway.when().call("get_weather", {"place": "Llanfairpwllgwyngyll"})

    stream = client.chat.completions.create(
        model=MODEL, messages=ask, tools=[weather], stream=True
    )
    pieces = [
        call.function.arguments
        for chunk in stream
        for call in chunk.choices[0].delta.tool_calls or ()
        if call.function and call.function.arguments
    ]

    assert len(pieces) > 2


def test_a_refusal_is_streamed(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """A refusal comes in pieces of its own, and no content beside."""
    gateway.when().say(refusal="I can't help.")

    chunks = list(client.chat.completions.create(model=MODEL, messages=ask, stream=True))

    assert "".join(c.choices[0].delta.refusal or "" for c in chunks) == "I can't help."
    assert not any(chunk.choices[0].delta.content for chunk in chunks)
    assert chunks[-1].choices[0].finish_reason == "stop"


def test_n_choices_are_streamed(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """Each choice comes under its own index and stops by itself."""
    gateway.when().say("One two.", "Three.")

    chunks = list(client.chat.completions.create(model=MODEL, messages=ask, n=2, stream=True))

    said = {0: "", 1: ""}
    for chunk in chunks:
        said[chunk.choices[0].index] += chunk.choices[0].delta.content or ""
    assert said == {0: "One two.", 1: "Three."}
    assert [c.choices[0].index for c in chunks if c.choices[0].finish_reason] == [0, 1]


def test_the_stream_helper_puts_it_together(
    gateway: Gateway, client: OpenAI, ask: list[Any], weather: Any
) -> None:
    """`stream()` sees deltas and ends, and its last completion is whole."""
    gateway.when().say("One moment.").call("get_weather", {"place": "Oslo"})

    with client.chat.completions.stream(model=MODEL, messages=ask, tools=[weather]) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_completion()

    assert "content.delta" in kinds
    assert "content.done" in kinds
    assert kinds.count("tool_calls.function.arguments.done") == 1
    message = final.choices[0].message
    assert message.content == "One moment."
    assert message.tool_calls
    assert message.tool_calls[0].function.parsed_arguments == {"place": "Oslo"}
    assert final.choices[0].finish_reason == "tool_calls"


async def test_the_async_stream_helper_parses(
    gateway: Gateway, async_client: AsyncOpenAI, ask: list[Any], place: Any
) -> None:
    """The async `stream()` parses the schema that it was given."""
    gateway.when().data({"name": "Pier", "depth": 7})

    async with async_client.chat.completions.stream(
        model=MODEL, messages=ask, response_format=place
    ) as stream:
        final = await stream.get_final_completion()

    assert final.choices[0].message.parsed == place(name="Pier", depth=7)


def test_the_stream_helper_sees_a_refusal(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """`stream()` tells a refusal by events of its own."""
    gateway.when().say(refusal="Not that.")

    with client.chat.completions.stream(model=MODEL, messages=ask) as stream:
        kinds = {event.type for event in stream}

    assert {"refusal.delta", "refusal.done"} <= kinds


@pytest.mark.parametrize(
    ("stop", "reason"), [(Stop.LENGTH, "length"), (Stop.FILTERED, "content_filter")]
)
def test_why_a_stream_stopped(
    gateway: Gateway, client: OpenAI, ask: list[Any], *, stop: Stop, reason: str
) -> None:
    """The last chunk of a choice says why it stopped."""
    gateway.when().say("By", stop=stop)

    chunks = list(client.chat.completions.create(model=MODEL, messages=ask, stream=True))

    assert chunks[-1].choices[0].finish_reason == reason


def test_logprobs_are_streamed(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """Each piece brings its own log probability."""
    gateway.when().say("By the sea.")

    chunks = list(
        client.chat.completions.create(model=MODEL, messages=ask, stream=True, logprobs=True)
    )

    tokens = [
        token.token
        for chunk in chunks
        if chunk.choices[0].logprobs
        for token in chunk.choices[0].logprobs.content or ()
    ]
    assert tokens == ["By", " the", " sea."]


def test_an_error_inside_a_stream_is_raised(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """An error event under a status of 200 is raised with the vendor's words."""
    gateway.when().say("By the sea.").error_event(500, after=2)

    said = []
    with pytest.raises(APIError) as caught:
        said.extend(client.chat.completions.create(model=MODEL, messages=ask, stream=True))

    assert len(said) == 2
    assert caught.value.type == "server_error"
    assert "server had an error" in caught.value.message
