"""Gemini's provider keeps the contract of providers, against Gemini in the gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from gateway_subject import KEY_ENV, play, subject_of

from tierwise.contracts import Implementation, ProviderContract, ProviderSubject
from tierwise.providers import FailureKind, GeminiProvider, RecordingProvider

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "AIzaSyB-not-a-key-of-anybody-at-all-4711"
HOST = "contract.localhost"


GATEWAY = play("gemini", HOST, KEY)


@pytest.fixture(scope="module", autouse=True)
def vendor() -> Iterator[None]:
    """Answer while the tests here run, to whoever brings the key."""
    with pytest.MonkeyPatch.context() as patch, GATEWAY.installed():
        patch.setenv(KEY_ENV, KEY)
        yield


def ask(model: str = "any", **settings: Any) -> GeminiProvider:
    """Return a provider that asks the model with this name."""
    return GeminiProvider(
        model, base_url=f"http://{HOST}", key_env=KEY_ENV, real=False, **settings
    )


def make_recorded() -> ProviderSubject:
    """Return the provider under the recorder."""
    return ProviderSubject(
        answering=lambda: RecordingProvider(ask()), calls=lambda provider: provider.calls
    )


class TestGemini(ProviderContract):
    """Alone, and under the recorder; both stand for the vendor itself."""

    implementations = (
        Implementation(
            "gemini in the gateway", lambda: subject_of(ask, KEY, GATEWAY), double_of="gemini"
        ),
        Implementation("recorded gemini", make_recorded, double_of="gemini"),
    )


def test_every_kind_of_failure_but_an_exhausted_script_is_tried() -> None:
    """Nothing is left out by oversight: a vendor has no script that could end."""
    assert {*FailureKind} - {*subject_of(ask, KEY, GATEWAY).failing} == {FailureKind.EXHAUSTED}
