"""Lines of another store taken in: all of a file or nothing, and no run twice."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from tierwise.domain.masking import mask_leaves
from tierwise.errors import StoreError, suggest
from tierwise.records.exporting import is_json_column
from tierwise.records.inputs import insert_inputs
from tierwise.records.lines import FORMAT, NAMES, ROWS, VERSION
from tierwise.records.ordering import put_in_order
from tierwise.records.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain.masking import Masker

MOST_CHARACTERS = 64 * 2**20
"""A line that is longer than this is none of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What came of an import."""

    added: tuple[str, ...] = ()
    """Runs that are new."""
    known: tuple[str, ...] = ()
    """Runs that were there already, and left as they were."""
    n_rows: int = 0


@dataclass(slots=True, kw_only=True)
class _Import:
    connection: sqlite3.Connection
    mask: Masker
    where: str
    number: int = 0
    run: str | None = None
    is_known: bool = False
    n_lines: int = 0
    plans: set[str] = field(default_factory=set)
    added: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    n_rows: int = 0

    def refuse(self, what: str) -> StoreError:
        """Return the error to raise: nothing of the file is kept."""
        return StoreError(
            f"{self.where}, line {self.number}: {what}. Nothing of the file was taken in: export "
            "it anew by `tierwise records export`, with the tierwise that is used here."
        )


def import_lines(
    connection: sqlite3.Connection, lines: Iterable[str], *, where: str, mask: Masker
) -> TakenIn:
    """Take the runs of a file in, within a transaction of the caller's; StoreError rolls back."""
    state = _Import(connection=connection, mask=mask, where=where)
    for line in lines:
        state.number += 1
        _take_line(state, line)
    if state.number == 0:
        state.number = 1
        raise state.refuse("the file is empty, expected the head of an export")
    if state.run is not None:
        raise state.refuse(f"the file ends within the run {state.run}: it was cut off")
    if state.added:
        put_in_order(connection)
    return TakenIn(added=tuple(state.added), known=tuple(state.known), n_rows=state.n_rows)


def _take_line(state: _Import, line: str) -> None:
    value = _parse(state, line)
    if state.number == 1:
        _check_head(state, value)
    elif value.keys() == {"table", "row"}:
        _take_row(state, value["table"], value["row"], line)
    elif value.keys() == {"end", "rows"}:
        _end_run(state, value)
    else:
        raise state.refuse(f"it has the keys {_named(value)}, expected table and row, or end")


def _parse(state: _Import, line: str) -> dict[str, Any]:
    if len(line) > MOST_CHARACTERS:
        raise state.refuse(f"it is longer than {MOST_CHARACTERS} characters")
    try:
        value = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise state.refuse(f"it is no JSON ({error})") from None
    if not isinstance(value, dict):
        raise state.refuse("it is no object")
    return value


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _check_head(state: _Import, head: dict[str, Any]) -> None:
    if head.get("format") != FORMAT:
        raise state.refuse("it is not the head of an export of records")
    if head.get("version") != VERSION:
        raise state.refuse(f"the export has version {head.get('version')!r}, expected {VERSION}")
    schema = head.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema > SCHEMA_VERSION:
        raise state.refuse(
            f"it was written by a newer tierwise (schema {schema!r}; this one knows up to "
            f"{SCHEMA_VERSION})"
        )


def _take_row(state: _Import, table: object, row: object, line: str) -> None:
    if not isinstance(table, str) or table not in ROWS:
        raise state.refuse(f"there is no table {table!r}.{suggest(str(table), ROWS).rstrip('.')}")
    try:
        checked = ROWS[table].validate_python(_mended(row, line))
    except (ValidationError, RecursionError) as error:
        raise state.refuse(f"the row of {table} {_explain(error)}") from None
    masked = _masked(state, checked, line)
    if table == "runs":
        _begin_run(state, masked)
    elif state.run is None:
        raise state.refuse(f"a row of {table} stands outside of any run")
    _check_plan(state, table, masked)
    state.n_lines += 1
    if table == "inputs":  # runs share them: those of a run that is known may be new
        insert_inputs(state.connection, masked["inputs_hash"], masked["entries"], state.mask)
    elif not state.is_known:
        _insert(state, table, masked)


