"""A forked child that runs some of the collected tests, and its parent that hears of it."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from typing import TYPE_CHECKING, Any

from tierwise.pollution.endings import NOT_RUN, Ended, Ending

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Begin = tuple[str]
    Message = tuple[object, ...]
    Body = Callable[[Connection], None]

GRACE_S = 10.0
"""Fixtures of the session have this long to come down once all tests have ended."""
_LOOK_S = 0.05
_DYING_S = 1.0
"""A process whose end of the pipe is closed is dead, or is within this time."""
BEGINS, ENDS = "begins", "ends"
DONE = "done"
"""The last message of a child that came to its end."""
BROKE = "broke"
"""And of one that did not: what was raised follows."""
NOTED = "noted"
"""Something seen between two tests."""


class Child:
    """A process forked from this one; `messages` come from it until it ends or hangs."""

    def __init__(self, body: Body, *, closed: Sequence[Connection] = ()) -> None:
        self._incoming, outgoing = Pipe(duplex=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads alive: the report says it
            self.pid = os.fork()
        if self.pid == 0:
            _be_child(body, outgoing, (self._incoming, *closed))
        outgoing.close()
        self._status: int | None = None
        self._is_silent = False
        with suppress(OSError):
            os.setpgid(self.pid, self.pid)

    def next_message(self, timeout_s: float) -> Message | None:
        """Return what it says next, None when it has died; TimeoutError when it says nothing."""
        deadline = time.monotonic() + timeout_s
        is_dead = False
        while True:
            if self._incoming.poll(0 if is_dead else _LOOK_S):
                return self._receive()
            if is_dead:
                return None
            # What it started may hold its end of the pipe open longer than it lives.
            is_dead = self._has_ended()
            if not is_dead and time.monotonic() > deadline:
                raise TimeoutError

    def end(self) -> str:
        """End it and all that it started; return how it had died, "" when it was alive."""
        deadline = time.monotonic() + (_DYING_S if self._is_silent else 0)
        while not self._has_ended() and time.monotonic() < deadline:
            time.sleep(_DYING_S / 1000)
        how = say_death(self._status)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if self._status is None:
            _, self._status = os.waitpid(self.pid, 0)
        self._incoming.close()
        return how

    def _has_ended(self) -> bool:
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = status if pid else None
        return self._status is not None

    def _receive(self) -> Message | None:
        try:
            received: Message = self._incoming.recv()
        except (EOFError, OSError):
            self._is_silent = True
            return None
        return received


def _be_child(body: Body, outgoing: Connection, closed: Sequence[Connection]) -> None:
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for connection in closed:
            connection.close()
        body(outgoing)
        with suppress(OSError):
            outgoing.send((DONE,))
    except BaseException as error:  # noqa: BLE001  it ends here, and its parent is to know why
        _say_last(outgoing, error)
    finally:
        # Nothing of the parent is to be flushed, closed or reported twice.
        os._exit(0)


def _say_last(outgoing: Connection, error: BaseException) -> None:
    """Tell in one line what nothing in this process was there to take."""
    said = f"{type(error).__name__}: {error}".partition("\n")[0]
    with suppress(BaseException):
        outgoing.send((BROKE, said))


def say_death(status: int | None) -> str:
    """Return how a process has ended; "" for one that has not."""
    if status is None:
        return ""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        names = {int(one): one.name for one in signal.Signals}
        return f"its process was killed by {names.get(number, f'signal {number}')}"
    return f"its process left with exit code {os.WEXITSTATUS(status)}"


def listen(
    child: Child,
    tests: Sequence[str],
    *,
    timeout_s: float,
    deadline: float | None = None,
    note: Callable[[Any], object] = lambda _noted: None,
) -> dict[str, Ended]:
    """Return how each test ended that a child runs, as far as it got, and end it.

    At the `deadline` of the search it is ended wherever it is, and the test it was at not run.
    """
    heard = _Heard(note=note)
    is_late = False
    try:
        while heard.take(child.next_message(_patience(heard, tests, timeout_s, deadline))):
            pass
    except TimeoutError:
        heard.why = f"it had not ended after {timeout_s:g} s"
        heard.ending = Ending.TIMED_OUT
        is_late = deadline is not None and time.monotonic() >= deadline
    finally:
        how = child.end()
    if heard.running is not None and not is_late:
        why = heard.why or how or "its process ended"
        heard.ended[heard.running] = Ended(ending=heard.ending, message=why)
    return {test: heard.ended.get(test, NOT_RUN) for test in tests}


@dataclass(slots=True, kw_only=True)
class _Heard:
    """What a child has said so far."""

    note: Callable[[Any], object]
    ended: dict[str, Ended] = field(default_factory=dict)
    running: str | None = None
    ending: Ending = Ending.CRASHED
    """Of the test that is running, should nothing more be heard."""
    why: str = ""

    def take(self, message: Message | None) -> bool:
        """Take a message and tell whether to wait for another one."""
        if message is None or message[0] == DONE:
            return False
        if message[0] == BROKE:
            self.why = str(message[1])
        elif message[0] == NOTED:
            self.note(message[1])
        elif message[0] == BEGINS:
            self.running = str(message[1])
        elif isinstance(message[2], Ended):
            self.ended[str(message[1])], self.running = message[2], None
        return True


def _patience(
    heard: _Heard, tests: Sequence[str], timeout_s: float, deadline: float | None
) -> float:
    """Return for how long to wait for the next message; TimeoutError when the time is over."""
    if len(heard.ended) == len(tests):
        return GRACE_S
    if deadline is None:
        return timeout_s
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return min(timeout_s, left)


def draw_anew() -> None:
    """Give the child random numbers of its own: it has inherited its parent's next ones."""
    random.seed()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        with suppress(Exception):  # whatever a project has put there under that name
            numpy.random.seed()
