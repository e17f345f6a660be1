"""Rows written together by a thread of their own."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from tierwise.records import BatchWriter
from tierwise.records.sqlite import NotKeptError

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


def test_a_writer_that_falls_behind_holds_up_whoever_puts() -> None:
    """Memory stays bounded: no more rows wait than were allowed, and none is lost."""
    release, written = threading.Event(), list[int]()

    def write(rows: Sequence[int]) -> None:
        assert release.wait(10)
        written.extend(rows)

    def put_all(writer: BatchWriter[int]) -> None:
        for row in range(100):
            writer.put(row)

    with BatchWriter(write, interval_s=60, most_pending=10) as writer:
        putting = threading.Thread(target=put_all, args=(writer,))
        putting.start()
        putting.join(0.3)
        assert putting.is_alive()
        assert len(writer._pending) <= 10
        release.set()
        putting.join(10)
    assert written == list(range(100))


def test_a_failure_lets_go_of_whoever_waits_to_put() -> None:
    """A full disk does not hang a run."""
    release, raised = threading.Event(), list[BaseException]()

    def write(rows: Sequence[int]) -> None:
        assert release.wait(10)
        raise OSError("disk full")

    def put_all(writer: BatchWriter[int]) -> None:
        try:
            for row in range(100):
                writer.put(row)
        except OSError as error:
            raised.append(error)

    writer = BatchWriter(write, interval_s=60, most_pending=10)
    putting = threading.Thread(target=put_all, args=(writer,))
    putting.start()
    release.set()
    putting.join(10)
    assert [str(error) for error in raised] == ["disk full"]
    with pytest.raises(OSError, match="disk full"):
        writer.close()


def test_flushing_waits_until_all_is_written() -> None:
    """Whoever reads the store next finds every row, without waiting for an interval."""
    kept = Kept()
    before = time.monotonic()

    def write_slowly(rows: Sequence[int]) -> None:
        time.sleep(0.2)
        kept.write(rows)

    with BatchWriter(write_slowly, interval_s=60) as writer:
        writer.flush()
        writer.put(1)
        writer.flush()
        assert kept.batches == [[1]]
        writer.put(2)
        writer.flush()
        assert kept.batches == [[1], [2]]
    assert time.monotonic() - before < 30


def test_flushing_raises_what_went_wrong() -> None:
    """A flush after a failed write is no proof that anything is kept."""

    def write(rows: Sequence[int]) -> None:
        raise OSError("disk full")

    writer = BatchWriter(write)
    writer.put(1)
    with pytest.raises(OSError, match="disk full"):
        writer.flush()
    with pytest.raises(OSError, match="disk full"):
        writer.close()


def locked() -> NotKeptError:
    """Return what the store raises while another process holds it."""
    return NotKeptError("it is locked.", "Kept: nothing", is_locked=True)


def test_a_batch_that_is_locked_out_is_written_once_the_lock_goes() -> None:
    """Another process that holds the store for a while costs time, and no row."""
    tried, release, written = threading.Event(), threading.Event(), list[int]()

    def write(rows: Sequence[int]) -> None:
        if not release.is_set():
            tried.set()
            raise locked()
        written.extend(rows)

    with BatchWriter(write, interval_s=0.01) as writer:
        writer.put(1)
        assert tried.wait(5)
        assert not writer.flush(timeout_s=0.01)
        writer.put(2)
        assert isinstance(writer.hindrance, NotKeptError)
        assert writer.n_unwritten == 2
        assert writer.behind_s > 0
        release.set()
        assert writer.flush()
        assert written == [1, 2]
        assert (writer.hindrance, writer.n_unwritten, writer.behind_s) == (None, 0, 0)


def test_closing_tries_all_that_is_left_once_more() -> None:
    """What failed, and what came after it, is still there when the disk has room again."""
    is_full, written = True, list[int]()

    def write(rows: Sequence[int]) -> None:
        if is_full:
            raise OSError("disk full")
        written.extend(rows)

    writer = BatchWriter(write, interval_s=0.01)
    writer.put(1)
    writer._thread.join(5)
    with pytest.raises(OSError, match="disk full"):
        writer.put(2)
    assert writer.n_unwritten == 2
    is_full = False
    writer.close()
    assert (written, writer.n_unwritten) == ([1, 2], 0)


def test_a_lock_that_stays_is_given_up_when_the_writer_is_closed() -> None:
    """Every row that is not kept is counted, those behind the failed batch as well."""
    tried = threading.Event()

    def write(rows: Sequence[int]) -> None:
        tried.set()
        raise locked()

    writer = BatchWriter(write, interval_s=0.01)
    writer.put(1)
    assert tried.wait(5)
    writer.put(2)
    with pytest.raises(NotKeptError):
        writer.close()
    assert writer.n_unwritten == 2


def test_a_lock_is_waited_for_no_longer_than_patience_lasts() -> None:
    """A store that nobody ever lets go of ends the run, as a full disk does."""

    def write(rows: Sequence[int]) -> None:
        raise locked()

    writer = BatchWriter(write, interval_s=0.01, patience_s=0)
    writer.put(1)
    with pytest.raises(NotKeptError):
        writer.flush()
    with pytest.raises(NotKeptError):
        writer.close()


def test_one_row_that_cannot_be_written_does_not_cost_the_others() -> None:
    """They are written one by one."""
    written = list[int]()

    def write(rows: Sequence[int]) -> None:
        if 2 in rows:
            raise OverflowError("too large")
        written.extend(rows)

    writer = BatchWriter(write, interval_s=60)
    for row in (1, 2, 3):
        writer.put(row)
    with pytest.raises(OverflowError):
        writer.close()
    assert (written, writer.n_unwritten) == ([1, 3], 1)


def test_a_batch_is_bounded_by_bytes_as_well() -> None:
    """Few rows may be large ones."""
    kept = Kept()
    with BatchWriter(kept.write, interval_s=60, most_bytes=10, size_of=lambda row: row) as writer:
        writer.put(4)
        writer.put(6)
        assert kept.arrived.wait(5)
        assert kept.batches == [[4, 6]]
