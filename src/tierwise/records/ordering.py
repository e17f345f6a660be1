"""Rows of runs that were taken in, put where they belong in time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_TABLES = (
    *("tests", "plans", "verdicts", "contracts", "clauses", "requirements", "guards", "gates"),
    *("gaps", "left_behind", "runs"),
)
"""Those whose latest row counts and whose numbers nothing refers to; trials keep theirs."""


def put_in_order(connection: sqlite3.Connection) -> None:
    """Give rows numbers by the start of their runs, so that the latest is of the latest run."""
    starts = [row[0] for row in connection.execute("SELECT started_at FROM runs ORDER BY seq")]
    if all(one <= other for one, other in itertools.pairwise(starts)):
        return
    for table in _TABLES:  # runs at the end, since the others are put in order by them
        connection.execute(f"CREATE TEMP TABLE moved AS {_places(table)}")
        connection.execute("CREATE UNIQUE INDEX temp.moved_by_old ON moved (old)")
        # By way of negative numbers, so that no two rows ever have the same.
        connection.execute(
            f"UPDATE {table} SET seq = (SELECT -new FROM moved WHERE old = seq)"  # noqa: S608  names of ours
        )
        connection.execute(f"UPDATE {table} SET seq = -seq")  # noqa: S608
        connection.execute("DROP TABLE temp.moved")


def _places(table: str) -> str:
    if table == "runs":
        return """SELECT seq AS old, row_number() OVER (ORDER BY started_at, seq) AS new
            FROM runs"""
    return f"""SELECT rows.seq AS old,
            row_number() OVER (ORDER BY runs.started_at, runs.seq, rows.seq) AS new
        FROM {table} AS rows JOIN runs ON runs.run_id = rows.run_id"""  # noqa: S608
