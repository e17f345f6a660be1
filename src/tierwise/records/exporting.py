"""Runs written as lines of JSON, for another store to take in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.records.inputs import entries_of
from tierwise.records.lines import FORMAT, JSON_COLUMNS, ROWS, VERSION
from tierwise.records.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator

_OWN = frozenset({"seq", "trial", "position", "imported_at"})
"""What is a store's own affair."""
_TOLD_APART = frozenset({"runs", "inputs", "plans", "trials", "reused"})
"""Tables that are not written as all the others are."""


def export_lines(
    connection: sqlite3.Connection, run_ids: Collection[str] | None, *, tierwise: str
) -> Iterator[str]:
    """Yield the lines of runs, oldest first; None is every run that has ended.

    A run whose trials another one took over goes before it, whether or not it was named.
    """
    head = {"format": FORMAT, "version": VERSION, "schema": SCHEMA_VERSION, "tierwise": tierwise}
    yield _line(head)
    told: set[str] = set()
    for run in choose_runs(connection, run_ids):
        n_rows = 0
        for table, row in _rows_of_run(connection, run, told):
            n_rows += 1
            yield _line({"table": table, "row": row})
        yield _line({"end": run, "rows": n_rows})


def choose_runs(connection: sqlite3.Connection, run_ids: Collection[str] | None) -> list[str]:
    """Return the ids of the runs to export, oldest first, with those that they rest on."""
    everything = connection.execute("SELECT run_id, finished_at FROM runs ORDER BY seq").fetchall()
    wanted = {
        row["run_id"]
        for row in everything
        if (row["finished_at"] if run_ids is None else row["run_id"] in run_ids)
    }
    links = connection.execute(_SOURCES).fetchall()
    while more := {link["source"] for link in links if link["run_id"] in wanted} - wanted:
        wanted |= more
    return [row["run_id"] for row in everything if row["run_id"] in wanted]


def _rows_of_run(
    connection: sqlite3.Connection, run: str, told: set[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from _plain(connection, "runs", run)
    for (inputs_hash,) in connection.execute(_INPUTS, (run,)).fetchall():
        if inputs_hash not in told:  # many runs share one state of the inputs
            told.add(inputs_hash)
            entries = dict(entries_of(connection, inputs_hash))
            yield "inputs", {"inputs_hash": inputs_hash, "entries": entries}
    yield from _rows_of(connection, run)


def _rows_of(connection: sqlite3.Connection, run: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from _plain(connection, "plans", run)
    for found in connection.execute("SELECT * FROM trials WHERE run_id = ? ORDER BY seq", (run,)):
        trial = _decoded("trials", found)
        trial["exchanges"] = [
            _decoded("exchanges", said) for said in connection.execute(_EXCHANGES, (found["seq"],))
        ]
        yield "trials", trial
    for found in connection.execute(_REUSED, (run,)):
        yield "reused", dict(found)
    for table in (name for name in ROWS if name not in _TOLD_APART):
        yield from _plain(connection, table, run)


def _plain(
    connection: sqlite3.Connection, table: str, run: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    statement = f"SELECT * FROM {table} WHERE run_id = ? ORDER BY rowid"  # noqa: S608  names of ours
    for found in connection.execute(statement, (run,)):
        yield table, _decoded(table, found)


def _decoded(table: str, found: sqlite3.Row) -> dict[str, Any]:
    left_out = _OWN if table == "runs" else _OWN | {"run_id"}
    row: dict[str, Any] = {}
    for name in found.keys():  # noqa: SIM118  a row is no dict
        if name not in left_out:
            value = found[name]
            is_json = is_json_column(table, name) and value is not None
            row[name] = json.loads(value) if is_json else value
    return row


def is_json_column(table: str, name: str) -> bool:
    """Tell whether a column holds JSON."""
    return name in JSON_COLUMNS and (table, name) != ("tests", "attempts")


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")) + "\n"


_INPUTS = """SELECT DISTINCT inputs_hash FROM plans WHERE run_id = ?
    AND inputs_hash IN (SELECT inputs_hash FROM inputs) ORDER BY inputs_hash"""
_EXCHANGES = "SELECT * FROM exchanges WHERE trial = ? ORDER BY position"
_SOURCES = """SELECT DISTINCT reused.run_id, trials.run_id AS source FROM reused
    JOIN trials ON trials.seq = reused.trial
    UNION SELECT run_id, measurement FROM plans WHERE measurement IN (SELECT run_id FROM runs)"""
_REUSED = """SELECT reused.plan_hash, trials.run_id AS source_run,
        trials.plan_hash AS source_plan, arm, case_id, idx
    FROM reused JOIN trials ON trials.seq = reused.trial WHERE reused.run_id = ?
    ORDER BY reused.seq"""