def _begin_run(state: _Import, row: dict[str, Any]) -> None:
    if state.run is not None:
        raise state.refuse(f"the run {state.run} has not ended and another begins")
    run = str(row["run_id"])
    found = state.connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (run,)).fetchone()
    state.run, state.is_known, state.n_lines = run, found is not None, 0
    state.plans = set()
    row["imported_at"] = datetime.now(UTC).isoformat(timespec="seconds")


def _check_plan(state: _Import, table: str, row: dict[str, Any]) -> None:
    if table == "plans":
        state.plans.add(row["plan_hash"])
    elif "plan_hash" in row and row["plan_hash"] not in state.plans:
        raise state.refuse(f"the row of {table} belongs to a plan that its run does not have")


def _end_run(state: _Import, value: dict[str, Any]) -> None:
    if state.run is None or value["end"] != state.run:
        raise state.refuse(f"the run {value['end']!r} ends, and it is not the one that began")
    if value["rows"] != state.n_lines:
        raise state.refuse(
            f"the run {state.run} has {state.n_lines} rows here and should have {value['rows']!r}"
        )
    if state.is_known:
        state.known.append(state.run)
    else:
        state.added.append(state.run)
        state.n_rows += state.n_lines
    state.run = None


def _mended(value: object, line: str) -> object:
    # SQLite has no lone surrogates, which a model may send and JSON may escape.
    if "\\ud" not in line and "\\uD" not in line:
        return value
    return mask_leaves(value, lambda text: text.encode("utf-8", "backslashreplace").decode())


def _masked(state: _Import, row: dict[str, Any], line: str) -> dict[str, Any]:
    # An escape may hide a part of a secret in the line.
    if "\\" not in line and not state.mask.has_work(line):
        return row
    return {
        name: mask_leaves(value, state.mask.name if name in NAMES else state.mask)
        for name, value in row.items()
    }


def _insert(state: _Import, table: str, row: dict[str, Any]) -> None:
    try:
        if table == "reused":
            _insert_reused(state, row)
            return
        exchanges = row.pop("exchanges", ())
        trial = _put(state, table, row if table == "runs" else {"run_id": state.run, **row})
        for position, said in enumerate(exchanges):
            _put(state, "exchanges", {"trial": trial, "position": position, **said})
    except sqlite3.IntegrityError as error:
        raise state.refuse(f"the row of {table} cannot be kept: {error}") from None


def _put(state: _Import, table: str, row: dict[str, Any]) -> int | None:
    values = [
        json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if is_json_column(table, name) and value is not None
        else value
        for name, value in row.items()
    ]
    marks = ", ".join("?" * len(row))
    statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"  # noqa: S608  checked names
    return state.connection.execute(statement, values).lastrowid


def _insert_reused(state: _Import, row: dict[str, Any]) -> None:
    place = (row["source_run"], row["source_plan"], row["arm"], row["case_id"], row["idx"])
    found = state.connection.execute(_TRIAL, place).fetchone()
    if found is None:
        raise state.refuse(
            f"it takes over a trial of the run {row['source_run']}, which is neither in the file "
            "nor in the store"
        )
    values = (state.run, row["plan_hash"], found["seq"])
    state.connection.execute(
        "INSERT INTO reused (run_id, plan_hash, trial) VALUES (?, ?, ?)", values
    )


def _explain(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "nests too deeply"
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"])) or "as a whole"
    return f"is not understood: {place}: {first['msg']}"


def _named(value: dict[str, Any]) -> str:
    return ", ".join(sorted(map(repr, value))[:5]) or "none"


_TRIAL = """SELECT seq FROM trials
    WHERE run_id = ? AND plan_hash = ? AND arm = ? AND case_id = ? AND idx = ?"""
