"""Rows written together by a thread of their own."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from tierwise.records import BatchWriter

if TYPE_CHECKING:
    from collections.abc import Sequence


class Kept:
    """A place to write to, which remembers when each batch came."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.arrived = threading.Event()
        self.at = 0.0

    def write(self, rows: Sequence[int]) -> None:
        """Keep a batch."""
        self.batches.append(list(rows))
        self.at = time.monotonic()
        self.arrived.set()


def test_a_row_is_written_within_the_interval_without_a_close() -> None:
    """A kill a moment later would not lose it."""
    kept = Kept()
    with BatchWriter(kept.write, interval_s=0.05) as writer:
        before = time.monotonic()
        writer.put(1)
        assert kept.arrived.wait(5)
        assert kept.at - before < 1.0
        assert kept.batches == [[1]]


def test_rows_that_come_together_are_written_together_in_order() -> None:
    """Many rows cost few transactions."""
    kept = Kept()
    with BatchWriter(kept.write, interval_s=0.2) as writer:
        for row in range(100):
            writer.put(row)
    assert [row for batch in kept.batches for row in batch] == list(range(100))
    assert len(kept.batches) <= 3


def test_closing_writes_what_is_left_at_once() -> None:
    """Nobody waits for an interval to pass at the end."""
    kept = Kept()
    before = time.monotonic()
    with BatchWriter(kept.write, interval_s=60) as writer:
        writer.put(1)
    assert kept.batches == [[1]]
    assert time.monotonic() - before < 10


def test_the_first_failure_refuses_later_rows_and_is_raised_at_the_end() -> None:
    """A full disk ends a run; it does not lose rows in silence."""
    failed = threading.Event()

    def write(rows: Sequence[int]) -> None:
        failed.set()
        raise OSError("disk full")

    writer = BatchWriter(write, interval_s=0.01)
    writer.put(1)
    assert failed.wait(5)
    writer._thread.join(5)
    assert isinstance(writer.failure, OSError)
    with pytest.raises(OSError, match="disk full"):
        writer.put(2)
    with pytest.raises(OSError, match="disk full"):
        writer.close()
