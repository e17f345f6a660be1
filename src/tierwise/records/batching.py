"""Rows collected for a moment and written together, by a thread of their own."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

Row = TypeVar("Row")

BATCH_INTERVAL_S = 0.05
"""A row waits no longer than this for others before its batch is written."""

MOST_PENDING = 1000
"""So many rows that wait to be written hold up whoever hands over the next one."""


class BatchWriter(Generic[Row]):
    """Hand rows over at once; they are written in batches of at most 50 ms.

    `put` waits while `most_pending` rows wait, so that a slow disk slows the run down instead
    of filling the memory. The first failure of `write` stops it: later rows are
    refused with that error, so that a full disk ends a run instead of losing rows in silence.
    `close` writes what is left and raises the failure if there was one. `guard` surrounds all
    that the thread does.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Row]], None],
        *,
        interval_s: float = BATCH_INTERVAL_S,
        most_pending: int = MOST_PENDING,
        guard: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._write = write
        self._interval_s = interval_s
        self._most = most_pending
        self._guard = guard
        lock = threading.Lock()
        self._has_work = threading.Condition(lock)
        self._moved = threading.Condition(lock)
        self._pending: list[Row] = []
        self._is_writing = False
        self._is_hurried = False
        self._closing = False
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="tierwise-records", daemon=True)
        self._thread.start()

    @property
    def failure(self) -> BaseException | None:
        """What stopped the writing, if anything did."""
        return self._failure

    def put(self, row: Row) -> None:
        """Hand one row over; it counts as in flight until its batch is written."""
        with self._has_work:
            while self._failure is None and len(self._pending) >= self._most:
                self._moved.wait()
            if self._failure is not None:
                raise self._failure
            self._pending.append(row)
            if len(self._pending) in (1, self._most):
                self._has_work.notify()

    def flush(self) -> None:
        """Wait until all that was handed over is written, or raise what went wrong."""
        with self._has_work:
            self._is_hurried = bool(self._pending)
            self._has_work.notify()
            self._moved.wait_for(self._is_settled)
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """Write what is left, end the thread and raise what went wrong, if anything did."""
        with self._has_work:
            self._closing = True
            self._has_work.notify()
        self._thread.join()
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
        batch, is_last = self._collect()
        failure: BaseException | None = None
        if batch:
            try:
                self._write(batch)
            except BaseException as error:  # noqa: BLE001  handed to whoever puts or closes
                failure = error
        with self._has_work:
            self._failure = failure
            self._is_writing = False
            self._moved.notify_all()
        return failure is None and not is_last

    def _collect(self) -> tuple[list[Row], bool]:
        with self._has_work:
            self._has_work.wait_for(lambda: self._pending or self._closing)
            self._has_work.wait_for(self._is_due, timeout=self._interval_s)
            batch, self._pending = self._pending, []
            self._is_writing, self._is_hurried = True, False
            self._moved.notify_all()
            return batch, self._closing

    def _is_due(self) -> bool:
        return self._closing or self._is_hurried or len(self._pending) >= self._most

    def _is_settled(self) -> bool:
        return self._failure is not None or not (self._pending or self._is_writing)
