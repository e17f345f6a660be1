from __future__ import annotations

import json

import httpx2
import pytest
from pydantic import BaseModel

from tierwise.errors import MisuseError
from tierwise.live import Observed, Standing, VerdictTable, observe
from tierwise.providers import Answer, Failure, FailureKind


def response(status: int = 200, body: str = "{}", **headers: str) -> httpx2.Response:
    """Return a response with the request that it answers."""
    request = httpx2.Request("POST", "https://vendor.test/v1", headers=headers)
    return httpx2.Response(status, text=body, request=request)


def test_a_response_is_read_with_its_error() -> None:
    """Status, code and sentence of an error are found in a response."""
    body = json.dumps({"error": {"type": "FreeTierError", "message": "closed"}})
    observed = observe(response(403, body, authorization="Bearer k"))
    assert (observed.status, observed.words, observed.message) == (
        403,
        ("freetiererror",),
        "closed",
    )
    assert observed.sent_key is True


@pytest.mark.parametrize(
    ("headers", "sent"),
    [
        ({"authorization": "Bearer k"}, True),
        ({"x-api-key": "k"}, True),
        ({"x-goog-api-key": "k"}, True),
        ({"authorization": "Bearer "}, False),
        ({"x-api-key": ""}, False),
        ({}, False),
    ],
)
def test_a_response_tells_whether_a_key_was_sent(headers: dict[str, str], *, sent: bool) -> None:
    """An empty key is none, whatever the header is called."""
    assert observe(response(401, **headers)).sent_key is sent


def test_a_response_without_its_request_leaves_the_key_open() -> None:
    """Where nobody knows whether a key was sent, nothing is claimed."""
    assert observe(httpx2.Response(401, text="")).sent_key is None


def test_the_caller_may_say_whether_a_key_was_sent() -> None:
    """What the caller knows wins."""
    assert observe(Observed.read(401), sent_key=True).sent_key is True


class StatusError(Exception):
    """An SDK's error as it looks from outside."""

    def __init__(self, text: str, **known: object) -> None:
        super().__init__(text)
        self.__dict__.update(known)


def test_an_error_of_an_sdk_is_read_by_its_response() -> None:
    """The response that an error brings has the body and the headers."""
    error = StatusError("no", response=response(410, authorization="Bearer k"))
    assert (observe(error).status, observe(error).sent_key) == (410, True)


@pytest.mark.parametrize("name", ["status_code", "code"])
def test_an_error_of_an_sdk_is_read_by_its_status(name: str) -> None:
    """An error that keeps the status alone still tells it."""
    assert observe(StatusError("busy", **{name: 429})).status == 429


@pytest.mark.parametrize(
    "error", [TimeoutError("slow"), ConnectionResetError("reset"), httpx2.ConnectError("refused")]
)
def test_an_error_of_the_wire_is_no_answer(error: Exception) -> None:
    """What never arrived has no status and says why."""
    observed = observe(error)
    assert observed.status is None
    assert type(error).__name__ in observed.failure


@pytest.mark.parametrize("thing", [None, True, 200, "200", ValueError("a bug"), object()])
def test_what_tells_nothing_is_refused(thing: object) -> None:
    """A probe that returns nothing, or fails by its own mistake, was no look at the vendor."""
    with pytest.raises(MisuseError, match="tells nothing about a vendor's answer"):
        observe(thing)


class Completion(BaseModel):
    id: str = "c"


def test_what_an_sdk_returns_is_a_success() -> None:
    """An SDK raises for anything else."""
    assert observe(Completion()).is_success
    assert observe(Answer(text="hi")).is_success


KINDS = {
    FailureKind.MALFORMED: Standing.USABLE,
    FailureKind.SCHEMA_MISMATCH: Standing.USABLE,
    FailureKind.REFUSED: Standing.USABLE,
    FailureKind.CUT_OFF: Standing.USABLE,
    FailureKind.GARBLED: Standing.UNREACHABLE,
    FailureKind.TIMEOUT: Standing.UNREACHABLE,
    FailureKind.UNAVAILABLE: Standing.UNREACHABLE,
    FailureKind.BUSY: Standing.BUSY,
    FailureKind.RETIRED: Standing.RETIRED,
    FailureKind.NO_ENTITLEMENT: Standing.NO_ENTITLEMENT,
    FailureKind.NOT_FOUND: Standing.OUR_FAULT,
    FailureKind.AUTH: Standing.OUR_FAULT,
    FailureKind.BAD_REQUEST: Standing.OUR_FAULT,
    FailureKind.EXHAUSTED: Standing.OUR_FAULT,
}


@pytest.mark.parametrize("kind", FailureKind)
def test_each_failure_of_a_provider_has_its_standing(kind: FailureKind) -> None:
    """A model's own misbehaviour was seen; a vendor who moved was not; the rest is a fault."""
    verdict = VerdictTable.known().judge(Failure(kind=kind, message="m"))
    assert verdict.standing is KINDS[kind]


def test_an_error_inside_a_success_is_no_success() -> None:
    """A status of 200 whose body is an error is not taken for an answer."""
    assert not Observed.read(200, '{"error": {"message": "down"}}').is_success
    assert not Observed.read(200, '{"message": "no such deployment"}').is_success


@pytest.mark.parametrize(
    "body",
    ['{"choices": []}', '{"type": "message", "content": []}', '{"output": [], "error": null}', ""],
)
def test_the_successes_of_vendors_are_successes(body: str) -> None:
    """What is called a message in a success is no error."""
    assert Observed.read(200, body).is_success


def test_an_observation_is_one_short_line_without_keys() -> None:
    """What is printed holds neither a page of text nor a secret."""
    key = "sk-ant-0123456789abcdef0123"
    body = json.dumps({"error": {"message": f"bad {key}\n" + "x " * 200, "code": "c"}})
    line = str(Observed.read(400, body))
    assert line.startswith("400 c: bad [masked key] x")
    assert len(line) == 160
    assert "\n" not in line
    assert str(Observed(failure="TimeoutError: slow")) == "TimeoutError: slow"
    assert str(Observed.read(503, "")) == "503"
