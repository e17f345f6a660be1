"""Ctrl-C while trials run: once lets those in flight end, twice stops at once."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, TracebackType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE_S = 2.0
"""What a second Ctrl-C has cut off has this long to come to an end."""


class Interrupts:
    """While it is entered, the first SIGINT or SIGTERM calls `let_end`, a second one raises.

    Code that swallows what the second one raises, or blocks, is not waited for: unless the block
    is left within `_GRACE_S`, `give_up` is called from another thread, and ends the process.
    The handlers of before are put back at the end. A signal that is ignored, as in a background
    job, stays so. Signals reach the main thread alone: in any other one nothing is changed.
    """

    def __init__(
        self, let_end: Callable[[], None], *, give_up: Callable[[], None] = lambda: None
    ) -> None:
        self._let_end = let_end
        self._give_up = give_up
        self._deadline: threading.Timer | None = None
        self._before: dict[signal.Signals, Any] = {}
        self._has_come = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        for number, handler in self._before.items():
            # None stands for a handler that was not set from Python, which cannot be put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _take(self, _number: int, _frame: FrameType | None) -> None:
        if self._has_come:
            if self._deadline is None:
                self._deadline = start_deadline(self._give_up)
            raise KeyboardInterrupt
        self._has_come = True
        self._let_end()


def start_deadline(give_up: Callable[[], None]) -> threading.Timer:
    """Have `give_up` called from another thread after a moment, unless it is cancelled."""
    timer = threading.Timer(_GRACE_S, give_up)
    timer.daemon = True
    timer.start()
    return timer


def end_at_once_from_now(exit_code: int) -> None:
    """Let further signals end this process with the code of the run that was interrupted.

    All is kept by then, and what is left is to print and to leave. While the interpreter ends,
    which nobody can speak any more, they are ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: os._exit(exit_code))
            atexit.register(signal.signal, number, signal.SIG_IGN)


@contextlib.contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """Have SIGTERM raise what Ctrl-C raises, so that whoever is interrupted can clean up.

    Where someone handles it already, or nobody may, nothing is changed. What the block itself has
    set stays.
    """
    is_ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    )
    if is_ours:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        if is_ours and signal.getsignal(signal.SIGTERM) == signal.default_int_handler:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def say_stop(n_in_flight: int) -> str:
    """Return what the first Ctrl-C has brought about, as a line."""
    return (
        f"stopping: {n_in_flight} trial{'' if n_in_flight == 1 else 's'} in flight may end; "
        "Ctrl-C again stops at once"
    )
