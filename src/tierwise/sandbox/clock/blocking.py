"""Waits of threads: `time.sleep`, `Condition.wait` with all that is built on it, `Thread.join`.

Event, Queue, Barrier, Semaphore, Timer and the futures of executors wait by a condition.
"""

from __future__ import annotations

import _thread
import functools
import math
import sys
import threading
from threading import current_thread
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.clock.engine import BILLION, is_harness
from tierwise.sandbox.clock.waiting import Wait
from tierwise.sandbox.patching import Patch, replace_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.sandbox.clock.engine import Engine

__tracebackhide__ = True  # a failing test shows lines of its own


def virtual_sleep(engine: Engine) -> Callable[[float], None]:
    """Return what stands in for `time.sleep`."""

    def sleep(seconds: float, /) -> None:
        length = nanoseconds(seconds)
        if length < 0:
            raise ValueError("sleep length must be non-negative")
        if length == 0:
            engine.reality.yield_turn()
            return
        gate = _locked()
        deadline = engine.passed_ns + length
        wait = Wait(
            what=f"time.sleep({seconds:g})",
            is_over=lambda: engine.is_due(deadline),
            deadline=deadline,
            wake=functools.partial(_open, gate),
        )
        engine.park(wait, lambda length: gate.acquire(timeout=length))

    return sleep


def install(engine: Engine) -> Iterable[Patch | None]:
    """Patch the waits of the module threading."""
    yield replace_function(
        threading.Condition, "wait", functools.partial(_watch_wait, engine=engine)
    )
    yield replace_function(threading.Thread, "join", functools.partial(_watch_join, engine=engine))


def nanoseconds(seconds: float) -> int:
    """Return a length of time as a whole number, never shorter than asked."""
    return math.ceil(seconds * BILLION)


def _watch_wait(original: Callable[..., bool], *, engine: Engine) -> Callable[..., bool]:
    @functools.wraps(original)
    def wait(self: threading.Condition, timeout: float | None = None) -> bool:
        if is_harness() or (timeout is not None and timeout <= 0):
            return original(self, timeout)
        return _wait_on(self, timeout, engine)

    return wait


def _wait_on(condition: Any, timeout: float | None, engine: Engine) -> bool:  # noqa: ANN401  its inner parts are in no stub
    """Wait as Condition.wait does: by a lock of our own in its list, which `notify` opens."""
    if not condition._is_owned():  # noqa: SLF001  as above
        raise RuntimeError("cannot wait on un-acquired lock")
    gate = _locked()
    condition._waiters.append(gate)  # noqa: SLF001  as above
    state = condition._release_save()  # noqa: SLF001  as above
    is_notified = False
    try:
        is_notified = _wait_for(gate, timeout, engine)
    finally:
        condition._acquire_restore(state)  # noqa: SLF001  as above
        # Between the deadline and now somebody may have notified us: then it counts as that.
        if not is_notified and gate in condition._waiters:  # noqa: SLF001  as above
            condition._waiters.remove(gate)  # noqa: SLF001  as above
        else:
            is_notified = True
    return is_notified


def _wait_for(gate: _thread.LockType, timeout: float | None, engine: Engine) -> bool:
    deadline = None if timeout is None else engine.passed_ns + nanoseconds(timeout)
    until = "a notification" if timeout is None else f"a notification, {timeout:g} s at most"
    got: list[bool] = []

    def is_over() -> bool:
        return bool(got) or not gate.locked() or engine.is_due(deadline)

    def pause(length: float) -> None:
        if gate.acquire(timeout=length):
            got.append(True)

    engine.park(Wait(what=until, is_over=is_over, deadline=deadline), pause)
    return bool(got) or gate.acquire(blocking=False)


def _watch_join(original: Callable[..., None], *, engine: Engine) -> Callable[..., None]:
    @functools.wraps(original)
    def join(self: threading.Thread, timeout: float | None = None) -> None:
        if (
            not self.is_alive()
            or self is current_thread()
            or (timeout is not None and timeout <= 0)
        ):
            original(self, timeout)
            return
        deadline = None if timeout is None else engine.passed_ns + nanoseconds(timeout)
        wait = Wait(
            what=f"the end of thread {self.name!r}",
            is_over=lambda: _has_ended(self) or engine.is_due(deadline),
            deadline=deadline,
        )
        engine.park(wait, functools.partial(original, self))
        if _has_ended(self):
            original(self)  # the system's thread outlives Python's by a moment

    return join


def _has_ended(thread: threading.Thread) -> bool:
    # A thread that has left its last frame counts as alive for a moment yet: nothing is to wait
    # for but the interpreter, and no time may pass meanwhile.
    if not thread.is_alive():
        return True
    return thread.ident not in sys._current_frames()  # noqa: SLF001  the only way to look at other threads


def _locked() -> _thread.LockType:
    lock = _thread.allocate_lock()
    lock.acquire()
    return lock


def _open(gate: _thread.LockType) -> None:
    if gate.locked():
        gate.release()
