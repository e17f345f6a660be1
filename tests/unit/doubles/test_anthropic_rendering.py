"""Messages, events and errors of Anthropic's, byte by byte."""

from __future__ import annotations

import base64
import json

import pytest

from tierwise.doubles.gateway.anthropic.errors import form_error_headers
from tierwise.doubles.gateway.anthropic.events import form_event, form_events
from tierwise.doubles.gateway.anthropic.signing import is_signed, sign
from tierwise.doubles.gateway.saying import Refusal

MESSAGE = {
    "id": "msg_1",
    "content": [{"type": "text", "text": "é b"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 2},
}


def test_an_event_is_two_lines_and_a_blank_one() -> None:
    """Name and data, letters as they are."""
    assert form_event("x", {"text": "é"}) == 'event: x\ndata: {"type":"x","text":"é"}\n\n'.encode()


def test_a_text_is_streamed_word_by_word() -> None:
    """The whole stream of one short text."""
    names = [event.split(b"\n")[0].decode().split(" ")[1] for event in form_events(MESSAGE, ())]

    assert names == [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


def test_the_message_is_not_changed_by_streaming_it() -> None:
    """One answer may be sent to many."""
    before = json.dumps(MESSAGE)
    list(form_events(MESSAGE, ()))

    assert json.dumps(MESSAGE) == before


@pytest.mark.parametrize(
    ("thinking", "signature", "fits"),
    [
        ("a", sign("a"), True),
        ("", sign("a"), True),
        ("b", sign("a"), False),
        ("a", "not base64", False),
        ("a", "", False),
        ("a", base64.b64encode(b"of another vendor").decode(), True),
        ("a", "é", False),
    ],
)
def test_a_signature_tells_a_changed_thought(thinking: str, signature: str, fits: bool) -> None:  # noqa: FBT001  a row
    """Ours has to fit, and another's has to be one at least."""
    assert is_signed(thinking, signature) is fits


@pytest.mark.parametrize(
    ("refusal", "headers"),
    [
        (Refusal(status=400), [("x-should-retry", "false")]),
        (Refusal(status=429), [("x-should-retry", "true")]),
        (Refusal(status=529), [("x-should-retry", "true")]),
        (
            Refusal(status=429, retry_after_s=1.5),
            [("retry-after", "1.5"), ("x-should-retry", "true")],
        ),
        (
            Refusal(status=429, retry_after_s=1, headers=(("Retry-After", "9"),)),
            [("x-should-retry", "true"), ("Retry-After", "9")],
        ),
        (
            Refusal(status=500, headers=(("X-Should-Retry", "false"),)),
            [("X-Should-Retry", "false")],
        ),
    ],
)
def test_headers_of_a_refusal_come_once(refusal: Refusal, headers: list[tuple[str, str]]) -> None:
    """The scenario's own go before the vendor's."""
    assert list(form_error_headers(refusal)) == headers
