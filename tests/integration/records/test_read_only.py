"""A store in a folder that cannot be written, such as an artefact of CI that was mounted."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome
from tierwise.errors import StoreError
from tierwise.records import RunInfo, RunStore, TestRow
from tierwise.records.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a store with one result, and let its folder look as if nobody could write there."""
    found = tmp_path / "a folder" / "records.db"
    with RunStore.open(found) as store:
        run = store.start_run(RunInfo())
        row = TestRow(nodeid="t", tier="unit", level="unit", outcome=Outcome.PASSED)
        store.add_test(run, row)
        store.finish_run(run, exit_code=0)
    monkeypatch.setattr("os.access", lambda *_: False)
    return found


def test_it_is_read(path: Path) -> None:
    """And nothing is made beside it."""
    before = sorted(path.parent.iterdir())
    store = RunStore.open_existing(path)
    assert store is not None
    with store:
        assert store.map.tiers("")["unit"].n_stale == 1
        assert len(list(store.upkeep.export())) == 4
        with pytest.raises(StoreError, match="cannot be written"):
            store.start_run(RunInfo())
        assert sorted(path.parent.iterdir()) == before


def test_results_that_wait_in_the_log_are_not_passed_over(path: Path) -> None:
    """They may say otherwise than the file, and could not be read."""
    path.with_name("records.db-wal").write_bytes(b"waits")
    with pytest.raises(StoreError, match=r"results wait in records\.db-wal"):
        RunStore.open_existing(path)


def test_an_older_schema_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would have to be migrated."""
    monkeypatch.setattr("tierwise.records.sqlite.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    with pytest.raises(StoreError, match="cannot be brought to"):
        RunStore.open_existing(path)


def test_a_refused_store_is_not_left_open(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file can be moved away, and no warning of Python's hits whoever comes next."""
    monkeypatch.setattr("tierwise.records.sqlite.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remember(*args: object, **options: object) -> sqlite3.Connection:
        made.append(connect(*args, **options))  # type: ignore[arg-type]  passed on as it came
        return made[-1]

    monkeypatch.setattr("sqlite3.connect", remember)
    with pytest.raises(StoreError, match="cannot be brought to"):
        RunStore.open_existing(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        made[-1].execute("SELECT 1")
