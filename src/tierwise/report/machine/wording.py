"""Numbers and counts as reports for programs say them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.report.map import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.report.machine.values import ExpectationEntry
    from tierwise.report.map import LevelRow


def say_expectation(entry: ExpectationEntry) -> str:
    """Return the verdict with all that it rests on, such as `12 scored of 15 planned`."""
    return f"{entry.verdict}: {say_numbers(entry)}"


def say_numbers(entry: ExpectationEntry) -> str:
    """Return what a verdict rests on, and why it is what it is."""
    said = f"{entry.n_scored} scored of {entry.n_planned} planned"
    if entry.estimate is not None:
        said += f", {entry.quantity} {entry.estimate:.3g}{_interval(entry)}"
    return f"{said}; {entry.reason}" if entry.reason else said


def _interval(entry: ExpectationEntry) -> str:
    if entry.interval is None:
        return ""
    low, high = entry.interval
    share = "" if entry.confidence is None else f" {entry.confidence:.0%}"
    return f" ({low:.3g} to {high:.3g},{share} interval)"


def say_coverage(levels: Iterable[LevelRow]) -> str:
    """Return how many levels are covered: `7 of 12 levels covered`."""
    statuses = [row.status for row in levels]
    return f"{statuses.count(Status.COVERED)} of {len(statuses)} levels covered"


def count(n: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"
