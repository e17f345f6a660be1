"""Processes and pipes that appear without an audit event."""
# ruff: noqa: ANN401 - a stand-in takes and returns whatever the original does

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.files import classify_change
from tierwise.sandbox.patching import Patch, StandIn, replace_function
from tierwise.sandbox.processes import classify_program
from tierwise.sandbox.touching import report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def install() -> Iterable[Patch | None]:
    """Patch what multiprocessing's spawn and forkserver start with, os.mkfifo and os.mknod."""
    try:
        import _posixsubprocess  # noqa: PLC0415  absent on Windows
    except ImportError:
        pass
    else:
        yield replace_function(_posixsubprocess, "fork_exec", _watch_fork_exec)
    yield replace_function(os, "mkfifo", _watch_mkfifo)
    yield replace_function(os, "mknod", _watch_mknod)


def _watch_fork_exec(original: Callable[..., int]) -> StandIn:
    def fork_exec(*args: Any) -> int:
        # subprocess ends here too: its own event was judged before, and a rule excuses this one.
        report("multiprocessing", (args[1][0],), classify_program, depth=3)
        return original(*args)

    return StandIn(original, fork_exec)


def _watch_mkfifo(original: Callable[..., None]) -> StandIn:
    def mkfifo(path: Any, mode: int = 0o666, *, dir_fd: int | None = None) -> None:
        report("os.mkfifo", (path, _descriptor(dir_fd)), classify_change, depth=3)
        original(path, mode, dir_fd=dir_fd)

    return StandIn(original, mkfifo)


def _watch_mknod(original: Callable[..., None]) -> StandIn:
    def mknod(
        path: Any,
        mode: int = 0o600,
        device: int = 0,
        *,
        dir_fd: int | None = None,
    ) -> None:
        report("os.mknod", (path, _descriptor(dir_fd)), classify_change, depth=3)
        original(path, mode, device, dir_fd=dir_fd)

    return StandIn(original, mknod)


def _descriptor(dir_fd: int | None) -> int:
    return -1 if dir_fd is None else dir_fd
