"""The provider of servers keeps the contract of providers, against a vendor on loopback.

What the vendor is to do travels in the name of the model; `real=False` says that a stand-in
answers.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from fake_vendor import Asked, FakeVendor, Response, complete, refuse
from vendor_replies import answer_anything

from tierwise.contracts import Implementation, ProviderContract, ProviderSubject
from tierwise.providers import FailureKind, HttpProvider, RecordingProvider

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "tw-4711-very-private"
STATUS = {
    FailureKind.UNAVAILABLE: (503, "overloaded"),
    FailureKind.BUSY: (429, "rate_limit_exceeded"),
    FailureKind.RETIRED: (410, "gone"),
    FailureKind.NO_ENTITLEMENT: (429, "insufficient_quota"),
    FailureKind.NOT_FOUND: (404, "model_not_found"),
    FailureKind.AUTH: (401, "invalid_api_key"),
    FailureKind.BAD_REQUEST: (400, "invalid_request_error"),
}


def act(asked: Asked) -> str | Response:
    """Do what the model's name says; errors repeat all that they were sent."""
    what = asked.body["model"]
    if "say" in asked.body:
        return str(asked.body["say"])
    if what in {"cut_off", "refused"}:
        finish = {"cut_off": "length", "refused": "content_filter"}[what]
        return Response(body=complete("half a", finish=finish))
    if what in {"hang", "timeout"}:
        return Response(way="hang")
    if what == "garbled":
        return Response(body=f'{{"choices": {asked.prompt} {KEY}'.encode())
    if what in set(STATUS):
        status, code = STATUS[FailureKind(what)]
        return refuse(status, code, f"You sent {asked.prompt} with {asked.headers}.")
    return answer_anything(asked)


VENDOR = FakeVendor(act, key=KEY)


@pytest.fixture(scope="module", autouse=True)
def vendor() -> Iterator[None]:
    """Answer while the tests here run, to whoever brings the key."""
    with pytest.MonkeyPatch.context() as patch, VENDOR:
        patch.setenv("CONTRACT_KEY", KEY)
        yield


def ask(model: str = "any", **settings: Any) -> HttpProvider:
    return HttpProvider(VENDOR.url, model, key_env="CONTRACT_KEY", real=False, **settings)


def say(text: str) -> HttpProvider:
    return ask(options={"say": text})


FAILING: dict[FailureKind, Any] = {
    FailureKind.MALFORMED: partial(say, "no json"),
    FailureKind.SCHEMA_MISMATCH: partial(say, '{"text": 5}'),
    FailureKind.CUT_OFF: partial(ask, "cut_off"),
    FailureKind.REFUSED: partial(ask, "refused"),
    FailureKind.GARBLED: partial(ask, "garbled"),
    FailureKind.TIMEOUT: partial(ask, "timeout", timeout_s=0.05),
    **{kind: partial(ask, kind.value) for kind in STATUS},
}


def make_subject() -> ProviderSubject:
    return ProviderSubject(
        answering=ask,
        saying=say,
        failing=FAILING,
        hanging=partial(ask, "hang"),
        begin_s=0.1,
        heard=lambda _: json.dumps(VENDOR.journal[-1].asked.body),
        secrets=(KEY,),
    )


def make_recorded() -> ProviderSubject:
    return ProviderSubject(
        answering=lambda: RecordingProvider(ask()), calls=lambda provider: provider.calls
    )


class TestHttp(ProviderContract):
    """Alone, and under the recorder; both stand for a server that runs a model."""

    implementations = (
        Implementation("http to a stand-in", make_subject, double_of="http"),
        Implementation("recorded http", make_recorded, double_of="http"),
    )


def test_every_kind_of_failure_but_an_exhausted_script_was_tried() -> None:
    """Nothing is left out by oversight: a server has no script that could end."""
    assert {*FailureKind} - {*FAILING} == {FailureKind.EXHAUSTED}
