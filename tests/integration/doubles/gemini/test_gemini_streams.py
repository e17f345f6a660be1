"""streamGenerateContent: in events for the SDK, in one array for those who ask for no events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from google.genai import errors, types

from tierwise.domain import ToolCall, Usage
from tierwise.doubles.gateway import Gateway, HttpRequest, Say, Stop

if TYPE_CHECKING:
    from conftest import Sdk


async def test_text_comes_in_pieces(gateway: Gateway, sdk: Sdk) -> None:
    """About one piece a word, which together are the text."""
    gateway.when(stream=True).say("one two three")
    chunks = await sdk.stream()
    assert [chunk.text for chunk in chunks] == ["one ", "two ", "three"]


async def test_pieces_as_they_were_said(gateway: Gateway, sdk: Sdk) -> None:
    """A test may cut the text itself, in the middle of a word too."""
    gateway.when().say(Say(text="abc", pieces=("a", "bc")))
    assert [chunk.text for chunk in await sdk.stream()] == ["a", "bc"]


async def test_only_the_last_piece_has_a_reason(gateway: Gateway, sdk: Sdk) -> None:
    """The reason of the end comes once, with the last piece."""
    gateway.when().say(Say(text="a b c", stop=Stop.LENGTH))
    reasons = [chunk.candidates[0].finish_reason for chunk in await sdk.stream()]
    assert reasons == [None, None, types.FinishReason.MAX_TOKENS]


async def test_all_pieces_are_of_one_response(gateway: Gateway, sdk: Sdk) -> None:
    """Id, model, role and index are the same in each."""
    gateway.when().say("a b c")
    chunks = await sdk.stream()
    assert len({chunk.response_id for chunk in chunks}) == 1
    assert {chunk.model_version for chunk in chunks} == {"gemini-2.5-flash"}
    assert {chunk.candidates[0].content.role for chunk in chunks} == {"model"}
    assert {chunk.candidates[0].index for chunk in chunks} == {0}


async def test_usage_is_whole_at_the_end(gateway: Gateway, sdk: Sdk) -> None:
    """The prompt is counted from the start, the answer in the last piece."""
    said = Usage(input_tokens=9, output_tokens=7, cached_input_tokens=4, reasoning_tokens=2)
    gateway.when().say(Say(text="a b", usage=said))
    first, last = (chunk.usage_metadata for chunk in await sdk.stream())
    assert (first.prompt_token_count, first.candidates_token_count) == (9, None)
    assert (last.candidates_token_count, last.thoughts_token_count) == (5, 2)
    assert (last.cached_content_token_count, last.total_token_count) == (4, 16)


async def test_thoughts_come_first(gateway: Gateway, sdk: Sdk) -> None:
    """Thoughts are streamed too, marked, before the text."""
    gateway.when().say(Say(text="yes", thinking="let me see"))
    chunks = await sdk.stream(thinking_config={"include_thoughts": True})
    parts = [chunk.candidates[0].content.parts[0] for chunk in chunks]
    assert [part.text for part in parts] == ["let ", "me ", "see", "yes"]
    assert [bool(part.thought) for part in parts] == [True, True, True, False]


async def test_calls_in_a_stream(gateway: Gateway, sdk: Sdk) -> None:
    """Each call is whole, in a chunk of its own, after the text."""
    calls = (ToolCall(name="a", arguments={"x": 1}), ToolCall(name="b", arguments={}))
    gateway.when().say(Say(text="Let me look.", tool_calls=calls))
    declared = {"function_declarations": [{"name": "a"}, {"name": "b"}]}
    chunks = await sdk.stream(tools=[declared])
    found = [call for chunk in chunks for call in chunk.function_calls or []]
    assert [(call.name, call.args) for call in found] == [("a", {"x": 1}), ("b", {})]
    assert "".join(chunk.text or "" for chunk in chunks[:-2]) == "Let me look."


async def test_several_candidates_in_a_stream(gateway: Gateway, sdk: Sdk) -> None:
    """Every chunk says by its index whose it is."""
    gateway.when().say(Say(text="a b"), Say(text="c"))
    chunks = await sdk.stream(candidate_count=2)
    found = [(c.candidates[0].index, c.candidates[0].content.parts[0].text) for c in chunks]
    assert found == [(0, "a "), (0, "b"), (1, "c")]
    ends = [chunk.candidates[0].finish_reason is not None for chunk in chunks]
    assert ends == [False, True, True]


async def test_a_blocked_prompt_in_a_stream(gateway: Gateway, sdk: Sdk) -> None:
    """One chunk, without candidates, with the feedback."""
    gateway.when().say(Say(stop=Stop.FILTERED, refusal="Not this."))
    (chunk,) = await sdk.stream()
    assert chunk.candidates is None
    assert chunk.prompt_feedback.block_reason == types.BlockedReason.SAFETY
    assert chunk.prompt_feedback.block_reason_message == "Not this."


async def test_an_empty_stream_has_one_chunk(gateway: Gateway, sdk: Sdk) -> None:
    """Nothing said is one chunk that ends."""
    gateway.when().say("")
    (chunk,) = await sdk.stream()
    assert chunk.candidates[0].finish_reason == types.FinishReason.STOP


async def test_lines_within_a_piece(gateway: Gateway, sdk: Sdk) -> None:
    """Line breaks and separators of Unicode break no event."""
    text = "a\n\ndata: b\u2028c\r\nd {"
    gateway.when().say(text)
    assert "".join(chunk.text for chunk in await sdk.stream()) == text


async def test_an_error_in_the_stream(gateway: Gateway, sdk: Sdk) -> None:
    """An error inside a stream of status 200 is the SDK's own exception, with code and status."""
    gateway.when().say("a b c d").error_event(503, after=2)
    with pytest.raises(errors.ServerError) as caught:
        await sdk.stream()
    assert (caught.value.code, caught.value.status) == (503, "UNAVAILABLE")


