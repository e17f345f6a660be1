"""A history as the cells of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.evals.comparison import Finding
from tierwise.evals.comparison_lines import say_p
from tierwise.evals.wording import percent, round_percent

if TYPE_CHECKING:
    from tierwise.evals.history import History, HistoryPoint

COLUMNS = ("run", "commit", "scored", "estimate", "interval", "verdict", "change")
REDEFINED = "* the eval's own code, or its provider's options, differ from the run before"


def history_cells(history: History) -> list[tuple[str, ...]]:
    """Return one row for each run, in the order of `COLUMNS`."""
    return [
        (
            point.run_id if point.is_finished else f"{point.run_id} (not finished)",
            f"{point.commit[:8] or '-'}{' *' if point.is_redefined else ''}",
            f"{point.n_scored} of {point.n_planned}",
            _say_estimate(point, is_rate=history.is_rate),
            _say_interval(point, is_rate=history.is_rate),
            point.verdict.upper() or "-",
            say_change(point, history),
        )
        for point in history.points
    ]


def say_change(point: HistoryPoint, history: History) -> str:
    """Return what is shown of a run beside the one before it."""
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
    if point.estimate is None:
        return "-"
    return round_percent(point.estimate) if is_rate else f"{point.estimate:.4g}"


def _say_interval(point: HistoryPoint, *, is_rate: bool) -> str:
    if point.interval is None:
        return "-"
    low, high = point.interval
    if is_rate:
        return f"{percent(low).removesuffix(' %')} to {percent(high, up=True)}"
    return f"{low:.4g} to {high:.4g}"
