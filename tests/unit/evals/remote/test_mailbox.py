"""A letter box between threads."""

from __future__ import annotations

import asyncio

from tierwise.evals.remote.mailbox import Mailbox


def test_a_reader_gets_all_that_gathered() -> None:
    """In order, in one journey."""

    async def scenario() -> list[int]:
        box: Mailbox[int] = Mailbox()
        box.put(1, 2)
        box.put_all([3])
        box.put_back([0])
        return await box.take()

    assert asyncio.run(scenario()) == [0, 1, 2, 3]


def test_a_waiting_reader_is_woken() -> None:
    """And waits again for the next letter."""

    async def scenario() -> list[list[int]]:
        box: Mailbox[int] = Mailbox()
        found = []
        for letter in (1, 2):
            reading = asyncio.ensure_future(box.take())
            await asyncio.sleep(0)
            box.put(letter)
            found.append(await reading)
        return found

    assert asyncio.run(scenario()) == [[1], [2]]


def test_a_closed_box_lets_nobody_wait() -> None:
    """What is in it can still be taken."""

    async def scenario() -> list[list[int]]:
        box: Mailbox[int] = Mailbox()
        box.put(1)
        box.close()
        return [await box.take(), await box.take()]

    assert asyncio.run(scenario()) == [[1], []]
