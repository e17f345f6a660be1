"""Clients of HTTP: one for each event loop, ended with it, by `close`, or by their owner."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

C = TypeVar("C")
_KEPT_S = 1.0


class LoopClients(Generic[C]):
    """Clients by event loop, made when they are first asked for.

    Connections belong to the loop that opened them, and a provider may be asked from several.
    A client whose loop was closed without shutting down its generators is let go by `drop`.
    """

    def __init__(
        self,
        make: Callable[[], C],
        close: Callable[[C], Awaitable[None]],
        drop: Callable[[C], None] | None = None,
    ) -> None:
        self._make = make
        self._close = close
        self._drop = drop
        self._by_loop: dict[asyncio.AbstractEventLoop, _Held[C]] = {}
        # Someone may make a provider for one call and forget it; its loop may run for hours.
        weakref.finalize(self, _end_all, self._by_loop, may_run=False)

    async def get(self) -> C:
        """Return the client of the running loop."""
        loop = asyncio.get_running_loop()
        held = self._by_loop.get(loop)
        if held is None or held.is_closed:
            for ended in [one for one in list(self._by_loop) if one.is_closed()]:
                _end(ended, self._by_loop, may_run=False)
            held = _Held(self._make(), self._close, self._drop)
            self._by_loop[loop] = held
            await held.open()
        return held.client

    def close(self) -> None:
        """End all clients without waiting; those of running loops end in their loops."""
        _end_all(self._by_loop, may_run=True)

    async def aclose(self) -> None:
        """End all clients, and wait for the one of the running loop."""
        own = self._by_loop.pop(asyncio.get_running_loop(), None)
        self.close()
        if own is not None:
            await own.close()


class _Held(Generic[C]):
    """A client with a generator that its loop shuts down at its end, and the client with it.

    This is the one thing that every way to run a loop does to what was left open in it.
    """

    def __init__(
        self,
        client: C,
        close: Callable[[C], Awaitable[None]],
        drop: Callable[[C], None] | None,
    ) -> None:
        self.client = client
        self.is_closed = False
        self._close_client = close
        self._drop_client = drop
        self._closing: asyncio.Task[None] | None = None
        self._ending = self._close_at_end()

    async def open(self) -> None:
        await anext(self._ending)

    async def close(self) -> None:
        await self._close_once()
        self._closing = None
        # The loop may be shutting the generator down at this moment, which comes to the same.
        with contextlib.suppress(RuntimeError):
            await self._ending.aclose()

    def begin_closing(self) -> None:
        loop = asyncio.get_running_loop()
        self._closing = loop.create_task(self.close())
        # Until the task has done its work the generator has to be found: a loop that ends now
        # cancels the one, perhaps before it began, and then shuts down the other.
        loop.call_later(_KEPT_S, self._is_kept)

    def drop(self) -> None:
        """Let go of the client: its loop is closed, and ends nothing any more."""
        if self._drop_client is not None and not self.is_closed:
            self.is_closed = True
            self._drop_client(self.client)

    def _is_kept(self) -> None:
        """Do nothing, later."""

    async def _close_once(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            await self._close_client(self.client)

    async def _close_at_end(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            if self._closing is not None and not self._closing.done():
                await asyncio.wait({self._closing})
            await self._close_once()


def _end_all(held: dict[asyncio.AbstractEventLoop, _Held[C]], *, may_run: bool) -> None:
    for loop in list(held):
        _end(loop, held, may_run=may_run)


def _end(
    loop: asyncio.AbstractEventLoop,
    held: dict[asyncio.AbstractEventLoop, _Held[C]],
    *,
    may_run: bool,
) -> None:
    """End one client from whatever thread; an idle loop is run for it where that may be done."""
    one = held.pop(loop, None)
    if one is None:  # another thread was faster
        return
    if loop.is_closed():
        one.drop()
    elif may_run and not loop.is_running() and not _is_in_loop():
        loop.run_until_complete(one.close())
    else:
        with contextlib.suppress(RuntimeError):  # it was closed just now
            loop.call_soon_threadsafe(one.begin_closing)


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
