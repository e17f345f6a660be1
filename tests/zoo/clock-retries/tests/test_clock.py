"""An hour of waiting between attempts."""

import asyncio
import time


async def fetch(attempts):
    for _ in range(attempts):
        await asyncio.sleep(600)
    return "done"


async def test_waits_for_real():
    await asyncio.wait_for(fetch(1), 0.01)


async def test_waits_by_the_clock(clock):
    before = time.monotonic()
    assert await fetch(6) == "done"
    assert round(time.monotonic() - before) == 3600
