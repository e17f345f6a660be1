"""Progress of trials on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Protocol, TextIO

from tierwise.domain import EvalStarted, Event, Outcome, TrialEnded

if TYPE_CHECKING:
    from collections.abc import Callable

_INTERVAL_S = 2.0
_SCORED = frozenset({Outcome.PASSED, Outcome.FAILED})


class Meter(Protocol):
    """Shows how far a run is."""

    def show(self, text: str, done: int, total: int) -> None:
        """Show it."""

    def close(self) -> None:
        """Show nothing any more."""


class Progress:
    """Counts trials as they end, and has them shown."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._total = self._done = self._unscored = 0

    def __call__(self, event: Event) -> None:
        """Take one event of the run."""
        if isinstance(event, EvalStarted):
            self._total += event.planned
        elif isinstance(event, TrialEnded):
            self._done += 1
            self._unscored += event.outcome not in _SCORED
        else:
            return
        self._meter.show(
            say_progress(self._done, self._total, self._unscored), self._done, self._total
        )


def say_progress(done: int, total: int, unscored: int) -> str:
    """Return how far a run is, as a line."""
    without = f", {unscored} without a score" if unscored else ""
    return f"{done} of {total} trials{without}"


class LineMeter:
    """Writes a line at most every two seconds, and one at the end."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._next = clock() + _INTERVAL_S
        self._unsaid = ""

    def show(self, text: str, done: int, total: int) -> None:
        """Write the line if it is time."""
        del done, total
        self._unsaid = text
        if self._clock() >= self._next:
            self._next = self._clock() + _INTERVAL_S
            self._say()

    def close(self) -> None:
        """Write the last line."""
        if self._unsaid:
            self._say()

    def _say(self) -> None:
        print(f"evals: {self._unsaid}", file=self._stream, flush=True)
        self._unsaid = ""


class BarMeter:
    """A bar that is redrawn in place."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console  # noqa: PLC0415  rich is slow to load
        from rich.progress import BarColumn, Progress as Bar, TextColumn, TimeRemainingColumn  # noqa: PLC0415

        self._bar = Bar(
            BarColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
            console=Console(file=stream, force_terminal=True),
            transient=True,
        )
        self._task = self._bar.add_task("starting", total=None)
        self._bar.start()

    def show(self, text: str, done: int, total: int) -> None:
        """Move the bar."""
        self._bar.update(self._task, description=text, completed=done, total=total)

    def close(self) -> None:
        """Take the bar away."""
        self._bar.stop()


def open_meter() -> Meter:
    """Return what fits stderr as it is now; pytest takes the descriptor later, so it is copied."""
    try:
        copied = os.dup(sys.stderr.fileno())
    except (OSError, ValueError):  # a stand-in for stderr that has no descriptor
        return LineMeter(sys.stderr)
    stream = os.fdopen(copied, "w", encoding="utf-8", errors="replace")
    return BarMeter(stream) if stream.isatty() else LineMeter(stream)
