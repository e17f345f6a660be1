"""One SQLite file opened so that several processes can append to it."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tierwise.errors import StoreError
from tierwise.records.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUSY_TIMEOUT_S = 10.0
_CACHE = "PRAGMA cache_size = -512"
"""KiB that a connection keeps of the file: rows are appended, or read from first to last."""


class NotKeptError(StoreError):
    """Rows could not be written; `is_locked` says that another process may let go of the file."""

    def __init__(self, problem: str, kept: str, *, is_locked: bool = False) -> None:
        super().__init__(f"{problem} {kept}")
        self.problem = problem
        self.is_locked = is_locked


def connect(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """Open (and create or migrate) the store at `path`; say what is wrong with it otherwise."""
    try:
        connection = sqlite3.connect(
            path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
        )
        with closed_on_error(connection):
            _prepare(connection, path, busy_timeout_s)
    except sqlite3.Error as error:
        raise StoreError(explain(error, path)) from error
    return connection


def is_read_only(path: Path) -> bool:
    """Tell whether the folder of a store cannot be written, as that of a mounted artefact."""
    return not os.access(path.parent, os.W_OK)


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a store that nobody can write: SQLite's log, which even readers need, is not made."""
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise StoreError(
            f"The run store {path} is in a folder that cannot be written, and results wait in "
            f"{log.name} to be put into it. Copy the folder to where you may write."
        )
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, check_same_thread=False
        )
        with closed_on_error(connection):
            connection.row_factory = sqlite3.Row
            _refuse_what_is_not_ours(connection, path)
            _refuse_older(connection, path)
    except sqlite3.Error as error:
        raise StoreError(explain(error, path)) from error
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the store at `path`, which is in use already, for one long look at one state of it."""
    if is_read_only(path):
        return connect_read_only(path)
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    with closed_on_error(connection):
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA query_only = ON")
        connection.execute(_CACHE)
        connection.execute("BEGIN")
    return connection


def is_locked(error: BaseException) -> bool:
    """Tell whether another process is in the way, which may pass."""
    return isinstance(error, sqlite3.OperationalError) and (
        "locked" in str(error) or "busy" in str(error)
    )


def explain(error: Exception, path: Path) -> str:
    """Return what happened to the store in words, with a next step."""
    text = str(error)
    if not isinstance(error, sqlite3.Error):
        return f"The run store {path} cannot hold a value: {type(error).__name__}: {text}."
    if is_locked(error):
        return (
            f"The run store {path} is locked by another process: {text}. Try again when it ends."
        )
    if "readonly" in text or "unable to open" in text:
        what = "written" if "readonly" in text else "opened"
        return f"The run store {path} cannot be {what}: {text}. Check the rights of its folder."
    if "full" in text or "disk I/O" in text:
        return (
            f"The run store {path} cannot grow: {text}. Make room on the disk, or within its "
            "quota, unless someone has moved or replaced the file; what was kept is sound."
        )
    if "not a database" in text or "malformed" in text:
        return (
            f"The run store {path} is damaged: {text}. It was left as it is: move it away to "
            "start a new one, or restore it from a copy."
        )
    return f"The run store {path} failed: {text}."


def _prepare(connection: sqlite3.Connection, path: Path, busy_timeout_s: float) -> None:
    connection.row_factory = sqlite3.Row
    _refuse_what_is_not_ours(connection, path)
    switch_to_wal(connection, busy_timeout_s)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(_CACHE)
    if _version(connection) < SCHEMA_VERSION:
        _migrate(connection, path)


def _refuse_what_is_not_ours(connection: sqlite3.Connection, path: Path) -> None:
    n_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    if n_tables and owner != APPLICATION_ID:
        raise StoreError(
            f"{path} is a database of another program, not a run store. It was left as it is: "
            "name another path or move it away."
        )
    found = _version(connection)
    if found > SCHEMA_VERSION:
        raise StoreError(
            f"The run store {path} has schema version {found}; this tierwise knows versions up to "
            f"{SCHEMA_VERSION}. It was left as it is: update tierwise, or move the file away."
        )


def switch_to_wal(connection: sqlite3.Connection, busy_timeout_s: float) -> None:
    """Let readers and a writer work at once, also while another process opens the file."""
    # Changing the journal mode does not wait for the busy handler, so two first openings collide.
    deadline = time.monotonic() + busy_timeout_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            _yield_to_the_other(connection)
        else:
            return


@contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Leave no connection open that could not be made ready."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _yield_to_the_other(connection: sqlite3.Connection) -> None:
    # The busy handler waits here, without a sleep of ours, until the other process is done.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


def _refuse_older(connection: sqlite3.Connection, path: Path) -> None:
    found = _version(connection)
    if found < SCHEMA_VERSION:
        raise StoreError(
            f"The run store {path} has schema version {found} and cannot be brought to "
            f"{SCHEMA_VERSION}, since its folder cannot be written. Copy it elsewhere."
        )


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have migrated, or created, the file while this one waited.
        _refuse_what_is_not_ours(connection, path)
        for step in MIGRATIONS[_version(connection) :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
