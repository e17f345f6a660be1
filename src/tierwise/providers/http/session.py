"""aiohttp's sessions: one for each event loop, ended with it, by `close`, or with their owner."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from typing import TYPE_CHECKING

import aiohttp

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_KEPT_S = 1.0


class Sessions:
    """Sessions by event loop, made when they are first asked for."""

    def __init__(self, *, timeout_s: float | None) -> None:
        self._timeout_s = timeout_s
        self._by_loop: dict[asyncio.AbstractEventLoop, _Session] = {}
        # Someone may make a provider for one call and forget it; its loop may run for hours.
        weakref.finalize(self, _end_all, self._by_loop, may_run=False)

    async def get(self) -> aiohttp.ClientSession:
        """Return the session of the running loop."""
        loop = asyncio.get_running_loop()
        found = self._by_loop.get(loop)
        if found is None or found.session.closed:
            for ended in [one for one in list(self._by_loop) if one.is_closed()]:
                _end(ended, self._by_loop, may_run=False)
            found = await _Session.open(self._timeout_s)
            self._by_loop[loop] = found
        return found.session

    def close(self) -> None:
        """End all sessions without waiting; those of running loops end in their loops."""
        _end_all(self._by_loop, may_run=True)

    async def aclose(self) -> None:
        """End all sessions, and wait for the one of the running loop."""
        own = self._by_loop.pop(asyncio.get_running_loop(), None)
        self.close()
        if own is not None:
            await own.close()


class _Session:
    """A session with a generator that its loop shuts down at its end, and the session with it.

    This is the one thing that every way to run a loop does to what was left open in it.
    """

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session
        self._closing: asyncio.Task[None] | None = None
        self._ending = self._close_at_end()

    @classmethod
    async def open(cls, timeout_s: float | None) -> _Session:
        opened = cls(
            aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=timeout_s),
            )
        )
        await anext(opened._ending)
        return opened

    async def close(self) -> None:
        await self.session.close()
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
        """Let go of a session whose loop was closed without shutting down its generators."""
        closing = self.session.close()
        with contextlib.suppress(StopIteration):
            while True:  # nothing in it waits for a loop that is closed
                closing.send(None)

    def _is_kept(self) -> None:
        """Do nothing, later."""

    async def _close_at_end(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            if self._closing is not None and not self._closing.done():
                await asyncio.wait({self._closing})
            await self.session.close()


def _end_all(sessions: dict[asyncio.AbstractEventLoop, _Session], *, may_run: bool) -> None:
    for loop in list(sessions):
        _end(loop, sessions, may_run=may_run)


def _end(
    loop: asyncio.AbstractEventLoop,
    sessions: dict[asyncio.AbstractEventLoop, _Session],
    *,
    may_run: bool,
) -> None:
    """End one session from whatever thread; an idle loop is run for it where that may be done."""
    session = sessions.pop(loop, None)
    if session is None:  # another thread was faster
        return
    if loop.is_closed():
        session.drop()
    elif may_run and not loop.is_running() and not _is_in_loop():
        loop.run_until_complete(session.close())
    else:
        with contextlib.suppress(RuntimeError):  # it was closed just now
            loop.call_soon_threadsafe(session.begin_closing)


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
