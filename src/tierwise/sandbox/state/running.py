"""What still runs: threads and child processes."""

from __future__ import annotations

import os
import sys
import threading
from functools import partial
from operator import not_
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.slot import SLOT
from tierwise.sandbox.state.checks import equals, has_none_of, has_not_happened
from tierwise.sandbox.state.showing import show_text
from tierwise.sandbox.state.watcher import simple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.sandbox.state.checks import Check

_GRACE_S = 0.05
"""So long a thread that is about to end is waited for."""
_HARNESS = ("pytest_timeout", "tierwise", "execnet", "_pytest", "xdist", "coverage")
_ENDED = ("Z", "X")
_CHILDREN = "/proc/thread-self/children"
"""Where a kernel that lists child processes does so."""
_UNTOLD = frozenset({(0, "that this system does not list")})
"""Some child runs, and nobody says which: could be a helper of multiprocessing."""
_SILENT = ("multiprocessing.util", "uvloop")
"""Modules that start processes without an audit event."""
_HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""Processes that multiprocessing starts once and keeps as long as this one lives."""


def read_threads() -> list[threading.Thread]:
    """Return the threads that run."""
    return threading.enumerate()


def witness_of_threads(_: object) -> tuple[Check, ...] | None:
    """Return what tells that none started or ended, without the lock of `enumerate`."""
    running, starting = (getattr(threading, name, None) for name in ("_active", "_limbo"))
    if not (isinstance(running, dict) and isinstance(starting, dict)):
        return None
    return equals(running, dict(running)), partial(not_, starting)


def compare_threads(
    before: list[threading.Thread], after: list[threading.Thread]
) -> Iterator[Change]:
    """Yield each thread that runs and did not before; one that is ending is waited for."""
    known = set(map(id, before))
    for thread in after:
        if id(thread) in known or _is_harness(thread):
            continue
        if thread is not threading.current_thread():
            thread.join(_GRACE_S)
        if thread.is_alive():
            yield Change(
                watcher="threads",
                owner=f"thread {thread.name!r}",
                before="(absent)",
                after="runs, as a daemon" if thread.daemon else "runs",
            )


def _is_harness(thread: threading.Thread) -> bool:
    target = getattr(thread, "_target", None) or getattr(thread, "function", None)
    module = getattr(target, "__module__", None) or type(thread).__module__
    return str(module).partition(".")[0] in _HARNESS or thread.name.startswith("tierwise")


def read_children() -> frozenset[tuple[int, str]]:
    """Return the child processes that run, by number and command; one look when there is none."""
    if not _has_children():
        return frozenset()
    if not os.path.exists(_CHILDREN):  # noqa: PTH110  a question, around each test
        return _UNTOLD
    return frozenset(filter(_is_no_helper, _list_children()))


def witness_of_children(_: object) -> tuple[Check, ...] | None:
    """Return what tells that no process was started; None if that is unknown."""
    is_told = has_none_of(sys.modules, *_SILENT)
    return (has_not_happened("processes"), is_told) if SLOT.has_hook and is_told() else None


def _has_children() -> bool:
    if not hasattr(os, "waitid"):
        return False
    try:
        # Nothing is taken: whoever waits for a child still finds how it ended.
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _list_children() -> Iterator[tuple[int, str]]:
    for listed in Path("/proc/self/task").glob("*/children"):
        try:
            numbers = listed.read_text().split()
        except OSError:
            continue
        for number in map(int, numbers):
            command = _command_of(number)
            if command:
                yield number, command


def _command_of(number: int) -> str:
    """Return the command of a process; "" of one that has ended and only waits to be seen."""
    try:
        words = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ")
        if words.strip():
            return words.decode(errors="replace").strip()
        # It has ended, or has only just begun and has a name but no words yet.
        name, _, rest = Path(f"/proc/{number}/stat").read_text().partition("(")[2].rpartition(")")
    except OSError:
        return ""
    return "" if rest.split()[0] in _ENDED else name


def _is_no_helper(child: tuple[int, str]) -> bool:
    return not any(helper in child[1] for helper in _HELPERS)


def compare_children(
    before: frozenset[tuple[int, str]], after: frozenset[tuple[int, str]]
) -> Iterator[Change]:
    """Yield each process that runs and did not before."""
    numbers = {number for number, _ in before}
    for number, command in sorted(after):
        if number not in numbers:
            yield Change(
                watcher="processes",
                owner=f"process {show_text(command)}",
                before="(absent)",
                after="runs",
            )


THREADS = simple("threads", read_threads, compare_threads, witness=witness_of_threads)
PROCESSES = simple("processes", read_children, compare_children, witness=witness_of_children)
