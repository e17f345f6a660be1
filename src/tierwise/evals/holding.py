"""What keeps trials from going on, said now and then: who waits, for what, and for how long."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from tierwise.domain import RunHeldUp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.domain import Listener

TOLD_EVERY_S = 10.0
_MOST = 160


class Notices:
    """Tells a listener that something holds the run up, at most once in ten seconds."""

    def __init__(self, listen: Listener, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._listen, self._clock = listen, clock
        self._next = clock()

    def say(self, text: str) -> None:
        """Tell it, where there is something to tell and it is time."""
        now = self._clock()
        if text and now >= self._next:
            self._next = now + TOLD_EVERY_S
            self._listen(RunHeldUp(text=text))


class HeldCalls:
    """The calls of one provider that wait to be made again."""

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self._clock = name, clock
        self._due: dict[object, float] = {}
        self._why = ""

    @contextlib.contextmanager
    def holding(self, seconds: float, why: str) -> Iterator[None]:
        """Count a call that is made again after so many seconds."""
        key = object()
        self._due[key], self._why = self._clock() + seconds, why
        try:
            yield
        finally:
            del self._due[key]

    def say(self) -> str:
        """Return how many calls wait for what, as a line; empty when none does."""
        due = list(self._due.values())
        if not due:
            return ""
        next_s = max(0.0, min(due) - self._clock())
        calls = f"{len(due)} calls of" if len(due) > 1 else "1 call of"
        return (
            f"waiting: {calls} {self._name} to be tried again after {self._why[:_MOST]}; "
            f"the next try is in {next_s:.0f} s"
        )
