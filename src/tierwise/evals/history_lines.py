"""A history as the cells of a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tierwise.evals.comparison import Finding
from tierwise.evals.comparison_lines import say_p
from tierwise.evals.wording import round_percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.evals.history import History, HistoryPoint

COLUMNS = ("run", "commit", "scored", "estimate", "interval", "verdict", "change")
_MARKS = (
    (
        "*",
        "the eval's own code, or its provider's options, differ from the run compared with",
    ),
    ("+", "the run has not finished"),
    ("~", "several runs that go on with one another: the same trials, one measurement"),
    ("=", "all replies came from the cache: no new measurement"),
    ("!", "broken off, less than half of it scored: the next is compared with one before it"),
)
_COMMIT = 7
_SUFFIX = "-"


def history_cells(history: History) -> list[tuple[str, ...]]:
    """Return one row for each measurement, in the order of `COLUMNS`; 80 columns hold them.

    A run is named by the start of its id, as far as that tells it from the others.
    """
    starts = [point.run_id.rpartition(_SUFFIX)[0] for point in history.points]
    return [
        (
            point.run_id if starts.count(start) > 1 or not start else start,
            f"{point.commit[:_COMMIT] or '-'}{say_marks(point)}",
            say_scored(point),
            _say_estimate(point, is_rate=history.is_rate),
            _say_interval(point, is_rate=history.is_rate),
            point.verdict.upper() or "-",
            say_change(point, history),
        )
        for point, start in zip(history.points, starts, strict=True)
    ]


def say_marks(point: HistoryPoint) -> str:
    """Return the marks of a measurement, which `legend_lines` explains."""
    marked = (
        point.is_redefined,
        not point.is_finished,
        len(point.runs) > 1,
        point.is_copied,
        point.is_broken_off,
    )
    found = "".join(mark for (mark, _), is_so in zip(_MARKS, marked, strict=True) if is_so)
    return f" {found}" if found else ""


def legend_lines(histories: Iterable[History]) -> list[str]:
    """Return what the marks stand for that there are."""
    seen = "".join(say_marks(point) for entry in histories for point in entry.points)
    return [f"{mark} {meaning}" for mark, meaning in _MARKS if mark in seen]


def say_scored(point: HistoryPoint) -> str:
    """Return how many trials have a score, and of how many where some have none."""
    n, of = point.n_scored, point.n_planned
    return f"{n}" if n == of else f"{n} of {of}"


def say_scale(history: History) -> str:
    """Return the values that the lowest and the highest block of the picture stand for."""
    known = [point.estimate for point in history.points if point.estimate is not None]
    if not known:
        return ""
    ends = dict.fromkeys(
        _say_number(end, is_rate=history.is_rate) for end in (min(known), max(known))
    )
    return " to ".join(ends)


def say_change(point: HistoryPoint, history: History) -> str:
    """Return what is shown of a run beside the one that it is compared with."""
    if point.change is None:
        return "-"
    if point.change not in (Finding.HIGHER, Finding.LOWER):
        return str(point.change) if point.change is Finding.UNDETERMINED else "none shown"
    word = str(point.change)
    if history.better is not None:
        word = "better" if point.change.value == history.better else "WORSE"
    p = "" if point.p_adjusted is None else f" (p {say_p(point.p_adjusted)})"
    return f"{word}{p}"


def _say_estimate(point: HistoryPoint, *, is_rate: bool) -> str:
    return "-" if point.estimate is None else _say_number(point.estimate, is_rate=is_rate)


def _say_number(value: float, *, is_rate: bool) -> str:
    return round_percent(value) if is_rate else f"{value:.4g}"


def _say_interval(point: HistoryPoint, *, is_rate: bool) -> str:
    if point.interval is None:
        return "-"
    low, high = point.interval
    if is_rate:
        return f"{_tenth(low)} to {_tenth(high, up=True)}"
    return f"{low:.4g} to {high:.4g}"


def _tenth(share: float, *, up: bool = False) -> str:
    """Return a share in percent to one decimal, rounded outward."""
    scaled = round(share * 1000, 6)
    return f"{(math.ceil(scaled) if up else math.floor(scaled)) / 10:.10g}"
