"""Go on in a copy of this process that has one thread alone; the original waits and ends as it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import warnings
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


def continue_in_copy() -> None:
    """Return in a copy of this process; the original never returns from here.

    Idle threads of C libraries, such as the pool of a linear algebra library, stay behind in it:
    these libraries make new ones where they need them.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that threads stay behind is what is wanted
        copy = os.fork()
    if copy:
        _end_as(copy)
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, int(signal.SIGKILL), 0, 0, 0)


def _end_as(copy: int) -> NoReturn:
    for number in _FORWARDED:
        signal.signal(number, partial(_forward, copy))
    # The terminal interrupts both; anybody else tells the process that it started.
    hear = signal.SIG_IGN if _is_in_foreground() else partial(_forward, copy)
    signal.signal(signal.SIGINT, hear)
    code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _forward(copy: int, number: int, _frame: FrameType | None) -> None:
    with suppress(ProcessLookupError):
        os.kill(copy, number)


def _is_in_foreground() -> bool:
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False  # no terminal
