"""Ctrl-C while trials run: once lets those in flight end, twice stops at once."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """While it is entered, the first SIGINT or SIGTERM calls `let_end`, a second one raises.

    The handlers of before are put back at the end. A signal that is ignored, as in a background
    job, stays so. Signals reach the main thread alone: in any other one nothing is changed.
    """

    def __init__(self, let_end: Callable[[], None]) -> None:
        self._let_end = let_end
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
        for number, handler in self._before.items():
            # None stands for a handler that was not set from Python, which cannot be put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _take(self, _number: int, _frame: FrameType | None) -> None:
        if self._has_come:
            raise KeyboardInterrupt
        self._has_come = True
        self._let_end()


def say_stop(n_in_flight: int) -> str:
    """Return what the first Ctrl-C has brought about, as a line."""
    return (
        f"stopping: {n_in_flight} trial{'' if n_in_flight == 1 else 's'} in flight may end; "
        "Ctrl-C again stops at once"
    )
