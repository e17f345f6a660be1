"""How long a trial was held back by limits and retries: time that is not its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Waiting:
    """Adds up the time in which at least one call of a trial was held back.

    A wait counts from the moment it begins, so that a time-out which looks at `waited_s` does
    not cut a trial that is still waiting. Safe to use from several threads.
    """

    __slots__ = ("_clock", "_lock", "_n_open", "_since", "_total_s")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._n_open = 0
        self._since = 0.0
        self._total_s = 0.0

    @property
    def waited_s(self) -> float:
        """Seconds waited so far, a wait that still goes on included."""
        with self._lock:
            return self._total_s + (self._clock() - self._since if self._n_open else 0.0)

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """Count the time that the block takes, once, however many blocks overlap."""
        with self._lock:
            if not self._n_open:
                self._since = self._clock()
            self._n_open += 1
        try:
            yield
        finally:
            with self._lock:
                self._n_open -= 1
                if not self._n_open:
                    self._total_s += self._clock() - self._since


async def pause(seconds: float) -> None:
    """Wait without `asyncio.sleep`: the trial may not be allowed to sleep, tierwise is."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    timer = loop.call_later(seconds, _end, over)
    try:
        await over
    finally:
        timer.cancel()


def _end(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)
