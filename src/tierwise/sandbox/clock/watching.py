"""Is anything really going on? Threads that run, and files whose other end is elsewhere."""

from __future__ import annotations

import os
import socket
import stat
import sys
import threading
import time
from dataclasses import dataclass, field
from threading import get_ident
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.sandbox.clock.waiting import Wait

    Sign = tuple[object, int, int]

_HIGHEST_FILE = 1024
"""Where the search for the other end of a connection stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one look found; two equal ones with time between them mean that nothing moves."""

    unknown: tuple[tuple[int, Sign], ...] = ()
    """Threads that wait for nothing the clock knows of: they may be at work."""
    idle: tuple[tuple[int, Sign], ...] = ()
    """Threads that were blocked when the clock started and still are, and idle workers."""
    waits: frozenset[int] = frozenset()
    is_starting: bool = False
    """A thread was started and has not run a line yet."""
    has_files: bool = False
    has_outside: bool = False
    """A file is watched whose other end is in another process."""


@dataclass(slots=True, kw_only=True)
class Watch:
    """Looks at the threads and files of this process."""

    clock_gettime_ns: Callable[[int], int]
    before: dict[int, Sign] = field(default_factory=dict)
    """The threads that were there when the clock started, and where each was blocked."""
    _ends: dict[tuple[int, int], bool] = field(default_factory=dict)

    def remember(self) -> None:
        """Take the threads that are there now for blocked, as long as they do not move."""
        here = get_ident()
        self.before = {ident: sign for ident, sign in self._signs() if ident != here}

    def settle_for(self, seen: Seen) -> None:
        """Take old threads that did not move for long for blocked where they are now."""
        self.before.update((ident, sign) for ident, sign in seen.unknown if ident in self.before)

    def look(self, waits: Iterable[Wait]) -> Seen:
        """Return what goes on now, apart from these waits."""
        waiting = {wait.thread for wait in waits} | {get_ident()}
        others = [(ident, sign) for ident, sign in self._signs() if ident not in waiting]
        idle = tuple(each for each in others if self._is_idle(*each))
        files = [number for wait in waits for number in watched_files(wait)]
        return Seen(
            unknown=tuple(each for each in others if each not in idle),
            idle=idle,
            waits=frozenset(id(wait) for wait in waits),
            is_starting=bool(threading._limbo),  # type: ignore[attr-defined]  # noqa: SLF001  no other way to tell
            has_files=bool(files),
            has_outside=any(self._is_outside(number) for number in files),
        )

    def _signs(self) -> list[tuple[int, Sign]]:
        frames = sys._current_frames()  # noqa: SLF001  the only way to look at other threads
        return [
            (ident, (frame.f_code, frame.f_lasti, self._cpu_ns(ident)))
            for ident, frame in frames.items()
        ]

    def _cpu_ns(self, ident: int) -> int:
        # Safe for idents of _current_frames: while we hold the interpreter these threads live.
        if not hasattr(time, "pthread_getcpuclockid"):
            return 0
        return self.clock_gettime_ns(time.pthread_getcpuclockid(ident))

    def _is_idle(self, ident: int, sign: Sign) -> bool:
        return self.before.get(ident) == sign or _is_idle_worker(ident, sign)

    def _is_outside(self, number: int) -> bool:
        """Can only another process make this file ready?"""
        try:
            about = os.fstat(number)
        except OSError:
            return False
        key = (number, about.st_ino)
        if key not in self._ends:
            self._ends[key] = _has_outside_end(number, about)
        return self._ends[key]


def watched_files(wait: Wait) -> list[int]:
    """Return the descriptors of a wait; an event loop's pipe to itself is none."""
    numbers = list(wait.files())
    return [] if len(numbers) <= 1 and numbers and _is_unnamed_socket(numbers[0]) else numbers


def _is_idle_worker(ident: int, sign: Sign) -> bool:
    """Say whether a worker of an executor waits for work, and there is none for it."""
    workers: Any = sys.modules.get("concurrent.futures.thread")
    if workers is None or sign[0] is not workers._worker.__code__:  # noqa: SLF001  no other way to tell
        return False
    known = _thread_of(ident)
    work = None if known is None else workers._threads_queues.get(known)  # noqa: SLF001  as above
    return work is not None and bool(work.empty())


def _thread_of(ident: int) -> threading.Thread | None:
    known: dict[int, threading.Thread] = threading._active  # type: ignore[attr-defined]  # noqa: SLF001  current_thread knows one alone
    return known.get(ident)


def _has_outside_end(number: int, about: os.stat_result) -> bool:
    if stat.S_ISFIFO(about.st_mode):
        return not any(
            _is_same_pipe(other, about) for other in range(_HIGHEST_FILE) if other != number
        )
    if not stat.S_ISSOCK(about.st_mode):
        return False
    peer = _ask(number, socket.socket.getpeername)
    if not peer:
        return False
    return not any(_is_bound_to(other, peer) for other in range(_HIGHEST_FILE))


def _is_same_pipe(number: int, about: os.stat_result) -> bool:
    try:
        other = os.fstat(number)
    except OSError:
        return False
    return (other.st_ino, other.st_dev) == (about.st_ino, about.st_dev)


def _is_bound_to(number: int, peer: Any) -> bool:  # noqa: ANN401  an address of any family
    try:
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            return False
    except OSError:
        return False
    own = _ask(number, socket.socket.getsockname)
    if isinstance(own, tuple) and isinstance(peer, tuple):
        return bool(own[1] == peer[1])
    return bool(own == peer)


def _is_unnamed_socket(number: int) -> bool:
    try:
        is_socket = stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False
    return is_socket and not _ask(number, socket.socket.getsockname)


def _ask(number: int, question: Callable[[socket.socket], Any]) -> Any:  # noqa: ANN401  an address
    """Return an address of the socket, or None."""
    try:
        with socket.socket(fileno=os.dup(number)) as same:
            return question(same)
    except OSError:
        return None
