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


class BatchWriter(Generic[Row]):
    """Hand rows over at once; they are written in batches of at most 50 ms.

    The first failure of `write` stops it: later rows are refused with that error, so that a full
    disk ends a run instead of losing rows in silence. `close` writes what is left and raises the
    failure if there was one. `guard` surrounds all that the thread does.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Row]], None],
        *,
        interval_s: float = BATCH_INTERVAL_S,
        guard: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._write = write
        self._interval_s = interval_s
        self._guard = guard
        self._changed = threading.Condition()
        self._pending: list[Row] = []
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
        with self._changed:
            if self._failure is not None:
                raise self._failure
            self._pending.append(row)
            if len(self._pending) == 1:
                self._changed.notify()

    def close(self) -> None:
        """Write what is left, end the thread and raise what went wrong, if anything did."""
        with self._changed:
            self._closing = True
            self._changed.notify()
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
        if batch:
            try:
                self._write(batch)
            except BaseException as error:  # noqa: BLE001  handed to whoever puts or closes
                self._failure = error
                return False
        return not is_last

    def _collect(self) -> tuple[list[Row], bool]:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._closing)
            self._changed.wait_for(lambda: self._closing, timeout=self._interval_s)
            batch, self._pending = self._pending, []
            return batch, self._closing
