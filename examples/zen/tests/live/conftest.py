"""The live tier asks the vendor at ZEN_BASE_URL; without one, a gateway plays it, on any day."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from zen import Client, load_catalogue
from zen.client import BASE_URL
from zen_vendor import play

if TYPE_CHECKING:
    from tierwise.gateway import Gateway
    from tierwise.live import Live


@pytest.fixture(autouse=True)
def _world(request: pytest.FixtureRequest) -> None:
    """Play the vendor where no address of it is given."""
    if "ZEN_BASE_URL" not in os.environ:
        gateway: Gateway = request.getfixturevalue("gateway")
        play(gateway, os.environ.get("ZEN_ROTATION", "calm"))


@pytest.fixture
def free_client() -> Client:
    """Return a client without a key: free models need none."""
    return Client(load_catalogue(), base_url=os.environ.get("ZEN_BASE_URL", BASE_URL))


@pytest.fixture
def paid_client(live: Live) -> Client:
    """Return a client with the key; without one its tests are unobservable."""
    key = live.secret("ZEN_KEY")
    return Client(load_catalogue(), key=key, base_url=os.environ.get("ZEN_BASE_URL", BASE_URL))
