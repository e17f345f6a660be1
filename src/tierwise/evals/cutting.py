"""A body is waited for, and cut off when its time is over."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.evals.outcomes import Ending

if TYPE_CHECKING:
    from collections.abc import Callable

_GRACE_S = 1.0
"""A body that was cancelled has this long to clean up before it is left behind."""


async def await_ending(
    task: asyncio.Task[Ending],
    timeout_s: float,
    *,
    waited_s: Callable[[], float],
    clock: Callable[[], float] = time.monotonic,
) -> Ending:
    """Wait for a body to end, and cut it off when it has worked for `timeout_s`.

    What limits and retries made it wait is not its work. `waited_s` is asked when the time seems
    to be over, and counts a wait that still goes on. Cancelling this call cancels the body.
    """
    watch = _Watch(task, timeout_s, waited_s=waited_s, clock=clock)
    try:
        await watch.over
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task}, timeout=_GRACE_S)
        raise
    finally:
        watch.timer.cancel()
    if task.cancelled():
        return Ending(outcome=Outcome.ERROR, message="the body cancelled its own task")
    if task.done():
        return task.result()
    task.cancel()
    # Waiting without end for a body that swallows its cancellation would hang the whole run.
    await asyncio.wait({task}, timeout=_GRACE_S)
    return Ending(outcome=Outcome.ERROR, message=f"time-out: cut off after {timeout_s:g} s")


class _Watch:
    """Over when the task has ended or its time is up: a future and a timer, and no more."""

    __slots__ = ("_began", "_clock", "_loop", "_timeout_s", "_waited_s", "over", "timer")

    def __init__(
        self,
        task: asyncio.Task[Ending],
        timeout_s: float,
        *,
        waited_s: Callable[[], float],
        clock: Callable[[], float],
    ) -> None:
        self._timeout_s, self._waited_s, self._clock = timeout_s, waited_s, clock
        self._began = clock()
        self._loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = self._loop.create_future()
        self.timer = self._loop.call_later(timeout_s, self._look)
        task.add_done_callback(self._end)

    def _look(self) -> None:
        left_s = self._timeout_s + self._waited_s() - (self._clock() - self._began)
        if left_s > 0:
            self.timer = self._loop.call_later(left_s, self._look)
        else:
            self._end()

    def _end(self, _task: object = None) -> None:
        if not self.over.done():
            self.over.set_result(None)
