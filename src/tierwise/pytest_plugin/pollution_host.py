"""A process of its own for a session: whatever a project does there, its parent lives on."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import pytest

from tierwise.errors import ExitCode, MisuseError
from tierwise.pytest_plugin.eval_suite import ALREADY_IMPORTED, pick_output, shorten
from tierwise.pytest_plugin.pollution_child import BROKE, DONE, GRACE_S, Child
from tierwise.pytest_plugin.pollution_session import HeldSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

Answer = TypeVar("Answer")
_FOREVER_S = 10.0**9
_COLLECTING_S = 900.0
_MARK = "INTERNALERROR> "
_LAST_WORDS_S = 10.0
"""An interrupted search has this long to say what it knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostResult(Generic[Answer]):
    """What came of a session in a process of its own."""

    answer: Answer | None
    """None when the session never came to the point where tests would run."""
    exit_code: int = ExitCode.OK
    """Of pytest."""
    said: str = ""
    """What pytest said, where there is no answer."""


def run_in_host(
    arguments: Sequence[str],
    work: Callable[[HeldSession, pytest.Session, Connection], Answer],
    *,
    tell: Callable[[str, int], None] = lambda _doing, _runs: None,
) -> HostResult[Answer]:
    """Collect in a forked process, do `work` there with the collected session, return its answer.

    Ctrl-C is passed on, and what the search then knows is its answer; the second one ends it.
    """
    if not hasattr(os, "fork"):
        raise MisuseError(
            "Searching for order dependence forks a process for each run, which this system "
            "cannot do. Use Linux, macOS or the Windows Subsystem for Linux."
        )
    with tempfile.TemporaryDirectory(prefix="tierwise-bisect-") as folder:
        host = Child(lambda outgoing: _be_host(arguments, work, outgoing, Path(folder)))
        with _passing_interrupts_on(host):
            return _hear(host, tell)


def _hear(host: Child, tell: Callable[[str, int], None]) -> HostResult[Answer]:
    result: HostResult[Answer] | None = None
    patience, how, died = _COLLECTING_S, "", ""
    try:
        while (message := host.next_message(patience)) is not None and message[0] != DONE:
            patience = _FOREVER_S
            if message[0] == "tell":
                tell(str(message[1]), int(str(message[2])))
            elif message[0] == BROKE:
                how = str(message[1])
            elif result is None:
                result, patience = message[1], GRACE_S  # type: ignore[assignment]
    except TimeoutError:
        how = "" if result else f"it had not collected its tests after {_COLLECTING_S:g} s"
    finally:
        died = host.end()
    return result or HostResult(
        answer=None,
        exit_code=ExitCode.INTERNAL_ERROR,
        said="the session ended before its tests could be run: "
        f"{how or died or 'it said nothing'}. "
        "A conftest.py or a test file that leaves Python while it is imported does that",
    )


@contextlib.contextmanager
def _passing_interrupts_on(host: Child) -> Iterator[None]:
    """Have Ctrl-C and SIGTERM reach the host once; after that, end it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = False

    def pass_on(_number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        with contextlib.suppress(ProcessLookupError):
            os.kill(host.pid, signal.SIGINT)
        signal.setitimer(signal.ITIMER_REAL, _LAST_WORDS_S)

    handlers = dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGALRM), pass_on)
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _be_host(
    arguments: Sequence[str],
    work: Callable[[HeldSession, pytest.Session, Connection], Answer],
    outgoing: Connection,
    folder: Path,
) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    _silence()
    _stand_here()

    def answer(held: HeldSession, session: pytest.Session) -> None:
        # At once: what the project does at the end of a session may end the process.
        outgoing.send(("answer", HostResult(answer=work(held, session, outgoing))))

    held = HeldSession(answer)
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = _run_pytest([*arguments, *_own_arguments(arguments, folder)], held)
    said = shorten(say_why(code, output.getvalue(), errors.getvalue()))
    outgoing.send(("answer", HostResult(answer=None, exit_code=code, said=said)))


def say_why(code: int, output: str, errors: str) -> str:
    """Return what of pytest's output says why it did not come to its tests."""
    if code == ExitCode.USAGE and errors.strip():
        return errors.strip()
    if code == ExitCode.INTERNAL_ERROR:
        # The error itself stands behind the traceback, whose lines are indented.
        lines = [line for line in f"{output}\n{errors}".splitlines() if line.startswith(_MARK)]
        said = [line for line in lines if not line.startswith((f"{_MARK} ", f"{_MARK}Traceback"))]
        return "\n".join(said[-3:] or lines[-1:]) or pick_output(output, errors)
    return pick_output(output, errors)


def _run_pytest(arguments: Sequence[str], held: HeldSession) -> int:
    try:
        return int(pytest.main(list(arguments), plugins=[held]))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED


def _own_arguments(arguments: Sequence[str], folder: Path) -> list[str]:
    """Return where children put what is temporary, and that nothing is kept of this session."""
    own = ["-p", "tierwise", "-W", ALREADY_IMPORTED, "-o", f"cache_dir={folder / 'cache'}"]
    if not any(one.startswith("--basetemp") for one in arguments):
        own += ["--basetemp", str(folder / "tmp")]
    return own


def _stand_here() -> None:
    """Have this folder on the path, as `python -m pytest` has it."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)


def _silence() -> None:
    """Lead what programs and crashing interpreters write to nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
