"""The providers of all vendors keep the contract of providers, against them in the gateway."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from gateway_subject import KEY_ENV, play, subject_of

from tierwise.contracts import Implementation, ProviderContract, ProviderSubject
from tierwise.providers import (
    AnthropicProvider,
    FailureKind,
    GeminiProvider,
    OpenAIProvider,
    RecordingProvider,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.providers import Provider

KEY = "sk-not-a-key-of-anybody-4711"
HOSTS = {f"contract.{name}.localhost": name for name in ("anthropic", "gemini", "openai")}
GATEWAY = play(HOSTS, KEY)
OLDER = partial(AnthropicProvider, api_version="2023-06-01")


@pytest.fixture(scope="module", autouse=True)
def vendors() -> Iterator[None]:
    """Answer while the tests here run, to whoever brings the key."""
    with pytest.MonkeyPatch.context() as patch, GATEWAY.installed():
        patch.setenv(KEY_ENV, KEY)
        yield


def ask(vendor: str, make: Callable[..., Provider], model: str = "any", **rest: Any) -> Provider:
    """Return a provider that asks the vendor's model with this name."""
    host = f"contract.{vendor}.localhost"
    return make(model, base_url=f"http://{host}", key_env=KEY_ENV, real=False, **rest)


def alone(vendor: str, make: Callable[..., Provider]) -> ProviderSubject:
    """Return the provider as it is."""
    return subject_of(
        partial(ask, vendor, make), KEY, GATEWAY, takes_temperature=make is not AnthropicProvider
    )


def recorded(vendor: str, make: Callable[..., Provider]) -> ProviderSubject:
    """Return the provider under the recorder."""
    return ProviderSubject(
        answering=lambda: RecordingProvider(ask(vendor, make)),
        calls=lambda provider: provider.calls,
        takes_temperature=make is not AnthropicProvider,
    )


def both(vendor: str, make: Callable[..., Provider], name: str) -> tuple[Implementation, ...]:
    """Return both as what stands for the vendor itself."""
    return (
        Implementation(f"{name} in the gateway", partial(alone, vendor, make), double_of=vendor),
        Implementation(f"recorded {name}", partial(recorded, vendor, make), double_of=vendor),
    )


class TestVendors(ProviderContract):
    """Each vendor, and Anthropic also by the older version of its API, which has a temperature."""

    implementations = (
        *both("anthropic", AnthropicProvider, "anthropic"),
        *both("anthropic", OLDER, "anthropic of 2023"),
        *both("gemini", GeminiProvider, "gemini"),
        *both("openai", OpenAIProvider, "openai"),
    )


@pytest.mark.parametrize(
    ("vendor", "make"),
    [("anthropic", AnthropicProvider), ("gemini", GeminiProvider), ("openai", OpenAIProvider)],
)
def test_every_kind_of_failure_but_an_exhausted_script_is_tried(
    vendor: str, make: Callable[..., Provider]
) -> None:
    """Nothing is left out by oversight: a vendor has no script that could end."""
    assert {*FailureKind} - {*alone(vendor, make).failing} == {FailureKind.EXHAUSTED}
