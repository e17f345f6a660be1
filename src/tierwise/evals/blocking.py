"""An event loop that stands still, noticed by a thread: which trial blocks it, and where."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from tierwise.evals.locating import locate_frame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import PurePath
    from types import TracebackType

BLOCKED_S = 5.0
"""A loop that has not turned for so long is blocked."""
_LOOK_EVERY_S = 0.5
TRIAL = "trial of "
"""What the name of a trial's task begins with."""


class BlockWatch:
    """While it is entered in a running loop, `tell` hears from another thread what blocks it.

    A body that sleeps, computes or asks without `await` keeps all other trials, all time-outs
    and the progress from going on, so that nobody in the loop could say so.
    """

    def __init__(
        self,
        tell: Callable[[str], None],
        *,
        root: PurePath | None,
        blocked_s: float = BLOCKED_S,
        look_every_s: float = _LOOK_EVERY_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell, self._root, self._clock = tell, root, clock
        self._blocked_s, self._look_every_s = blocked_s, look_every_s
        self._loop = asyncio.get_running_loop()
        self._thread_id = threading.get_ident()
        self._over = threading.Event()
        self._turned_at = clock()
        self._beat_next: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._beat()
        threading.Thread(target=self._watch, name="tierwise-blocking", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._beat_next is not None:
            self._beat_next.cancel()

    def _beat(self) -> None:
        self._turned_at = self._clock()
        self._beat_next = self._loop.call_later(self._look_every_s, self._beat)

    def _watch(self) -> None:
        while not self._over.wait(self._look_every_s):
            still_s = self._clock() - self._turned_at
            if still_s >= self._blocked_s and (said := self._say(still_s)):
                self._tell(said)

    def _say(self, still_s: float) -> str:
        task = asyncio.current_task(self._loop)
        where = locate_frame(sys._current_frames().get(self._thread_id), self._root)  # noqa: SLF001  its documented name
        name = "" if task is None else task.get_name()
        if not name.startswith(TRIAL):
            name = "something that a trial started" if where else ""
        return explain_blocked(name, where, still_s) if name else ""


def explain_blocked(name: str, where: str, still_s: float) -> str:
    """Say what blocks the loop, what follows from it, and the way out."""
    place = f" at {where}" if where else ""
    return (
        f"{name} has blocked the event loop for {still_s:.0f} s{place}: meanwhile no other trial "
        "goes on and no time-out comes. Write the body as a plain `def`, which runs in a thread "
        "of its own, or await what it waits for. Ctrl-C twice ends the run"
    )


def keep_alive(left: object) -> None:
    """Never let these objects be collected, not even when the interpreter ends.

    The coroutine of a task that swallows whatever is thrown into it would never come out of its
    own finalizer. A thread that never ends holds them, and ends with the process.
    """

    def hold(held: object) -> None:
        threading.Event().wait()
        del held

    threading.Thread(target=hold, args=(left,), name="tierwise-left", daemon=True).start()
