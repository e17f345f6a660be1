"""Gemini's provider keeps the contract of providers, against Gemini in a box.

What the vendor is to do travels in the name of the model; `real=False` says that a stand-in
answers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.contracts import ProviderContract, ProviderSubject
from tierwise.gateway import Account, Gateway, Stop
from tierwise.providers import FailureKind, GeminiProvider, RecordingProvider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.gateway import Asked

KEY = "AIzaSyB-not-a-key-of-anybody-at-all-4711"
HOST = "contract.localhost"
STATUS = {
    FailureKind.UNAVAILABLE: 503,
    FailureKind.BUSY: 429,
    FailureKind.RETIRED: 410,
    FailureKind.NO_ENTITLEMENT: 403,
    FailureKind.NOT_FOUND: 404,
    FailureKind.AUTH: 401,
    FailureKind.BAD_REQUEST: 400,
}


def play() -> Gateway:
    """Do what the model's name says; errors repeat all that they were sent."""
    gateway = Gateway(
        account=Account(keys=frozenset({KEY}), any_model=True), hosts={HOST: "gemini"}
    )
    gateway.configure(strict=False, real_time=True)
    for kind, status in STATUS.items():
        gateway.when(model=kind.value).fail(status, message=f"{KEY} sent this to {status}.")
    gateway.when(model="refused").say(refusal="No.")
    gateway.when(model="cut_off").say("half a", stop=Stop.LENGTH)
    gateway.when(model="garbled").say("whole").malformed_body()
    for name in ("hang", "timeout"):
        gateway.when(model=name).say("late").slow(before_s=60)
    gateway.when(model="say *").answer(read_name)
    gateway.when(schema=True).auto()
    gateway.when().say("Good day.")
    return gateway


def read_name(asked: Asked) -> str:
    """Return the text that a name of a model has in it, as hexadecimal digits."""
    return bytes.fromhex(asked.model.removeprefix("say ")).decode()


@pytest.fixture(scope="module", autouse=True)
def vendor() -> Iterator[None]:
    """Answer while the tests here run, to whoever brings the key."""
    with pytest.MonkeyPatch.context() as patch, play().installed():
        patch.setenv("CONTRACT_KEY", KEY)
        yield


def ask(model: str = "any", **settings: Any) -> GeminiProvider:
    """Return a provider that asks the model with this name."""
    address = f"http://{HOST}"
    return GeminiProvider(model, base_url=address, key_env="CONTRACT_KEY", real=False, **settings)


def say(text: str) -> GeminiProvider:
    """Return a provider whose model says this."""
    return ask(f"say {text.encode().hex()}")


FAILING: dict[FailureKind, Any] = {
    FailureKind.MALFORMED: partial(say, "no json"),
    FailureKind.SCHEMA_MISMATCH: partial(say, '{"text": 5}'),
    FailureKind.CUT_OFF: partial(ask, "cut_off"),
    FailureKind.REFUSED: partial(ask, "refused"),
    FailureKind.GARBLED: partial(ask, "garbled"),
    FailureKind.TIMEOUT: partial(ask, "timeout", timeout_s=0.3),
    **{kind: partial(ask, kind.value) for kind in STATUS},
}


class TestGemini(ProviderContract):
    """Alone, and under the recorder."""

    implementations = {  # noqa: RUF012  written as a user would
        "gemini": ProviderSubject(
            answering=ask,
            saying=say,
            failing=FAILING,
            hanging=partial(ask, "hang"),
            begin_s=0.5,
            secrets=(KEY,),
        ),
        "recorded gemini": ProviderSubject(
            answering=lambda: RecordingProvider(ask()), calls=lambda provider: provider.calls
        ),
    }


def test_every_kind_of_failure_but_an_exhausted_script_was_tried() -> None:
    """Nothing is left out by oversight: a vendor has no script that could end."""
    assert {*FailureKind} - {*FAILING} == {FailureKind.EXHAUSTED}
