"""The clock's engine: one line of virtual time, and the rule by which it jumps.

Time stands still while anybody works. It jumps to the next deadline as soon as every thread waits
and nothing real is under way; while a child process is awaited it runs with the machine's time.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from threading import get_ident
from typing import TYPE_CHECKING

from tierwise.errors import ClockError
from tierwise.sandbox.clock.stuck import stuck_message
from tierwise.sandbox.clock.watching import Seen, Watch, watched_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.sandbox.clock.reality import Reality
    from tierwise.sandbox.clock.waiting import Wait

__tracebackhide__ = True  # a failing test shows lines of its own

BILLION = 1_000_000_000
_SETTLED_NS = 1_000_000
_FILES_NS = 3_000_000
_STUCK_NS, _SURELY_STUCK_NS = 60_000_000, 2_000_000_000
_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _ON_AND_ON_S = 0.0005, 0.005, 86_400
_HARNESS = "tierwise-records"
"""The name of the thread that keeps results: it waits by the machine's time."""


class Engine:
    """Virtual time of one process, as nanoseconds that have passed since it began."""

    def __init__(self, reality: Reality) -> None:
        self.reality = reality
        self.patience_ns = BILLION // 4
        self.home = get_ident()
        self._passed = 0
        self._wall_start = reality.time_ns()
        self._monotonic_start = reality.monotonic_ns()
        self._waits: dict[int, Wait] = {}
        self._lock = threading.Lock()
        self._watch = Watch(clock_gettime_ns=reality.clock_gettime_ns)
        self._watch.remember()
        self._seen: Seen | None = None
        self._quiet_since = 0
        self._awaited = 0
        self._has_ended = False
        self._flows_since: int | None = None

    @property
    def passed_ns(self) -> int:
        """How much virtual time has passed."""
        return self._passed

    @property
    def wall_ns(self) -> int:
        """Nanoseconds since 1970."""
        return self._wall_start + self._passed

    @property
    def monotonic_ns(self) -> int:
        """Nanoseconds on the clock that only goes forward."""
        return self._monotonic_start + self._passed

    def set_wall(self, wall_ns: int) -> None:
        """Change what date it is; nothing waits a shorter or longer time for it."""
        self._wall_start = wall_ns - self._passed

    def jump(self, to_ns: int) -> None:
        """Go forward to a moment and wake everybody whose deadline it passes."""
        self._passed = max(self._passed, to_ns)
        for wait in list(self._waits.values()):
            if wait.deadline is not None and wait.deadline <= self._passed:
                wait.wake()

    def next_deadline(self) -> int | None:
        """Return the earliest moment that anybody waits for."""
        return min(
            (wait.deadline for wait in list(self._waits.values()) if wait.deadline is not None),
            default=None,
        )

    def is_due(self, deadline: int | None) -> bool:
        """Has the deadline passed?"""
        return deadline is not None and deadline <= self._passed

    def end(self) -> None:
        """Let time pass with the machine's from now on: for waits that outlive the clock."""
        with self._lock:
            self._awaited += 1
            self._has_ended = True
            self._flow()

    @contextmanager
    def awaiting_process(self) -> Iterator[None]:
        """Let time pass with the machine's while somebody waits for a child process."""
        with self._lock:
            self._awaited += 1
            self._flow()
        try:
            yield
        finally:
            with self._lock:
                self._flow()
                self._awaited -= 1
                self._flows_since = self._flows_since if self._awaited else None

    def park(self, wait: Wait, pause: Callable[[float], object]) -> None:
        """Return when the wait is over; `pause` waits really, a little, for what may end it."""
        self._waits[id(wait)] = wait
        length = _FIRST_PAUSE_S
        try:
            while not wait.is_over():
                if self.settle() or wait.is_over():
                    continue
                pause(self._length_of_pause(wait, length))
                length = min(length * 1.5, _LONGEST_PAUSE_S)
        finally:
            del self._waits[id(wait)]

    def settle(self) -> bool:
        """Jump if everybody waits; say whether time went forward."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._awaited:
                return self._flow()
            waits = list(self._waits.values())
            if any(wait.is_over() for wait in waits):
                self._seen = None
                return False
            return self._jump_if_quiet(waits)
        finally:
            self._lock.release()

    def others_wait(self) -> bool:
        """Say whether every thread but this one waits, and nothing ends a wait now."""
        with self._lock:
            waits = list(self._waits.values())
            if any(wait.is_over() for wait in waits):
                self._seen = None
                return False
            return self.quiet(waits)

    def quiet(self, waits: list[Wait]) -> bool:
        """Has nothing moved for as long as what is under way asks for?"""
        seen, now = self._watch.look(waits), self.reality.monotonic_ns()
        if seen != self._seen:
            self._seen, self._quiet_since = seen, now
        return not seen.is_starting and now - self._quiet_since >= self._needed_ns(seen)

    def _length_of_pause(self, wait: Wait, length: float) -> float:
        """Return how long to wait really before looking again; who need not look waits on."""
        if wait.deadline is None and (wait.thread != self.home or self._has_ended):
            return _ON_AND_ON_S
        if self._has_ended and wait.deadline is not None:
            return max(length, (wait.deadline - self._passed) / BILLION)
        return length

    def _jump_if_quiet(self, waits: list[Wait]) -> bool:
        if not self.quiet(waits):
            return False
        deadline = self.next_deadline()
        if deadline is None:
            self._complain_if_stuck(waits)
            return False
        if self._seen is not None:
            self._watch.settle_for(self._seen)
        self._seen = None
        self.jump(deadline)
        return True

    def _needed_ns(self, seen: Seen) -> int:
        if seen.unknown or seen.has_outside:
            return self.patience_ns
        if seen.has_files:
            return _FILES_NS
        is_new = any(self._watch.before.get(ident) != sign for ident, sign in seen.idle)
        return _SETTLED_NS if is_new else 0

    def _complain_if_stuck(self, waits: list[Wait]) -> None:
        """Raise in the test's own thread when no time will ever end what everybody waits for."""
        seen = self._seen
        if seen is None or seen.unknown or any(map(watched_files, waits)):
            return
        if get_ident() != self.home or not any(wait.thread == self.home for wait in waits):
            return
        # Threads from before may still wait by the machine's time, and act when it comes.
        needed = _SURELY_STUCK_NS if seen.idle else _STUCK_NS
        if self.reality.monotonic_ns() - self._quiet_since >= needed:
            raise ClockError(stuck_message(waits))

    def _flow(self) -> bool:
        """Go forward by the machine's time since the last look."""
        now = self.reality.monotonic_ns()
        if self._flows_since is None:
            self._flows_since = now
            return False
        went = now - self._flows_since
        self._flows_since = now
        self.jump(self._passed + went)
        return False


def is_harness() -> bool:
    """Say whether this thread belongs to tierwise, and not to what is tested."""
    thread = threading._active.get(get_ident())  # type: ignore[attr-defined]  # noqa: SLF001  current_thread makes a dummy of a thread it does not know
    return thread is not None and thread.name == _HARNESS
