"""Waits of the client's own, when these are asked for: by a virtual clock, so to the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import httpx2
import pytest
from toy_vendor import CHAT, ToyVendor

from tierwise.gateway import Gateway

if TYPE_CHECKING:
    from tierwise.clock import VirtualClock

URL = f"https://api.openai.com{CHAT}"
STREAM = {"model": "toy-1", "says": ["x"], "stream": True}
LATENCY_S = 20 + 10 + 2 * 10


@pytest.fixture
def toy() -> Gateway:
    """Return a gateway that answers slowly, and really so."""
    toy = Gateway(vendors=[ToyVendor()], real_time=True)
    toy.when().say("a b").slow(20, first_token_s=10, per_token_s=10)
    return toy


def test_a_client_waits_as_long_as_it_is_said(toy: Gateway, clock: VirtualClock) -> None:
    """And the journal tells how much of it was real."""
    with toy.installed():
        httpx2.post(URL, json=STREAM, timeout=60)
    assert clock.elapsed == pytest.approx(LATENCY_S)
    assert toy.requests.only().progress.real_s == pytest.approx(LATENCY_S)


async def test_async_clients_wait_too(toy: Gateway, clock: VirtualClock) -> None:
    """Those of httpx2 and of aiohttp."""
    with toy.installed():
        async with httpx2.AsyncClient(timeout=60) as client:
            await client.post(URL, json=STREAM)
        async with aiohttp.ClientSession() as session, session.post(URL, json=STREAM) as response:
            await response.read()
    assert clock.elapsed == pytest.approx(2 * LATENCY_S)
    assert [e.progress.real_s for e in toy.requests] == pytest.approx([LATENCY_S] * 2)


def test_nobody_waits_longer_than_the_client_would(toy: Gateway, clock: VirtualClock) -> None:
    """A delay beyond its patience ends at once, in real time as well."""
    toy.when().say("a")
    with toy.installed(), pytest.raises(httpx2.ReadTimeout):
        httpx2.post(URL, json=STREAM, timeout=15)
    progress = toy.requests.only().progress
    assert (progress.real_s, progress.timed_out) == (0, True)
    assert clock.elapsed == 0
