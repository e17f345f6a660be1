"""The store in an SQLite database, which may hold several worlds."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from omnia.store.memory_rows import (
    mark_entries,
    read_entries,
    read_memories,
    write_entry,
    write_memory,
)
from omnia.store.protocol import StoreError
from omnia.store.schema import SCHEMA_VERSION, TABLES
from omnia.store.world_rows import read_world, write_world

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from omnia.core import World
    from omnia.llm import Embedding
    from omnia.memory import Entry, HandoffPlan, Memory


class SqliteStore:
    """Keeps one world of a database. Ids are only unique within a world, and that is enough."""

    def __init__(self, connection: sqlite3.Connection, world_id: str) -> None:
        """Use a connection that `connect` opened."""
        self.world_id = world_id
        self._db = connection

    @classmethod
    def open(cls, path: Path | str, world_id: str) -> Self:
        """Open the database file, made when it is not there; `:memory:` has no file."""
        return cls(connect(path), world_id)

    def close(self) -> None:
        """Close the database; what is saved stays."""
        self._db.close()

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Keep all writes of the block, or none; a block within a block is part of the outer."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException as error:
            self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise StoreError(f"world {self.world_id!r} was not saved: {error}") from error
            raise
        self._db.execute("COMMIT")

    def save_world(self, world: World) -> None:
        """Write the world over its former self."""
        if world.id != self.world_id:
            raise StoreError(f"this store keeps world {self.world_id!r}; got {world.id!r}")
        with self.atomic():
            write_world(self._db, world)

    def load_world(self) -> World | None:
        """Return the world as it was saved, or None."""
        return read_world(self._db, self.world_id)

    def save_entries(self, entries: Iterable[Entry]) -> None:
        """Write entries by id."""
        with self.atomic():
            for entry in entries:
                write_entry(self._db, self.world_id, entry)

    def entries_of(self, owner_id: str) -> list[Entry]:
        """Return the owner's buffer in order."""
        return read_entries(self._db, self.world_id, owner_id)

    def save_memories(self, memories: Iterable[Memory]) -> None:
        """Write memories by id."""
        with self.atomic():
            for memory in memories:
                write_memory(self._db, self.world_id, memory)

    def memories_of(self, owner_id: str) -> list[Memory]:
        """Return the owner's ledger, oldest first."""
        return read_memories(self._db, self.world_id, owner_id)

    def commit_handoff(self, plan: HandoffPlan, embeddings: Mapping[str, Embedding]) -> None:
        """Write a handoff in one transaction."""
        with self.atomic():
            self.save_memories(
                replace(memory, embedding=embeddings.get(memory.id)) for memory in plan.memories
            )
            mark_entries(self._db, self.world_id, pinned=plan.pinned_ids, deleted=plan.deleted_ids)

    def last_seq(self) -> int:
        """Return the highest sequence number; 0 without entries."""
        row = self._db.execute(
            "SELECT coalesce(max(seq), 0) FROM entries WHERE world_id = ?", (self.world_id,)
        ).fetchone()
        return int(row[0])


def connect(path: Path | str) -> sqlite3.Connection:
    """Open a database with foreign keys on, and make the tables in an empty one."""
    try:
        db = sqlite3.connect(path, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path} cannot be opened: {error}") from error
    try:
        db.execute("PRAGMA foreign_keys = ON")
        (version,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as error:
        db.close()
        raise StoreError(f"{path} is no saved world: {error}; name another file") from error
    if version == 0:
        db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
    elif version != SCHEMA_VERSION:
        db.close()
        raise StoreError(f"{path} has schema {version}; this Omnia reads {SCHEMA_VERSION}")
    return db
