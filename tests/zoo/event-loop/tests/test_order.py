"""A test leaves its event loop as the current one."""

import asyncio

import pytest


def test_polluter():
    asyncio.set_event_loop(asyncio.new_event_loop())


def test_victim():
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
