"""Who answers: the vendor itself, or somebody else under the vendor's protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.evals.pricing import Price, PriceList
from tierwise.providers import provider_from_spec

if TYPE_CHECKING:
    from tierwise.providers import Provider

OWN = {
    "openai:gpt-4.1-mini": "https://api.openai.com/v1",
    "anthropic:claude-sonnet-4-5": "https://api.anthropic.com",
    "gemini:gemini-2.5-flash": "https://generativelanguage.googleapis.com",
}
VARIABLES = {
    "openai": "OPENAI_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
    "gemini": "GOOGLE_GEMINI_BASE_URL",
}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES.values():
        monkeypatch.delenv(name, raising=False)


def elsewhere(spec: str, url: str, how: str, monkeypatch: pytest.MonkeyPatch) -> Provider:
    if how == "option":
        return provider_from_spec(f"{spec},base_url={url},key_env=SOME_KEY")
    monkeypatch.setenv(VARIABLES[spec.partition(":")[0]], url)
    return provider_from_spec(spec)


@pytest.mark.parametrize("spec", OWN)
def test_the_vendor_itself_goes_by_its_name_alone(spec: str) -> None:
    """Also where its address is written out; its price is that of the list."""
    own, written = provider_from_spec(spec), provider_from_spec(f"{spec},base_url={OWN[spec]}")
    assert own.name == written.name == spec
    assert PriceList().rate_of(own) is not None
    assert PriceList().rate_of(written) is not None


@pytest.mark.parametrize("spec", OWN)
@pytest.mark.parametrize("how", ["option", "variable"])
@pytest.mark.parametrize("where", ["127.0.0.1:4010", "127.0.0.1:4011", "proxy.example"])
def test_another_server_is_another_provider(
    spec: str, how: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named with host and port, and the vendor's price is not its own."""
    monkeypatch.setenv("SOME_KEY", "x")
    provider = elsewhere(spec, f"http://{where}/v1", how, monkeypatch)
    assert provider.name == f"{spec} at {where}"
    assert PriceList().rate_of(provider) is None
    own = PriceList({spec.partition(":")[2]: Price(input=1.0, output=1.0)})
    assert own.rate_of(provider) is not None
