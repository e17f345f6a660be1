"""A test leaves a task that still waits."""

import asyncio

import shop


def test_polluter():
    shop.LOOP = asyncio.new_event_loop()

    async def refresh():
        await asyncio.Event().wait()

    shop.TASK = shop.LOOP.create_task(refresh())


def test_victim():
    assert shop.TASK is None
