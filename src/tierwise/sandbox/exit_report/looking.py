"""What a process that ought to end waits for, read from its threads and their stacks."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.exit_report.report import Wait
from tierwise.sandbox.origins import (
    is_installed,
    is_of_library,
    name_of,
    origin_of,
    place_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

    from tierwise.sandbox.exit_report.report import Kind

_SHUTDOWN = "threading._shutdown"
_OF_EXECUTORS = "concurrent.futures.thread"
_OF_PROCESSES = "multiprocessing.util._exit_function"


def find_waits() -> tuple[Wait, ...]:
    """Return what the main thread waits for at the end of the process; nothing where unknown."""
    frames = sys._current_frames()  # noqa: SLF001  the only way to see where threads are
    stack = list_stack(frames.get(threading.main_thread().ident or 0))
    if not stack:
        return ()
    if name_of(stack[0]) == _SHUTDOWN:
        return tuple(
            _wait_for_thread(thread, list_stack(frames.get(thread.ident or 0)))
            for thread in threading.enumerate()
            if not thread.daemon and thread is not threading.main_thread()
        )
    if any(name_of(frame) == _OF_PROCESSES for frame in stack):
        return _wait_for_processes()
    return (_wait_for_function(stack),)


def list_stack(frame: FrameType | None) -> tuple[FrameType, ...]:
    """Return the frames of one thread, the outermost first."""
    frames: list[FrameType] = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return tuple(reversed(frames))


def _wait_for_thread(thread: threading.Thread, stack: tuple[FrameType, ...]) -> Wait:
    is_worker = any(name_of(frame) == f"{_OF_EXECUTORS}._worker" for frame in stack)
    return _wait("executor" if is_worker else "thread", thread.name, _working(stack), thread)


def _wait_for_function(stack: tuple[FrameType, ...]) -> Wait:
    """Describe a function that runs at the end: the first that is not the standard library's."""
    frame = next((each for each in stack if not is_of_library(each.f_code.co_filename)), stack[0])
    joined = next((found for each in stack if (found := _joined_in(each)) is not None), None)
    return _wait("atexit", joined.name if joined else name_of(frame), frame, joined)


def _joined_in(frame: FrameType) -> threading.Thread | None:
    if frame.f_code is not threading.Thread.join.__code__:
        return None
    thread = frame.f_locals.get("self")
    return thread if isinstance(thread, threading.Thread) else None


def _wait_for_processes() -> tuple[Wait, ...]:
    # Not active_children(): it would take the ended ones away from whoever waits for them.
    module: Any = sys.modules.get("multiprocessing.process")
    children: Iterable[Any] = tuple(getattr(module, "_children", ()))
    return tuple(Wait(kind="process", name=f"{child.name}, pid {child.pid}") for child in children)


def _working(stack: tuple[FrameType, ...]) -> FrameType | None:
    """Return the innermost frame of the project's own code, or else of any but Python's own."""
    inner = [each for each in reversed(stack) if not is_of_library(each.f_code.co_filename)]
    own = (each for each in inner if not is_installed(each.f_code.co_filename))
    return next(own, inner[0] if inner else None)


def _wait(kind: Kind, name: str, frame: FrameType | None, thread: threading.Thread | None) -> Wait:
    origin = origin_of(thread)
    return Wait(
        kind=kind,
        name=name,
        owner=name_of(frame) if frame else "",
        place=place_of(frame) if frame else "",
        started_by=origin.starter if origin else "",
        started_at=origin.place if origin else "",
        test=origin.test if origin else "",
    )
