"""Progress of trials on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Protocol, TextIO

from tierwise.domain import (
    EvalStarted,
    Event,
    Outcome,
    RunAbandoned,
    RunExplained,
    RunHeldUp,
    StopRequested,
    TrialEnded,
)
from tierwise.evals.interrupting import say_stop
from tierwise.evals.spending import SpendingCount

if TYPE_CHECKING:
    from collections.abc import Callable

_INTERVAL_S = 2.0
_SCORED = frozenset({Outcome.PASSED, Outcome.FAILED})


class Meter(Protocol):
    """Shows how far a run is."""

    def show(self, text: str, done: int, total: int) -> None:
        """Show it."""

    def say(self, text: str) -> None:
        """Show a line of its own, at once."""

    def close(self) -> None:
        """Show nothing any more."""


class Progress:
    """Counts trials as they end, and has them shown."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._total = self._done = self._unscored = 0
        self._spending = SpendingCount()

    def __call__(self, event: Event) -> None:
        """Take one event of the run."""
        if isinstance(event, EvalStarted):
            self._total += event.planned - event.reused
        elif isinstance(event, TrialEnded):
            self._done += 1
            self._unscored += event.outcome not in _SCORED
            self._spending.add(event.exchanges)
        elif isinstance(event, StopRequested):
            self._meter.say(say_stop(event.n_in_flight))
            return
        elif isinstance(event, RunExplained | RunHeldUp | RunAbandoned):
            self._meter.say(event.text)
            return
        else:
            return
        spent = say_spent(self._spending)
        text = say_progress(self._done, self._total, self._unscored, spent)
        self._meter.show(text, self._done, self._total)


def say_progress(done: int, total: int, unscored: int, spent: str = "") -> str:
    """Return how far a run is and what it has spent, as a line."""
    without = f", {unscored} without a score" if unscored else ""
    return f"{done} of {total} trials{without}{spent and f', {spent}'}"


def say_spent(spending: SpendingCount) -> str:
    """Return tokens and money, as far as there were any."""
    tokens = spending.input_tokens + spending.output_tokens
    parts = [f"{tokens:,} tokens"] if tokens else []
    if spending.cost_usd:
        parts.append(f"{spending.cost_usd:.4g} USD")
    return ", ".join(parts)


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

    def say(self, text: str) -> None:
        """Write a line of its own."""
        print(f"evals: {text}", file=self._stream, flush=True)

    def close(self) -> None:
        """Write the last line."""
        if self._unsaid:
            self._say()

    def _say(self) -> None:
        self.say(self._unsaid)
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

    def say(self, text: str) -> None:
        """Write a line above the bar."""
        self._bar.console.print(text, markup=False, highlight=False)

    def close(self) -> None:
        """Take the bar away."""
        self._bar.stop()


def open_meter() -> Meter:
    """Return what fits stderr as it is now; pytest takes the descriptor later, so it is copied."""
    stream = copy_stream(sys.stderr)
    return BarMeter(stream) if stream.isatty() else LineMeter(stream)


def copy_stream(stream: TextIO) -> TextIO:
    """Return another way to where a stream leads now, or itself where it has no descriptor."""
    try:
        copied = os.dup(stream.fileno())
    except (OSError, ValueError):
        return stream
    return os.fdopen(copied, "w", encoding="utf-8", errors="replace")
