"""What trials rested on besides their cases: kept once for each state, packed, to name changes."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from tierwise.domain.masking import Masker


def insert_inputs(
    connection: sqlite3.Connection, inputs_hash: str, entries: Mapping[str, str], mask: Masker
) -> None:
    """Put a state into `inputs`, unless it is there or could not be read."""
    if inputs_hash:
        kept = {mask.name(name): value for name, value in entries.items()}
        packed = zlib.compress(json.dumps(kept, separators=(",", ":")).encode())
        connection.execute(_PUT_INPUTS, (inputs_hash, packed))


def insert_outputs(
    connection: sqlite3.Connection, run_id: str, paths: Sequence[str], mask: Masker
) -> None:
    """Put the files that a run's output goes to into `outputs`."""
    connection.executemany(_PUT_OUTPUT, [(run_id, _storable(mask.name(path))) for path in paths])


def entries_of(connection: sqlite3.Connection, inputs_hash: str) -> Mapping[str, str]:
    """Return the entries of a state; empty when it is not known."""
    found = connection.execute(_ENTRIES, (inputs_hash,)).fetchone()
    return {} if found is None else dict(json.loads(zlib.decompress(found["entries"])))


def outputs(connection: sqlite3.Connection) -> Mapping[str, str]:
    """Return output files of all runs that have ended, each with the end of the last of them."""
    return {found["path"]: found["last"] for found in connection.execute(_OUTPUTS)}


def name_changes(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of what is not as it was, what was added or is gone included."""
    return tuple(sorted(name for name in {*before, *now} if before.get(name) != now.get(name)))


def _storable(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode()


_PUT_INPUTS = "INSERT OR IGNORE INTO inputs (inputs_hash, entries) VALUES (?, ?)"
_PUT_OUTPUT = "INSERT INTO outputs (run_id, path) VALUES (?, ?)"
_ENTRIES = "SELECT entries FROM inputs WHERE inputs_hash = ?"
_OUTPUTS = """SELECT path, max(finished_at) AS last FROM outputs
    JOIN runs ON runs.run_id = outputs.run_id WHERE finished_at <> '' GROUP BY path"""
