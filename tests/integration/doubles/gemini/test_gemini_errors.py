"""Errors: from a status alone to the SDK's own exception, with details to act by."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from google.genai import errors

from tierwise.doubles.gateway import Account

if TYPE_CHECKING:
    from conftest import Sdk

    from tierwise.doubles.gateway import Gateway

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    410: "INVALID_ARGUMENT",
    413: "INVALID_ARGUMENT",
    418: "INVALID_ARGUMENT",
    422: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
    529: "INTERNAL",
}


def detail(error: Any, name: str) -> Any:
    """Return the one detail of a kind, or None."""
    details = error.details["error"].get("details", [])
    found = [one for one in details if one["@type"] == f"type.googleapis.com/google.rpc.{name}"]
    return found[0] if found else None


@pytest.mark.parametrize("status", STATUSES)
async def test_each_status_is_the_sdks_exception(gateway: Gateway, sdk: Sdk, status: int) -> None:
    """Class, code, status and a message follow from the number."""
    gateway.when().fail(status)
    with pytest.raises(errors.APIError) as caught:
        await sdk.generate()
    error = caught.value
    assert type(error) is (errors.ClientError if status < 500 else errors.ServerError)
    assert (error.code, error.status) == (status, STATUSES[status])
    assert error.message
    assert len(gateway.requests) == 1


async def test_a_stream_is_refused_as_a_whole(gateway: Gateway, sdk: Sdk) -> None:
    """An error before the first event is the same exception."""
    gateway.when(stream=True).fail(429)
    with pytest.raises(errors.ClientError) as caught:
        await sdk.stream()
    assert caught.value.status == "RESOURCE_EXHAUSTED"


async def test_busy_says_when_to_come_back(gateway: Gateway, sdk: Sdk) -> None:
    """RetryInfo has the delay, QuotaFailure the quota, and the message both."""
    gateway.when().fail(429, retry_after_s=36.5)
    with pytest.raises(errors.ClientError) as caught:
        await sdk.generate()
    assert detail(caught.value, "RetryInfo")["retryDelay"] == "36.5s"
    assert detail(caught.value, "QuotaFailure")["violations"][0]["quotaMetric"]
    assert "Please retry in 36.5s." in caught.value.message


async def test_busy_without_a_delay(gateway: Gateway, sdk: Sdk) -> None:
    """Without a wish there is no RetryInfo: a client has to think of a delay itself."""
    gateway.when().fail(429)
    with pytest.raises(errors.ClientError) as caught:
        await sdk.generate()
    assert detail(caught.value, "RetryInfo") is None


async def test_overloaded_with_a_delay(gateway: Gateway, sdk: Sdk) -> None:
    """Other statuses can bring a delay too, without the quota."""
    gateway.when().fail(503, retry_after_s=1)
    with pytest.raises(errors.ServerError) as caught:
        await sdk.generate()
    assert detail(caught.value, "RetryInfo")["retryDelay"] == "1s"
    assert detail(caught.value, "QuotaFailure") is None


async def test_words_of_the_tests_own(gateway: Gateway, sdk: Sdk) -> None:
    """Message, status and reason can be said."""
    gateway.when().fail(403, message="Not you.", kind="SPECIAL", code="SERVICE_DISABLED")
    with pytest.raises(errors.ClientError) as caught:
        await sdk.generate()
    assert (caught.value.message, caught.value.status) == ("Not you.", "SPECIAL")
    assert detail(caught.value, "ErrorInfo")["reason"] == "SERVICE_DISABLED"


async def test_a_wrong_key(gateway: Gateway, sdk: Sdk) -> None:
    """A 400, as Gemini has it, with a reason by which it is told from other 400s; no key in it."""
    gateway.configure(account=Account(keys=frozenset({"the-right-key"})))
    with pytest.raises(errors.ClientError) as caught:
        await sdk.generate()
    assert (caught.value.code, caught.value.status) == (400, "INVALID_ARGUMENT")
    assert detail(caught.value, "ErrorInfo")["reason"] == "API_KEY_INVALID"
    assert "fake-key" not in json.dumps(caught.value.details)
    assert "the-right-key" not in json.dumps(caught.value.details)


async def test_an_unknown_model(gateway: Gateway, sdk: Sdk) -> None:
    """The message names the model, the version and the method."""
    with pytest.raises(errors.ClientError) as caught:
        await sdk.generate(model="gemini-0")
    assert caught.value.code == 404
    assert "models/gemini-0 is not found for API version v1" in caught.value.message
    assert "generateContent" in caught.value.message


async def test_an_unmatched_request_is_no_invention(gateway: Gateway, sdk: Sdk) -> None:
    """What no rule is for is a 400 in the vendor's shape, and no client retries it."""
    gateway.configure(strict=False)
    gateway.when(last_user="something else", optional=True).say("x")
    with pytest.raises(errors.ClientError) as caught:
        await sdk.generate("hi")
    assert "last_user" in caught.value.message
