"""Replies kept for the next run, in a file of their own."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from tierwise.errors import MisuseError, StoreError
from tierwise.evals.cached_replies import decode, encode
from tierwise.evals.cases import hash_content
from tierwise.providers import Answer, Failure
from tierwise.providers.log import Attachments
from tierwise.records.sqlite import BUSY_TIMEOUT_S, closed_on_error, switch_to_wal

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from tierwise.providers import Request
    from tierwise.providers.protocol import T

_APPLICATION_ID = 0x74776361  # "twca"
_VERSION = 1
_TABLE = """CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, kept_at REAL NOT NULL, body TEXT NOT NULL) STRICT"""
_FIND = "SELECT body FROM replies WHERE key = ?"
_KEEP = "INSERT OR IGNORE INTO replies (key, kept_at, body) VALUES (?, ?, ?)"


class ReplyCache:
    """Gives a call of a trial the reply that the same call of the same trial got before.

    Each trial has a namespace of its own, so that repeats stay independent: five trials of one
    case keep five replies. What the model did, answers and its own failures, is kept; what went
    wrong on the way is not. Replies are kept as they were, secrets included. Several processes
    may use one file. A file that turns out to be damaged is set aside, and `problem` says so.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, *, problem: str = "") -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.Lock()
        self._schemas = Attachments()
        self.problem = problem
        """What happened to the file, in words; empty while all is well."""

    @classmethod
    def open(cls, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> ReplyCache:
        """Open or make the file; raise `StoreError` where it cannot be used."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return cls(path, _connect(path, busy_timeout_s))
        except sqlite3.OperationalError as error:
            raise StoreError(_unusable(path, error)) from error
        except sqlite3.DatabaseError as error:
            problem = _set_aside(path, error)
            return cls(path, _connect(path, busy_timeout_s), problem=problem)
        except OSError as error:
            raise StoreError(_unusable(path, error)) from error

    def key(self, request: Request[Any], *, identity: str, namespace: tuple[object, ...]) -> str:
        """Return the key of a call: who is asked what, and on behalf of which trial.

        Purpose and viewer are not in it, since they never reach the model.
        """
        messages = [
            [said.role, said.content, list(said.tool_calls), said.tool_call_id]
            for said in request.messages
        ]
        beside = self._schemas.of(request)
        settings = [request.temperature, request.max_tokens, request.seed]
        schema = "" if request.schema is None else request.schema.__qualname__
        return hash_content(_VERSION, identity, messages, beside, schema, settings, namespace)

    def find(self, key: str, request: Request[T]) -> Answer[T] | Failure | None:
        """Return the reply that is kept under a key; None when there is none."""
        rows = self._execute(_FIND, key)
        return decode(rows[0][0], request) if rows else None

    def keep(self, key: str, request: Request[T], reply: Answer[T] | Failure) -> None:
        """Keep a reply, unless one is there already or it could not come back whole."""
        if not isinstance(reply, Answer) and not reply.kind.is_scored:
            raise MisuseError(
                f"A reply cache was given a failure of the kind {reply.kind.value!r}; it keeps "
                "only what the model itself did, so that no trouble is ever replayed."
            )
        body = encode(reply)
        if body is not None and decode(body, request) == _as_kept(reply):
            self._execute(_KEEP, key, time.time(), body)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _execute(self, statement: str, *values: object) -> list[Any]:
        # A cache that fails costs time and no trial: the run goes on without it, and says so.
        with self._lock:
            if self._connection is None:
                return []
            try:
                return self._connection.execute(statement, values).fetchall()
            except sqlite3.OperationalError as error:
                self._connection.close()
                self._connection = None
                self.problem = f"{_unusable(self._path, error)} The run went on without it."
            except sqlite3.DatabaseError as error:
                self._connection.close()
                self._connection = None
                self.problem = f"{_set_aside(self._path, error)} The run went on without it."
            return []


def _as_kept(reply: Answer[T] | Failure) -> Answer[T] | Failure:
    if isinstance(reply, Failure):
        return replace(reply, source="cache", attempts=1, retry_after_s=None)
    return replace(reply, source="cache")


def _connect(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
    )
    with closed_on_error(connection):
        _refuse_what_is_not_ours(connection, path)
        switch_to_wal(connection, busy_timeout_s)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(_TABLE)
    return connection


def _refuse_what_is_not_ours(connection: sqlite3.Connection, path: Path) -> None:
    n_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    if n_tables and owner != _APPLICATION_ID:
        raise StoreError(
            f"{path} is a database of another program, not a reply cache. It was left as it is: "
            "move it away, or run without --cache."
        )


def _set_aside(path: Path, error: sqlite3.Error) -> str:
    kept = path.with_name(f"{path.name}.damaged-{time.time_ns()}")
    try:
        path.replace(kept)
    except OSError as trouble:
        raise StoreError(_unusable(path, trouble)) from trouble
    for ending in ("-wal", "-shm"):  # they belong to the damaged file and would spoil a new one
        with contextlib.suppress(OSError):
            path.with_name(path.name + ending).replace(kept.with_name(kept.name + ending))
    return f"The reply cache {path} was damaged ({error}); it is set aside as {kept.name}."


def _unusable(path: Path, error: Exception) -> str:
    return (
        f"The reply cache {path} cannot be used: {error}. Check the rights of its folder and the "
        "room on the disk, or run without --cache."
    )
