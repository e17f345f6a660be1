"""The run store as a whole: exported, taken in, pruned and described."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.records import exporting, importing, pruning
from tierwise.records.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from tierwise.domain.masking import Masker
    from tierwise.records.importing import TakenIn
    from tierwise.records.pruning import Policy, Pruning


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What a store holds."""

    schema: int
    n_bytes: int
    rows: Mapping[str, int]
    """By table."""
    first: str
    last: str
    n_unfinished: int
    n_imported: int


class Upkeep:
    """Keeps one open run store in shape."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        *,
        reading: Callable[[], AbstractContextManager[None]],
        writing: Callable[[str, int], AbstractContextManager[None]],
        looking: Callable[[], AbstractContextManager[sqlite3.Connection]],
        mask: Masker,
    ) -> None:
        self._connection, self._path = connection, path
        self._reading, self._writing, self._looking = reading, writing, looking
        self._mask = mask

    def export(
        self, run_ids: Collection[str] | None = None, *, tierwise: str = ""
    ) -> Iterator[str]:
        """Yield runs as lines of JSON, as the store is at the first; None is all that ended."""
        with self._looking() as connection:
            yield from exporting.export_lines(connection, run_ids, tierwise=tierwise)

    def run_ids(self) -> tuple[str, ...]:
        """Return the ids of all runs, oldest first."""
        with self._reading():
            return tuple(age.run_id for age in pruning.read_ages(self._connection))

    def take_in(self, lines: Iterable[str], *, where: str) -> TakenIn:
        """Take in what `export` of another store wrote: all of it or nothing, and no run twice.

        StoreError names the line that is not understood.
        """
        with self._writing("imported rows", 0):
            return importing.import_lines(self._connection, lines, where=where, mask=self._mask)

    def plan_pruning(self, policy: Policy, *, now: datetime) -> Pruning:
        """Return what a policy would let go of; nothing is changed."""
        with self._reading():
            ages = pruning.read_ages(self._connection)
            rests = pruning.read_rests(self._connection)
        return pruning.choose(ages, rests, policy, now=now)

    def prune(self, policy: Policy, *, now: datetime) -> tuple[Pruning, int]:
        """Delete what a policy lets go of; return that, and how many rows went."""
        with self._writing("pruned runs", 0):
            ages = pruning.read_ages(self._connection)
            rests = pruning.read_rests(self._connection)
            found = pruning.choose(ages, rests, policy, now=now)
            n_rows = pruning.delete_runs(self._connection, found.gone)
        if found.gone:
            self._give_back()
        return found, n_rows

    def describe(self) -> Overview:
        """Return what the store holds."""
        with self._reading():
            tables = self._connection.execute(_TABLES).fetchall()
            rows = {name: self._count(name) for (name,) in tables}
            first, last, unfinished, imported = self._connection.execute(_RUNS).fetchone()
        return Overview(
            schema=SCHEMA_VERSION,
            n_bytes=self._path.stat().st_size,
            rows=rows,
            first=first or "",
            last=last or "",
            n_unfinished=unfinished or 0,
            n_imported=imported or 0,
        )

    def _count(self, table: str) -> int:
        statement = f"SELECT count(*) FROM {table}"  # noqa: S608  a table of the store's
        return int(self._connection.execute(statement).fetchone()[0])

    def _give_back(self) -> None:
        # The rows are gone; whoever reads the file at this moment only keeps it from shrinking.
        try:
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            return


_TABLES = """SELECT name FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"""
_RUNS = """SELECT min(started_at), max(started_at), sum(finished_at = ''),
    sum(imported_at <> '') FROM runs"""
