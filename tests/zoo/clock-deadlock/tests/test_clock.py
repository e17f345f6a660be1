"""Everything waits for something that never comes."""

import asyncio


async def test_waits_for_ever(clock):
    await asyncio.Event().wait()
