"""A vendor on loopback, and ways to ask it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from fake_vendor import FakeVendor
from sdk_vendors import VENDORS

from tierwise.domain import Message
from tierwise.providers import HttpProvider, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sdk_vendors import Make, SdkVendor

    from tierwise.gateway import Gateway

_WAITING_S = 10.0


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out a key of the developer's own."""
    monkeypatch.delenv("TIERWISE_HTTP_KEY", raising=False)


@pytest.fixture(params=VENDORS, ids=lambda vendor: vendor.name)
def vendor(request: pytest.FixtureRequest) -> SdkVendor:
    """Each vendor that is asked through an SDK; a file about one alone says which."""
    found: SdkVendor = request.param
    return found


@pytest.fixture
def make(vendor: SdkVendor, gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return a maker of the vendor's providers, which ask the gateway."""
    return vendor.play(gateway, monkeypatch)


@pytest.fixture
def serve() -> Iterator[Callable[..., FakeVendor]]:
    """Start vendors that are stopped at the end of the test."""
    started: list[FakeVendor] = []

    def start(*args: Any, **settings: Any) -> FakeVendor:
        started.append(FakeVendor(*args, **settings).start())
        return started[-1]

    yield start
    for vendor in started:
        vendor.stop()


@pytest.fixture(scope="session")
def connect() -> Callable[..., HttpProvider]:
    """Make a provider that asks a vendor; `real=False` since this tier may reach no model."""

    def make(vendor: FakeVendor, **settings: Any) -> HttpProvider:
        return HttpProvider(vendor.url, "fake", **({"real": False} | settings))

    return make


@pytest.fixture(scope="session")
def form() -> Callable[..., Request[Any]]:
    """Make a request with a prompt."""

    def make(prompt: str = "Where is it?", **fields: Any) -> Request[Any]:
        return Request(messages=(Message(role="user", content=prompt),), **fields)

    return make


@pytest.fixture(scope="session")
def await_that() -> Callable[[Callable[[], object]], None]:
    """Wait for something that another thread brings about, and fail when it does not."""

    def wait(happened: Callable[[], object]) -> None:
        deadline = time.monotonic() + _WAITING_S
        while not happened():
            assert time.monotonic() < deadline, "it did not happen"
            time.sleep(0.005)

    return wait
