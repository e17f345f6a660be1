from __future__ import annotations

from typing import TYPE_CHECKING, Any

import openai
import pytest

from tierwise.doubles.gateway import Account

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    from tierwise.doubles.gateway import Gateway

MODEL = "gpt-4.1-mini"
BY_STATUS: list[tuple[int, type[openai.APIStatusError], str, str | None]] = [
    (400, openai.BadRequestError, "invalid_request_error", None),
    (401, openai.AuthenticationError, "invalid_request_error", "invalid_api_key"),
    (403, openai.PermissionDeniedError, "request_forbidden",
     "unsupported_country_region_territory"),
    (404, openai.NotFoundError, "invalid_request_error", "model_not_found"),
    (409, openai.ConflictError, "invalid_request_error", None),
    (410, openai.APIStatusError, "invalid_request_error", "model_deprecated"),
    (413, openai.APIStatusError, "invalid_request_error", "request_too_large"),
    (418, openai.APIStatusError, "invalid_request_error", None),
    (422, openai.UnprocessableEntityError, "invalid_request_error", None),
    (429, openai.RateLimitError, "requests", "rate_limit_exceeded"),
    (500, openai.InternalServerError, "server_error", None),
    (502, openai.InternalServerError, "server_error", "bad_gateway"),
    (503, openai.InternalServerError, "server_error", "service_unavailable"),
    (504, openai.InternalServerError, "server_error", "gateway_timeout"),
    (529, openai.InternalServerError, "server_error", "overloaded"),
    (599, openai.InternalServerError, "server_error", None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "kind", "word", "code"), BY_STATUS)
def test_a_status_is_the_sdk_s_own_error(
    gateway: Gateway,
    client: OpenAI,
    ask: list[Any],
    *,
    status: int,
    kind: type[openai.APIStatusError],
    word: str,
    code: str | None,
) -> None:
    """From the status alone the SDK raises its class, with the vendor's type and code."""
    gateway.when().fail(status)

    with pytest.raises(kind) as caught:
        client.chat.completions.create(model=MODEL, messages=ask)

    error = caught.value
    assert type(error) is kind
    assert (error.status_code, error.type, error.code) == (status, word, code)
    assert error.request_id
    assert error.request_id.startswith("req_")
    body: Any = error.body
    assert set(body) == {"message", "type", "param", "code"}
    assert body["message"]


async def test_an_async_client_raises_the_same(
    gateway: Gateway, async_client: AsyncOpenAI, ask: list[Any]
) -> None:
    """An async client raises the class of the status too, also where a stream was asked for."""
    gateway.when().fail(429)

    with pytest.raises(openai.RateLimitError):
        await async_client.chat.completions.create(model=MODEL, messages=ask, stream=True)


def test_a_rate_limit_says_how_long_to_wait(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """Both headers tell the time, and no request is left."""
    gateway.when().fail(429, retry_after_s=1.5)

    with pytest.raises(openai.RateLimitError) as caught:
        client.chat.completions.create(model=MODEL, messages=ask)

    headers = caught.value.response.headers
    assert (headers["retry-after-ms"], headers["retry-after"]) == ("1500", "2")
    assert headers["x-ratelimit-remaining-requests"] == "0"


def test_no_time_is_told_where_none_was_said(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """Without a time there is no such header."""
    gateway.when().fail(429)

    with pytest.raises(openai.RateLimitError) as caught:
        client.chat.completions.create(model=MODEL, messages=ask)

    assert "retry-after" not in caught.value.response.headers


def test_a_quota_is_no_rate_limit(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """A code of the scenario's own brings the type that goes with it."""
    gateway.when().fail(429, code="insufficient_quota")

    with pytest.raises(openai.RateLimitError) as caught:
        client.chat.completions.create(model=MODEL, messages=ask)

    assert (caught.value.code, caught.value.type) == ("insufficient_quota",) * 2


def test_a_body_of_the_scenario_s_own(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """A body is sent as it is said."""
    gateway.when().fail(502, body=b"<html>Bad gateway</html>")

    with pytest.raises(openai.InternalServerError) as caught:
        client.chat.completions.create(model=MODEL, messages=ask)

    assert caught.value.body == "<html>Bad gateway</html>"


def test_a_retry_comes_through(gateway: Gateway, ask: list[Any]) -> None:
    """The SDK's own retry waits as long as it was told, and gets the next answer."""
    gateway.when().fail(429, retry_after_s=0.01).then.say("Yes.")
    client = openai.OpenAI(api_key="sk-test", max_retries=1)

    reply = client.chat.completions.create(model=MODEL, messages=ask)

    assert reply.choices[0].message.content == "Yes."
    assert [entry.status for entry in gateway.requests] == [429, 200]


def test_a_wrong_key_is_refused_and_never_shown(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """A key that is not accepted is refused with 401, and no part of it is in the answer."""
    gateway.configure(account=Account(keys=frozenset({"sk-right"})))

    with pytest.raises(openai.AuthenticationError) as caught:
        client.chat.completions.create(model=MODEL, messages=ask)

    assert caught.value.code == "invalid_api_key"
    assert client.api_key[:6] not in caught.value.response.text


def test_a_right_key_is_accepted(gateway: Gateway, ask: list[Any]) -> None:
    """The key of the account is served."""
    gateway.configure(account=Account(keys=frozenset({"sk-right"})))
    gateway.when().say("Yes.")

    reply = openai.OpenAI(api_key="sk-right").chat.completions.create(model=MODEL, messages=ask)

    assert reply.choices[0].message.content == "Yes."


@pytest.mark.parametrize("header", ["", "Bearer ", "Basic sk-right", "sk-right"])
def test_a_missing_key_is_refused(
    gateway: Gateway, client: OpenAI, ask: list[Any], header: str
) -> None:
    """A header without a key, or in another scheme, is no key."""
    with pytest.raises(openai.AuthenticationError) as caught:
        client.chat.completions.create(
            model=MODEL, messages=ask, extra_headers={"Authorization": header}
        )

    assert "You didn't provide an API key" in caught.value.message
    assert caught.value.code is None
