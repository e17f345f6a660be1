"""The checks prove themselves: a vendor with a fault in it is told from a sound one."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import pytest
from anthropic_box import HELLO, OLD, WEATHER, Box, post
from anthropic_mistakes import MISTAKES

from tierwise.domain import ToolCall, Usage
from tierwise.doubles.gateway.anthropic import bodies, events, message
from tierwise.doubles.gateway.anthropic.rule import BodyRule
from tierwise.doubles.gateway.saying import Say, Stop

Break = Callable[[pytest.MonkeyPatch], None]
OLDER = HELLO | {"model": OLD, "temperature": 2.0}
RAISED = (AssertionError, anthropic.APIError, LookupError, RuntimeError, ValueError)
RICH = Say(
    thinking="One thought.",
    text="A text in words.",
    tool_calls=(
        ToolCall(name="weather", arguments={"city": "Rom"}, id="t1"),
        ToolCall(name="weather", arguments={"city": "Bonn"}, id="t2"),
    ),
    usage=Usage(input_tokens=50, output_tokens=40, cached_input_tokens=20, reasoning_tokens=10),
)


def _edit_events(edit: Callable[[list[bytes]], list[bytes]]) -> Break:
    real = events.form_events

    def broken(whole: Any, pieces: Any) -> Iterator[bytes]:
        yield from edit(list(real(whole, pieces)))

    return lambda patch: patch.setattr(
        "tierwise.doubles.gateway.anthropic.vendor.form_events", broken
    )


def _edit_message(edit: Callable[[dict[str, Any]], dict[str, Any]]) -> Break:
    real = message.form_message

    def broken(*parts: Any) -> dict[str, Any]:
        return edit(real(*parts))

    return lambda patch: patch.setattr(
        "tierwise.doubles.gateway.anthropic.vendor.form_message", broken
    )


def _swap(old: bytes, new: bytes) -> Callable[[list[bytes]], list[bytes]]:
    return lambda found: [one.replace(old, new) for one in found]


def _drop(part: bytes) -> Callable[[list[bytes]], list[bytes]]:
    return lambda found: [one for one in found if part not in one]


def _put_words_back(event: bytes) -> bool:
    return b"words." not in event and b"message_start" not in event


STREAM_FAULTS: dict[str, Break] = {
    "no message_delta": _edit_events(_drop(b"event: message_delta")),
    "no message_start": _edit_events(_drop(b"event: message_start")),
    "no signature": _edit_events(_drop(b"signature_delta")),
    "no stop of a block": _edit_events(_drop(b"event: content_block_stop")),
    "both calls at one index": _edit_events(_swap(b'"index":3', b'"index":2')),
    "wrong kind of delta": _edit_events(_swap(b"thinking_delta", b"thought_delta")),
    "no tokens at the end": _edit_events(_swap(b'"output_tokens":40', b'"output_tokens":0')),
    "wrong reason": _edit_events(_swap(b'"stop_reason":"tool_use"', b'"stop_reason":"tools"')),
    "words out of order": _edit_events(lambda found: sorted(found, key=_put_words_back)),
    "first part of the arguments lost": _edit_events(_drop(b'"{\\"city\\":\\"R')),
}
WHOLE_FAULTS: dict[str, Break] = {
    "no reason": _edit_message(lambda found: found | {"stop_reason": None}),
    "wrong role": _edit_message(lambda found: found | {"role": "model"}),
    "no usage": _edit_message(lambda found: {k: v for k, v in found.items() if k != "usage"}),
    "arguments as a text": _edit_message(
        lambda found: (
            found
            | {
                "content": [
                    {**one, "input": "{}"} if "input" in one else one for one in found["content"]
                ]
            }
        )
    ),
    "cached tokens counted twice": _edit_message(
        lambda found: found | {"usage": found["usage"] | {"input_tokens": 50}}
    ),
}


def _check_stream(box: Box) -> None:
    whole = box.create("sync", tools=[WEATHER])
    streamed_events, streamed = box.stream("sync", tools=[WEATHER])
    assert streamed.model_dump(exclude={"id"}) == whole.model_dump(exclude={"id"})
    stops = [one for one in streamed_events if one.type == "content_block_stop"]
    assert len(stops) == len(whole.content)


def _check_whole(box: Box) -> None:
    whole = box.create("sync", tools=[WEATHER])
    assert whole.stop_reason == "tool_use"
    assert whole.usage.input_tokens + whole.usage.cache_read_input_tokens == 50


@pytest.mark.parametrize("fault", STREAM_FAULTS)
def test_a_fault_in_the_stream_is_seen(
    box: Box, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """The snapshot of the SDK differs, or the SDK refuses what came."""
    box.says = (RICH,)
    _check_stream(box)

    STREAM_FAULTS[fault](monkeypatch)

    with pytest.raises(
        (AssertionError, anthropic.APIError, LookupError, ValueError, RuntimeError)
    ):
        _check_stream(box)


@pytest.mark.parametrize("fault", WHOLE_FAULTS)
def test_a_fault_in_the_message_is_seen(
    box: Box, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Strict validation refuses it, or a value differs."""
    box.says = (RICH,)
    _check_whole(box)

    WHOLE_FAULTS[fault](monkeypatch)

    with pytest.raises((AssertionError, anthropic.APIError)):
        _check_whole(box)


@pytest.mark.parametrize("left_out", bodies._ALL_RULES, ids=lambda one: one.rule.name)
def test_a_rule_that_is_left_out_is_missed(
    box: Box, monkeypatch: pytest.MonkeyPatch, left_out: BodyRule
) -> None:
    """Without its rule a mistake is served: no other rule stands in for it by accident."""
    kept = tuple(one for one in bodies._ALL_RULES if one is not left_out)
    monkeypatch.setattr(bodies, "_ALL_RULES", kept)
    requests = [
        post(json.dumps(one.bad).encode()) for one in MISTAKES if one.rule == left_out.rule.name
    ] or [post(json.dumps(OLDER).encode(), anthropic_version="2023-06-01")]

    assert 200 in {box.answer(request).status for request in requests}


def test_types_that_are_not_closed_let_a_mistake_through(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the closing of the SDK's types that refuses a field of another vendor's."""
    mistake = post(json.dumps(HELLO | {"max_completion_tokens": 5}).encode())
    assert box.answer(mistake).status == 400
    monkeypatch.setattr("tierwise.doubles.gateway.anthropic.shapes._CLOSED", "ignore")
    monkeypatch.setattr(bodies, "make_validator", bodies.make_validator.__wrapped__)

    assert box.answer(mistake).status == 200


def test_a_reason_without_a_word_would_be_seen(box: Box) -> None:
    """Every way to stop has the vendor's word for it."""
    assert {*message._WORDS} == {*Stop}
