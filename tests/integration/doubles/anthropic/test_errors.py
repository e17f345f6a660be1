"""Which exception the SDK makes of each refusal."""

import asyncio
import json

import anthropic
import pytest
from anthropic.types.shared import ErrorResponse
from anthropic_box import HELLO, KEY, Box

from tierwise.doubles.gateway.saying import Refusal
from tierwise.doubles.gateway.vendor import Moment

MOMENT = Moment(number=7, created=0)
IS_CURRENT = "error_code" in anthropic.APIStatusError.__annotations__
STATUSES = [
    (400, "BadRequestError", "invalid_request_error"),
    (401, "AuthenticationError", "authentication_error"),
    (402, "PaymentRequiredError", "billing_error"),
    (403, "PermissionDeniedError", "permission_error"),
    (404, "NotFoundError", "not_found_error"),
    (405, "APIStatusError", "invalid_request_error"),
    (408, "RequestTimeoutError", "timeout_error"),
    (409, "ConflictError", "conflict_error"),
    (410, "APIStatusError", "not_found_error"),
    (413, "ContentTooLargeError", "request_too_large"),
    (418, "APIStatusError", "invalid_request_error"),
    (422, "UnprocessableEntityError", "invalid_request_error"),
    (429, "RateLimitError", "rate_limit_error"),
    (500, "InternalServerError", "api_error"),
    (502, "InternalServerError", "api_error"),
    (503, "ServiceUnavailableError", "api_error"),
    (504, "GatewayTimeoutError", "timeout_error"),
    (529, "OverloadedError", "overloaded_error"),
]


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("expected", STATUSES, ids=lambda expected: str(expected[0]))
def test_each_status_raises_the_sdk_s_own_class(
    box: Box, how: str, expected: tuple[int, str, str]
) -> None:
    """Class, type, words and id of the request follow from the status alone."""
    status, class_name, kind = expected
    box.fault = Refusal(status=status)

    with pytest.raises(anthropic.APIStatusError) as caught:
        box.create(how)

    error = caught.value
    # The major before knows fewer classes, and raises a base of them for the others.
    assert not IS_CURRENT or type(error).__name__ == class_name
    assert error.status_code == status
    assert isinstance(error.body, dict)
    assert (error.body["error"]["type"], "details" in error.body["error"]) == (kind, False)
    assert error.body["error"]["message"]
    assert error.request_id == "req_010000000000000000000001"


@pytest.mark.skipif(
    not IS_CURRENT,
    reason="classes by error_code came with version 2 of the SDK",
)
@pytest.mark.parametrize(
    ("status", "code", "name"),
    [
        (429, "ramp_limit_exceeded", "RampLimitExceededError"),
        (429, "enforced_spend_limit_reached", "EnforcedSpendLimitReachedError"),
        (400, "tool_name_conflict", "ToolNameConflictError"),
        (404, "thread_not_found", "ThreadNotFoundError"),
        (529, "compaction_unavailable", "CompactionUnavailableError"),
    ],
)
def test_a_code_raises_the_class_of_its_cause(box: Box, status: int, code: str, name: str) -> None:
    """`error.details.error_code` names the cause, and the SDK has a class for each."""
    box.fault = Refusal(status=status, code=code)

    with pytest.raises(anthropic.APIStatusError) as caught:
        box.create("sync")

    assert type(caught.value).__name__ == name
    assert caught.value.error_code == code


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429, 500, 504, 529])
def test_the_body_is_the_sdk_s_error_response(box: Box, status: int) -> None:
    """The SDK's own model of an error reads the body strictly."""
    body = box.vendor.refuse(Refusal(status=status), MOMENT).body

    error = ErrorResponse.model_validate_json(body, strict=True)

    assert error.request_id == "req_010000000000000000000007"


def test_retry_after_is_a_header(box: Box) -> None:
    """A scenario says how long to wait, the client reads it where the vendor puts it."""
    box.fault = Refusal(status=429, retry_after_s=7)

    with pytest.raises(anthropic.RateLimitError) as caught:
        box.create("sync")

    assert caught.value.response.headers["retry-after"] == "7"


def test_no_retry_after_where_none_is_said(box: Box) -> None:
    """A rate limit does not always say how long it lasts."""
    box.fault = Refusal(status=429)

    with pytest.raises(anthropic.RateLimitError) as caught:
        box.create("sync")

    assert "retry-after" not in caught.value.response.headers


@pytest.mark.parametrize(("status", "times"), [(400, 1), (401, 1), (404, 1), (429, 3), (529, 3)])
def test_the_sdk_retries_what_the_vendor_would_serve_later(
    box: Box, status: int, times: int
) -> None:
    """Our fault is asked once, the vendor's as often as the client allows."""
    box.fault = Refusal(status=status, retry_after_s=0.001)

    with pytest.raises(anthropic.APIStatusError):
        box.client(max_retries=2).messages.create(**HELLO)

    assert len(box.sent) == times


def test_a_header_of_the_scenario_wins(box: Box) -> None:
    """An unmatched request can be refused once and for all, whatever its status."""
    box.fault = Refusal(status=500, headers=(("x-should-retry", "false"),))

    with pytest.raises(anthropic.InternalServerError):
        box.client(max_retries=2).messages.create(**HELLO)

    assert len(box.sent) == 1


def test_words_and_type_can_be_said(box: Box) -> None:
    """A refusal may be any other than the usual one of its status."""
    box.fault = Refusal(status=400, message="No cats.", kind="billing_error")

    with pytest.raises(anthropic.BadRequestError, match="No cats") as caught:
        box.create("sync")

    assert caught.value.type == "billing_error"


def test_a_body_can_be_sent_as_it_is(box: Box) -> None:
    """A malformed error is an error of the scenario's own."""
    box.fault = Refusal(status=503, body=b"<html>upstream</html>")

    with pytest.raises(anthropic.InternalServerError) as caught:
        box.create("sync")

    assert caught.value.body == "<html>upstream</html>"


def test_errors_come_to_streams_too(box: Box) -> None:
    """A refused stream is an error before its first event."""
    box.fault = Refusal(status=529)

    with pytest.raises(anthropic.OverloadedError):
        box.stream("sync")


def test_errors_come_to_streams_of_the_async_client(box: Box) -> None:
    """As with the other client."""
    box.fault = Refusal(status=429)

    async def ask() -> None:
        async with box.async_client().messages.stream(**HELLO) as stream:
            await stream.get_final_message()

    with pytest.raises(anthropic.RateLimitError):
        asyncio.run(ask())


def test_an_error_event_holds_the_error_object(box: Box) -> None:
    """Inside a stream the error is the data of an event."""
    event = box.vendor.error_event(None, Refusal(status=529))  # type: ignore[arg-type]  # unused

    name, data = event.decode().strip().split("\n")
    assert name == "event: error"
    assert json.loads(data.removeprefix("data: ")) == {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"},
    }


def test_no_error_repeats_a_key(box: Box) -> None:
    """Whatever is refused, the key that came with it is not in what goes back."""
    box.fault = Refusal(status=401)

    with pytest.raises(anthropic.AuthenticationError):
        box.create("sync")

    assert KEY.encode() not in box.sent[0].body
