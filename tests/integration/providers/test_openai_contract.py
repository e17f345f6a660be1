"""OpenAI's provider keeps the contract of providers, against OpenAI in the gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from gateway_subject import KEY_ENV, play, subject_of

from tierwise.contracts import Implementation, ProviderContract, ProviderSubject
from tierwise.providers import FailureKind, OpenAIProvider, RecordingProvider

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "sk-not-a-key-of-anybody-4711"
HOST = "openai.localhost"


GATEWAY = play("openai", HOST, KEY)


@pytest.fixture(scope="module", autouse=True)
def vendor() -> Iterator[None]:
    """Answer while the tests here run, to whoever brings the key."""
    with pytest.MonkeyPatch.context() as patch, GATEWAY.installed():
        patch.setenv(KEY_ENV, KEY)
        yield


def ask(model: str = "any", **settings: Any) -> OpenAIProvider:
    """Return a provider that asks the model with this name."""
    return OpenAIProvider(
        model, base_url=f"http://{HOST}", key_env=KEY_ENV, real=False, **settings
    )


def make_recorded() -> ProviderSubject:
    """Return the provider under the recorder."""
    return ProviderSubject(
        answering=lambda: RecordingProvider(ask()), calls=lambda provider: provider.calls
    )


class TestOpenAI(ProviderContract):
    """Alone, and under the recorder; both stand for the vendor itself."""

    implementations = (
        Implementation(
            "openai in the gateway", lambda: subject_of(ask, KEY, GATEWAY), double_of="openai"
        ),
        Implementation("recorded openai", make_recorded, double_of="openai"),
    )


def test_every_kind_of_failure_but_an_exhausted_script_is_tried() -> None:
    """Nothing is left out by oversight: a vendor has no script that could end."""
    assert {*FailureKind} - {*subject_of(ask, KEY, GATEWAY).failing} == {FailureKind.EXHAUSTED}
