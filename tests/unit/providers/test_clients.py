"""Clients by event loop: who gets which one, and when it ends."""

from __future__ import annotations

import asyncio
import gc
import threading

from tierwise.providers.wire.clients import LoopClients


class Client:
    """A client that knows in which loop it was ended."""

    def __init__(self) -> None:
        self.ended_in: list[asyncio.AbstractEventLoop] = []
        self.is_ended = asyncio.Event()

    async def close(self) -> None:
        """End the client."""
        await asyncio.sleep(0)
        self.ended_in.append(asyncio.get_running_loop())
        self.is_ended.set()


def make() -> tuple[LoopClients[Client], list[Client]]:
    made: list[Client] = []

    def begin() -> Client:
        made.append(Client())
        return made[-1]

    return LoopClients(begin, Client.close), made


def test_a_loop_has_one_client() -> None:
    """All calls of a loop share it, those that come at once too."""
    clients, made = make()

    async def ask() -> None:
        await asyncio.gather(*(clients.get() for _ in range(5)))
        await clients.get()

    asyncio.run(ask())
    assert len(made) == 1


def test_a_client_ends_with_its_loop() -> None:
    """Nobody has to close it, and the next loop has one of its own."""
    clients, made = make()

    async def ask() -> asyncio.AbstractEventLoop:
        await clients.get()
        return asyncio.get_running_loop()

    loops = [asyncio.run(ask()), asyncio.run(ask())]

    assert [client.ended_in for client in made] == [[loops[0]], [loops[1]]]


def test_a_closed_client_is_made_anew() -> None:
    """Closing ends it in its own loop, once, and a later call gets another."""
    clients, made = make()

    async def ask() -> None:
        first = await clients.get()
        await clients.aclose()
        assert first.ended_in == [asyncio.get_running_loop()]
        assert await clients.get() is not first

    asyncio.run(ask())
    assert [len(client.ended_in) for client in made] == [1, 1]


def test_closing_inside_a_loop_does_not_wait() -> None:
    """The client of a running loop ends in that loop, soon after or with it."""
    clients, made = make()

    async def ask() -> None:
        await clients.get()
        clients.close()
        assert made[0].ended_in == []

    asyncio.run(ask())
    assert len(made[0].ended_in) == 1


def test_closing_after_an_idle_loop_runs_it() -> None:
    """A loop that someone keeps, and that does not run, is run for its client."""
    clients, made = make()
    loop = asyncio.new_event_loop()
    loop.run_until_complete(clients.get())

    clients.close()

    assert made[0].ended_in == [loop]
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def test_an_owner_that_is_forgotten_ends_its_client() -> None:
    """A provider may be made for one call and dropped while its loop runs on."""

    async def ask() -> list[Client]:
        clients, made = make()
        await clients.get()
        del clients
        gc.collect()
        await made[0].is_ended.wait()
        return made

    assert len(asyncio.run(ask())[0].ended_in) == 1


def test_another_thread_may_close() -> None:
    """The client still ends in its own loop."""
    clients, made = make()

    async def ask() -> None:
        await clients.get()
        thread = threading.Thread(target=clients.close)
        thread.start()
        thread.join()
        await made[0].is_ended.wait()
        assert made[0].ended_in == [asyncio.get_running_loop()]

    asyncio.run(ask())
