"""One pytest in a process of its own, watched by what it writes: it may die or hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import TYPE_CHECKING

from tierwise.audit.events import Progress, follow, parse_events
from tierwise.errors import MisuseError
from tierwise.sandbox.exit_report import read_exit_report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tierwise.audit.events import Event
    from tierwise.sandbox.exit_report import Wait

_LOOK_AGAIN = 0.05
_LONGEST_START = 120.0
"""Seconds for one file to be imported, at least."""
_LONGEST_EXIT = 20.0
_LONGEST_TAIL = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildEnd:
    """How the process ended."""

    code: int
    """As pytest's exit code; negative for the signal that killed it."""
    is_hung: bool
    """Was it killed here, since nothing was heard of it for too long?"""
    seconds: float
    exit_seconds: float
    """From the last hook of pytest to the end of threads and of what atexit calls."""
    output: str
    """The end of what it printed."""
    events: tuple[Event, ...]
    progress: Progress
    waits: tuple[Wait, ...] = ()
    """What it waited for at its end."""


@dataclass(slots=True)
class _Tail:
    """Reads a file of events as it grows."""

    path: Path
    offset: int = 0
    rest: bytes = b""
    events: list[Event] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)

    def read(self) -> int:
        """Return how many new events there were."""
        try:
            with self.path.open("rb") as file:
                file.seek(self.offset)
                block = file.read()
        except FileNotFoundError:
            return 0
        self.offset += len(block)
        *lines, self.rest = (self.rest + block).split(b"\n")
        found = parse_events(line.decode("ascii", "replace") for line in lines)
        for event in found:
            follow(self.progress, event)
        self.events += found
        return len(found)


def run_child(
    arguments: Sequence[str],
    *,
    folder: Path,
    number: int,
    environment: Mapping[str, str],
    timeout_s: float,
    listen: Callable[[Progress], None],
) -> ChildEnd:
    """Run `python -m pytest` with these arguments; kill it when it is silent for `timeout_s`."""
    output, tail = folder / f"output-{number}", _Tail(folder / f"events-{number}")
    told = (f"--audit-events={tail.path}", f"--tierwise-exit-report={folder / f'exit-{number}'}")
    begun = monotonic()
    with output.open("wb") as file:
        process = subprocess.Popen(  # noqa: S603  the interpreter that runs this
            [sys.executable, "-m", "pytest", *told, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            start_new_session=os.name == "posix",
        )
        try:
            is_hung = _watch(process, tail, timeout_s, listen)
        finally:
            _end(process)
    tail.read()
    ended = monotonic()
    return ChildEnd(
        code=process.returncode,
        is_hung=is_hung,
        seconds=ended - begun,
        exit_seconds=measure_exit(tail.progress, ended),
        output=_read_tail(output),
        events=tuple(tail.events),
        progress=tail.progress,
        waits=_read_waits(folder / f"exit-{number}"),
    )


def _watch(
    process: subprocess.Popen[bytes],
    tail: _Tail,
    timeout_s: float,
    listen: Callable[[Progress], None],
) -> bool:
    """Wait for the end; return whether it took too long since the last event."""
    heard = monotonic()
    while process.poll() is None:
        if tail.read():
            heard = monotonic()
            listen(tail.progress)
        if monotonic() - heard > choose_limit(tail.progress, timeout_s):
            return True
        sleep(_LOOK_AGAIN)
    return False


def choose_limit(progress: Progress, timeout_s: float) -> float:
    """Return how long a silence may be: that of a test, more at the start, less at the end."""
    if progress.leaving_at is not None:
        return min(timeout_s, _LONGEST_EXIT)
    return timeout_s if progress.is_collected else max(timeout_s, _LONGEST_START)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and what it started, if it is still there."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def measure_exit(progress: Progress, ended: float) -> float:
    """Return the seconds that threads and atexit took; `ended` is when the process was gone.

    What the interpreter needs to free its memory is nobody's fault, and not counted.
    """
    if progress.leaving_at is None:
        return 0.0
    last = progress.exited_at if progress.exited_at is not None else ended
    return max(0.0, last - progress.leaving_at)


def _read_waits(path: Path) -> tuple[Wait, ...]:
    try:
        return read_exit_report(path).waits
    except (OSError, MisuseError):
        return ()  # it was killed before pytest was done


def _read_tail(path: Path) -> str:
    data = path.read_bytes()[-_LONGEST_TAIL:]
    return data.decode("utf-8", "replace")
