"""File descriptors that are open."""

from __future__ import annotations

import gc
import os
import select
import sys
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.state.showing import show_text
from tierwise.sandbox.state.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_FOLDERS = ("/proc/self/fd", "/dev/fd")
_LAST_STREAM = 2
"""What captures output leads the first three elsewhere, now here and now there."""
_MOST_SHOWN = 60
_ASKED = 16
"""So many free numbers are asked about around each test."""
_MOST_OPEN = 200
"""So many that are open are asked about: a process may hold thousands."""
_HARNESS = (".tierwise/", ".coverage", "/.pytest_cache/", "/dev/urandom", "/dev/null", "/dev/pts")


def take() -> dict[int, str]:
    """Return what is open: number and target."""
    for folder in _FOLDERS:
        try:
            names = os.listdir(folder)  # noqa: PTH208  hundreds of times
        except OSError:
            continue
        targets = ((int(name), _target(folder, name)) for name in names if name.isdigit())
        return {number: target for number, target in targets if target and number > _LAST_STREAM}
    return {}


def _target(folder: str, name: str) -> str:
    try:
        return os.readlink(f"{folder}/{name}")  # noqa: PTH115
    except OSError:
        return ""  # the one that was open to list them


def compare(before: Mapping[int, str], after: Mapping[int, str]) -> Iterator[Change]:
    """Yield each descriptor that is open and was not, or leads elsewhere now."""
    new = [number for number, target in after.items() if before.get(number) != target]
    if any(not _is_harness(after[number]) for number in new):
        gc.collect(1)  # a file that nobody can reach any more is closed by this
        now = take()
        new = [number for number in new if now.get(number) == after[number]]
        new = [number for number in new if number not in _of_multiprocessing()]
    kinds = Counter(_kind(after[number]) for number in new if not _is_harness(after[number]))
    for kind, n in kinds.items():
        yield Change(
            watcher="files",
            owner=f"descriptor of {show_text(kind)}",
            before="(absent)",
            after="open" if n == 1 else f"{n} open",
        )


def _of_multiprocessing() -> set[object]:
    """Return what it holds of its helpers, which live as long as this process does."""
    holders = (
        (sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", "_fd"),
        (sys.modules.get("multiprocessing.forkserver"), "_forkserver", "_forkserver_alive_fd"),
    )
    return {
        getattr(getattr(module, holder, None), descriptor, None)
        for module, holder, descriptor in holders
    }


def _is_harness(target: str) -> bool:
    return any(part in target for part in _HARNESS)


def _kind(target: str) -> str:
    kind = target.partition(":[")[0]  # the number of a socket or pipe says nothing
    return kind if len(kind) <= _MOST_SHOWN else f"...{kind[-_MOST_SHOWN:]}"


def watch_descriptors() -> Watcher:
    """Return the watcher; one question to the system tells whether anything was opened or closed.

    What is opened takes the lowest number that is free, so that a few of these are enough. What
    was closed has to be known as well: its number is free then, and the next one to take it
    would be told of when somebody else opens something.
    """
    if not hasattr(select, "poll"):
        return Watcher(name="files", take=take, compare=compare, is_same=lambda k: take() == k)
    return Watcher(
        name="files",
        take=_take_with_free,
        compare=lambda before, after: compare(before[0], after[0]),
        is_same=lambda kept: kept[1](0) == kept[2] or take() == kept[0],
    )


def _take_with_free() -> tuple[dict[int, str], Callable[[int], list[tuple[int, int]]], object]:
    found = take()
    poller = select.poll()
    free = (n for n in range(_LAST_STREAM + 1, len(found) + _ASKED) if n not in found)
    for number in (*islice(free, _ASKED), *islice(found, _MOST_OPEN)):
        poller.register(number, 0)
    return found, poller.poll, poller.poll(0)
