"""The map as a table for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from tierwise.domain import Outcome
from tierwise.report.map import LevelRow, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_STYLE = {Status.COVERED: "green", Status.PARTIAL: "yellow", Status.GAP: "dim"}


def render_map(rows: Iterable[LevelRow]) -> Table:
    """Return the twelve levels as a table: status, tiers, tests and the reason in words."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("level", "status", "tiers"):
        table.add_column(name, no_wrap=True)
    table.add_column("tests", justify="right")
    table.add_column("why", overflow="fold")
    for row in rows:
        table.add_row(
            row.level,
            Text(row.status, style=_STYLE[row.status]),
            ", ".join(row.tiers),
            str(row.n_tests) if row.n_tests else "",
            row.reason,
            style="dim" if row.status == Status.GAP else None,
        )
    return table


def summarise_map(rows: Iterable[LevelRow]) -> str:
    """Return one sentence that counts the levels by status."""
    counted = dict.fromkeys(Status, 0)
    for row in rows:
        counted[row.status] += 1
    return ", ".join(f"{n} {status}" for status, n in counted.items())


def map_as_data(rows: Iterable[LevelRow]) -> list[Mapping[str, object]]:
    """Return the map as plain data for `--json`."""
    return [
        {
            "level": row.level,
            "status": row.status,
            "reason": row.reason,
            "tiers": list(row.tiers),
            "questions": list(row.questions),
            "tests": row.n_tests,
            "outcomes": {outcome: row.outcomes.get(outcome, 0) for outcome in Outcome},
            "verdicts": dict(row.verdicts),
            "last_run": row.last_run,
        }
        for row in rows
    ]
