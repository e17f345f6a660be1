"""One vendor for all tests: it holds no state. Each test has a box of its own."""

import pytest
from anthropic_box import Box

from tierwise.doubles.gateway.anthropic import AnthropicVendor


@pytest.fixture(autouse=True)
def _no_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no SDK look for a profile below the home folder."""
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", "no-such-folder")


@pytest.fixture(scope="session")
def vendor() -> AnthropicVendor:
    """Return Anthropic, its types loaded once."""
    return AnthropicVendor()


@pytest.fixture
def box(vendor: AnthropicVendor) -> Box:
    """Return the vendor with clients of the SDK on it."""
    return Box(vendor)
