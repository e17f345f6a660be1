"""A letter box between threads: anyone puts in, one reader takes all that is there."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")


class Mailbox(Generic[T]):
    """Holds what was put in until one reader, in whatever event loop, takes all of it.

    While the reader is busy letters gather, so that under load each journey carries many. After
    `close` an empty box gives an empty list instead of a wait.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._letters: list[T] = []
        self._reader: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]] | None = None
        self._is_closed = False

    def put(self, *letters: T) -> None:
        """Put letters in; they stay in this order."""
        self.put_all(letters)

    def put_all(self, letters: Iterable[T]) -> None:
        """Put letters in; they stay in this order."""
        with self._lock:
            self._letters.extend(letters)
            self._wake()

    def put_back(self, letters: Iterable[T]) -> None:
        """Put letters back in front of all others."""
        with self._lock:
            self._letters[:0] = letters
            self._wake()

    def close(self) -> None:
        """Let no reader wait any more."""
        with self._lock:
            self._is_closed = True
            self._wake()

    async def take(self) -> list[T]:
        """Take all letters, at least one unless the box is closed."""
        while True:
            with self._lock:
                if self._letters or self._is_closed:
                    letters, self._letters = self._letters, []
                    return letters
                loop = asyncio.get_running_loop()
                turn = loop.create_future()
                self._reader = (loop, turn)
            await turn

    def _wake(self) -> None:
        if self._reader is None or not (self._letters or self._is_closed):
            return
        loop, turn = self._reader
        self._reader = None
        with contextlib.suppress(RuntimeError):  # the reader's loop has ended
            loop.call_soon_threadsafe(_end, turn)


def _end(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
