"""File descriptors that are open."""

from __future__ import annotations

import gc
import os
import select
from collections import Counter
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.state.showing import show_text
from tierwise.sandbox.state.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_FOLDERS = ("/proc/self/fd", "/dev/fd")
_FEWEST = 64
_SPARE = 32
_HARNESS = (".tierwise/", ".coverage", "/.pytest_cache/", "/dev/urandom", "/dev/null", "/dev/pts")


def take() -> dict[int, str]:
    """Return what is open: number and target."""
    for folder in _FOLDERS:
        try:
            names = os.listdir(folder)  # noqa: PTH208  hundreds of times
        except OSError:
            continue
        targets = ((int(name), _target(folder, name)) for name in names if name.isdigit())
        return {number: target for number, target in targets if target}
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
    kinds = Counter(_kind(after[number]) for number in new if not _is_harness(after[number]))
    for kind, n in kinds.items():
        yield Change(
            watcher="files",
            owner=f"descriptor of {show_text(kind)}",
            before="(absent)",
            after="open" if n == 1 else f"{n} open",
        )


def _is_harness(target: str) -> bool:
    return any(part in target for part in _HARNESS)


def _kind(target: str) -> str:
    return target.partition(":[")[0]  # the number of a socket or pipe says nothing


def watch_descriptors() -> Watcher:
    """Return the watcher; one question to the system tells whether anything was opened."""
    if not hasattr(select, "poll"):
        return Watcher(name="files", take=take, compare=compare, is_same=lambda k: take() == k)
    poll = _poll_all()
    return Watcher(
        name="files",
        take=lambda: (poll(0), take()),
        compare=lambda before, after: compare(before[1], after[1]),
        is_same=lambda kept: poll(0) == kept[0] or take() == kept[1],
    )


def _poll_all() -> Callable[[int], list[tuple[int, int]]]:
    # The answer names those that are closed, so that an opened one is missing from it.
    poller = select.poll()
    for number in range(max([_FEWEST, *(number + _SPARE for number in take())])):
        poller.register(number, 0)
    return poller.poll
