from __future__ import annotations

import json
from typing import Any

import pytest

from tierwise.domain import Message
from tierwise.providers import Failure, FailureKind, Request
from tierwise.providers.wire.failure import (
    Asker,
    Response,
    garbled,
    read_failure,
    read_retry_after,
)

KEY = "tw-4711-very-private"
PROMPT = "The secret word is canary-7f3a91 and nobody may hear of it."
NOON = 1_000_000_000.0


def asker(prompt: str = PROMPT, *, key: str = KEY) -> Asker:
    """Return one who asked with this prompt and key."""
    request: Request[Any] = Request(messages=(Message(role="user", content=prompt),))
    return Asker(
        endpoint="http://h/v1/chat/completions", key_env="MY_KEY", key=key, request=request
    )


def fail(status: int, body: object, *, key: str = KEY, **headers: str) -> Failure:
    """Return what a response with this status and body is."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = Response(status=status, reason="Reason", body=raw, headers=named)
    return read_failure(response, asker(key=key), now=NOON)


def test_a_message_says_what_was_found_and_where() -> None:
    """Address, status, the vendor's code and its own words are in the message."""
    failure = fail(429, {"error": {"message": "Slow down.", "code": "rate_limit_exceeded"}})
    assert failure.kind is FailureKind.BUSY
    assert failure.message == (
        "http://h/v1/chat/completions answered 429 Reason: rate_limit_exceeded: Slow down."
    )


def test_a_body_that_is_no_json_is_quoted_shortly() -> None:
    """A page of a proxy shows its beginning, on one line."""
    failure = fail(502, b"<html>\n  <b>Bad\xff gateway</b>" + b"x" * 1000)
    assert failure.kind is FailureKind.UNAVAILABLE
    assert "<html> <b>Bad" in failure.message
    assert len(failure.message) < 400


def test_an_empty_body_leaves_the_status() -> None:
    """With nothing said, status and reason are all there is."""
    assert fail(500, b"").message == "http://h/v1/chat/completions answered 500 Reason."


@pytest.mark.parametrize("key", [KEY, ""])
@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_its_variable_and_says_whether_it_is_set(
    status: int, key: str
) -> None:
    """The next step of a wrong key is the variable that it came from."""
    message = fail(status, b"{}", key=key).message
    assert "taken from MY_KEY, which is " + ("set" if key else "not set") in message


def test_a_redirect_says_where_it_leads() -> None:
    """Redirects are not followed, so the message gives the URL to write instead."""
    failure = fail(308, b"", location="https://h/v2")
    assert failure.kind is FailureKind.BAD_REQUEST
    assert "https://h/v2" in failure.message


def test_a_model_that_is_not_found_asks_about_url_and_model() -> None:
    """A 404 may be the path's fault or the model's."""
    assert fail(404, b"nothing here").message.endswith("that has this model?")


@pytest.mark.parametrize(
    "echo",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Incorrect API key provided: {KEY[:8]}***{KEY[-4:]}",
        "Authorization: Bearer " + "q" * 30,
        "key sk-" + "a1" * 12,
        f"Can't handle: {PROMPT}",
        f"Can't handle: {PROMPT[4:]}",
        "Can't handle 'canary-7f3a91'.",
    ],
)
def test_neither_key_nor_prompt_is_repeated(echo: str) -> None:
    """Servers repeat what they were sent; the message leaves it out, whole or in part."""
    for body in ({"error": {"message": echo}}, echo.encode()):
        message = fail(400, body).message
        for secret in ("4711", "canary-7f3a91", "nobody may hear", "q" * 30, "a1a1"):
            assert secret not in message
        assert "[masked key]" in message or "[prompt]" in message


def test_the_rest_of_a_message_stays() -> None:
    """Hiding takes out what was sent and leaves what the server itself said."""
    said = f"Bad input {PROMPT} at field x"
    assert fail(400, {"message": said}).message.endswith("Bad input [prompt] at field x.")


def test_a_garbled_body_is_shown_without_key_and_prompt() -> None:
    """What is no answer and no error either is quoted, cleaned, and can be retried."""
    response = Response(status=200, reason="OK", body=f"{KEY} {PROMPT} tail".encode())
    failure = garbled(response, asker(), "its body is no JSON")
    assert failure.kind is FailureKind.GARBLED
    assert "answered 200, and its body is no JSON" in failure.message
    assert "tail" in failure.message
    assert KEY not in failure.message
    assert "canary" not in failure.message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "9", "retry-after-ms": "soon"}, 9.0),
        ({"retry-after": "Sun, 09 Sep 2001 01:47:10 GMT"}, 30.0),
        ({"retry-after": "Sun, 09 Sep 2001 01:40:00 GMT"}, 0.0),
        (
            {
                "retry-after": "Sun, 09 Sep 2001 03:00:05 GMT",
                "date": "Sun, 09 Sep 2001 03:00:00 GMT",
            },
            5.0,
        ),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_the_time_to_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds and dates; a date is read against the server's own clock."""
    assert read_retry_after(headers, now=NOON) == seconds


def test_the_time_to_wait_goes_with_what_is_retried() -> None:
    """A 503 may carry one too; for what is not retried it means nothing."""
    assert fail(429, b"{}", retry_after="2").retry_after_s == 2.0
    assert fail(503, b"{}", retry_after="2").retry_after_s == 2.0
    assert fail(400, b"{}", retry_after="2").retry_after_s is None


def test_an_absurdly_deep_body_is_a_failure_too() -> None:
    """No body can make the reader raise."""
    assert fail(500, b"[" * 100_000).kind is FailureKind.UNAVAILABLE
