"""Rows collected for a moment and written together, by a thread of their own."""

from __future__ import annotations

import threading
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from tierwise.records.sqlite import NotKeptError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

Row = TypeVar("Row")

BATCH_INTERVAL_S = 0.05
"""A row waits no longer than this for others before its batch is written."""

MOST_PENDING = 1000
"""So many rows that wait to be written hold up whoever hands over the next one."""

MOST_BYTES = 16 * 2**20
"""So much that waits to be written does too, however few rows it is in."""

PATIENCE_S = 600.0
"""For so long a batch is tried again while another process holds the store."""

_AGAIN_S = 0.5


class BatchWriter(Generic[Row]):
    """Hand rows over at once; they are written in batches of at most 50 ms.

    `put` waits while `most_pending` rows wait, or as many as make `most_bytes` by `size_of`, so
    that a slow disk slows the run down instead of filling the memory. While another process
    holds the store, a batch is tried again, for `patience_s` at most. Any other failure
    of `write` stops it: later rows are refused with that error, so that a full disk ends
    a run instead of losing rows in silence. No row is let go of before it is written: `close`
    tries all that is left once more and raises what is in the way if it still is. `guard`
    surrounds all that the thread does.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Row]], None],
        *,
        interval_s: float = BATCH_INTERVAL_S,
        most_pending: int = MOST_PENDING,
        most_bytes: int = MOST_BYTES,
        size_of: Callable[[Row], int] = lambda _row: 0,
        patience_s: float = PATIENCE_S,
        guard: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._write = write
        self._interval_s = interval_s
        self._most, self._most_bytes, self._size_of = most_pending, most_bytes, size_of
        self._patience_s = patience_s
        self._guard = guard
        lock = threading.Lock()
        self._has_work = threading.Condition(lock)
        self._moved = threading.Condition(lock)
        self._pending: list[Row] = []
        self._n_bytes = 0
        self._batch: list[Row] = []
        """What is being written, or could not be."""
        self._since: tuple[float, float] = (0.0, 0.0)
        """When the first row of the batch, and the first that is pending, was handed over."""
        self._is_hurried = False
        self._closing = self._is_closed = False
        self._hindrance: BaseException | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="tierwise-records", daemon=True)
        self._thread.start()

    @property
    def failure(self) -> BaseException | None:
        """What stopped the writing, if anything did."""
        return self._failure

    @property
    def hindrance(self) -> BaseException | None:
        """What keeps the rows from being written just now, and may pass."""
        return self._hindrance

    @property
    def n_unwritten(self) -> int:
        """How many rows were handed over and are not written."""
        with self._moved:
            return len(self._batch) + len(self._pending)

    @property
    def behind_s(self) -> float:
        """For how long the oldest row that is not written has waited; 0 where none waits."""
        with self._moved:
            of_batch, of_pending = self._since
            if not (self._batch or self._pending):
                return 0.0
            return time.monotonic() - (of_batch if self._batch else of_pending)

    def put(self, row: Row) -> None:
        """Hand one row over; it counts as in flight until its batch is written.

        Where the writing has stopped, the row waits for `close` and this raises why.
        """
        with self._has_work:
            while self._failure is None and self._is_full():
                self._moved.wait()
            if not self._pending:
                self._since = (self._since[0], time.monotonic())
            self._pending.append(row)
            self._n_bytes += self._size_of(row)
            if self._failure is not None:
                raise self._failure
            if len(self._pending) == 1 or self._is_full():
                self._has_work.notify()

    def flush(self, *, timeout_s: float | None = None) -> bool:
        """Wait until all that was handed over is written, or raise what went wrong.

        Returns whether it is: False when `timeout_s` was not enough.
        """
        with self._has_work:
            self._is_hurried = bool(self._pending)
            self._has_work.notify()
            is_settled = self._moved.wait_for(self._is_settled, timeout_s)
        if self._failure is not None:
            raise self._failure
        return is_settled

    def close(self) -> None:
        """Write what is left, end the thread and raise what is in the way, if anything is."""
        has_failed = self._failure is not None
        with self._has_work:
            self._closing = True
            self._has_work.notify()
        self._thread.join()
        if self._failure is not None and (has_failed or self._pending) and not self._is_closed:
            # Whatever it was may be over: the disk has room again, the lock is gone.
            with self._guard():
                self._take_pending()
                self._failure = self._write_once()
        self._is_closed = True
        if self._failure is not None:
            raise self._failure

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self) -> None:
        with self._guard():
            while self._write_next():
                pass

    def _write_next(self) -> bool:
        is_last = self._collect()
        failure = self._write_until_kept()
        with self._has_work:
            self._failure = failure
            self._moved.notify_all()
        return failure is None and not is_last

    def _collect(self) -> bool:
        with self._has_work:
            self._has_work.wait_for(lambda: self._pending or self._closing)
            self._has_work.wait_for(self._is_due, timeout=self._interval_s)
            self._take_pending()
            self._is_hurried = False
            self._moved.notify_all()
            return self._closing

    def _take_pending(self) -> None:
        if not self._batch:
            self._since = (self._since[1], self._since[1])
        self._batch += self._pending
        self._pending, self._n_bytes = [], 0

    def _write_until_kept(self) -> BaseException | None:
        deadline = time.monotonic() + self._patience_s
        while True:
            is_last = self._closing
            failure = self._write_once()
            if not _may_pass(failure) or is_last or time.monotonic() > deadline:
                return failure
            with self._has_work:
                self._has_work.wait_for(lambda: self._closing, timeout=_AGAIN_S)

    def _write_once(self) -> BaseException | None:
        failure, left = self._attempt(self._batch), list[Row]()
        if _may_pass(failure):
            left = self._batch
        elif failure is not None:
            failure, left = self._write_singly()
        with self._moved:
            self._batch = left
            self._hindrance = failure if _may_pass(failure) else None
            self._moved.notify_all()
        return failure

    def _write_singly(self) -> tuple[BaseException | None, list[Row]]:
        # What is wrong with one row must not cost the others.
        found = [(row, error) for row in self._batch if (error := self._attempt([row]))]
        return (found[0][1] if found else None), [row for row, _ in found]

    def _attempt(self, rows: Sequence[Row]) -> BaseException | None:
        try:
            if rows:
                self._write(rows)
        except BaseException as error:  # noqa: BLE001  handed to whoever puts or closes
            return error
        return None

    def _is_full(self) -> bool:
        return len(self._pending) >= self._most or self._n_bytes >= self._most_bytes

    def _is_due(self) -> bool:
        return self._closing or self._is_hurried or self._is_full()

    def _is_settled(self) -> bool:
        return self._failure is not None or not (self._pending or self._batch)


def _may_pass(failure: BaseException | None) -> bool:
    return isinstance(failure, NotKeptError) and failure.is_locked