def ask_raw(gateway: Gateway, path: str, **query: str) -> Any:
    """Ask without the SDK, as curl does."""
    body = {"contents": [{"parts": [{"text": "hi"}]}]}
    http = HttpRequest(
        method="POST",
        path=path,
        query={"key": "k", **query},
        body=json.dumps(body).encode(),
        host="generativelanguage.googleapis.com",
    )
    return gateway.handle_now(http)


_STREAM = "/v1beta/models/gemini-2.5-flash:streamGenerateContent"


def test_an_array_for_those_who_ask_for_no_events() -> None:
    """Without alt=sse the stream is one JSON array, an element at a time."""
    gateway = Gateway()
    gateway.when().say("one two three")
    response = ask_raw(gateway, _STREAM)
    assert ("content-type", "application/json; charset=UTF-8") in response.headers
    found = json.loads(response.body)
    texts = [one["candidates"][0]["content"]["parts"][0]["text"] for one in found]
    assert texts == ["one ", "two ", "three"]
    assert len(response.chunks) == 3


def test_events_end_as_the_vendors_do() -> None:
    """One chunk for each event, each of them `data:`, JSON and an empty line."""
    gateway = Gateway()
    gateway.when().say("one two")
    response = ask_raw(gateway, _STREAM, alt="sse")
    assert ("content-type", "text/event-stream") in response.headers
    for chunk in response.chunks:
        assert chunk.data.startswith(b"data: {")
        assert chunk.data.endswith(b"}\r\n\r\n")
        json.loads(chunk.data[6:])


def test_an_error_within_the_array() -> None:
    """The array stays JSON when an error ends it."""
    gateway = Gateway()
    gateway.when().say("one two three").error_event(500, after=1)
    found = json.loads(ask_raw(gateway, _STREAM).body)
    assert found[1]["error"]["status"] == "INTERNAL"


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_both_versions_are_served(version: str) -> None:
    """/v1, which the SDK asks, and /v1beta of the documentation."""
    gateway = Gateway()
    gateway.when().say("ok")
    response = ask_raw(gateway, f"/{version}/models/gemini-2.5-flash:generateContent")
    assert json.loads(response.body)["candidates"][0]["content"]["parts"] == [{"text": "ok"}]
