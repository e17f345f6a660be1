"""Time that really passes, when that is asked for."""

from __future__ import annotations

import time

import aiohttp
import httpx2
import pytest
from toy_vendor import CHAT, ToyVendor

from tierwise.gateway import Gateway

URL = f"https://api.openai.com{CHAT}"
STREAM = {"model": "toy-1", "says": ["x"], "stream": True}
LATENCY_S = 0.02 + 0.01 + 2 * 0.01


@pytest.fixture
def toy() -> Gateway:
    """Return a gateway that answers slowly, and really so."""
    toy = Gateway(vendors=[ToyVendor()], real_time=True)
    toy.when().say("a b").slow(0.02, first_token_s=0.01, per_token_s=0.01)
    return toy


def test_a_client_waits_as_long_as_it_is_said(toy: Gateway) -> None:
    """And the journal tells how much of it was real."""
    began = time.monotonic()
    with toy.installed():
        httpx2.post(URL, json=STREAM)
    assert time.monotonic() - began >= LATENCY_S
    assert toy.requests.only().progress.real_s == pytest.approx(LATENCY_S)


async def test_async_clients_wait_too(toy: Gateway) -> None:
    """Those of httpx2 and of aiohttp."""
    began = time.monotonic()
    with toy.installed():
        async with httpx2.AsyncClient() as client:
            await client.post(URL, json=STREAM)
        async with aiohttp.ClientSession() as session, session.post(URL, json=STREAM) as response:
            await response.read()
    assert time.monotonic() - began >= 2 * LATENCY_S
    assert [e.progress.real_s for e in toy.requests] == pytest.approx([LATENCY_S] * 2)


def test_nobody_waits_longer_than_the_client_would(toy: Gateway) -> None:
    """A delay beyond its patience ends at once, in real time as well."""
    toy.when().say("a")
    with toy.installed(), pytest.raises(httpx2.ReadTimeout):
        httpx2.post(URL, json=STREAM, timeout=0.015)
    progress = toy.requests.only().progress
    assert (progress.real_s, progress.timed_out) == (0, True)
