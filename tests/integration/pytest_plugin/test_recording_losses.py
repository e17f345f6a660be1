"""What a run says of itself when some of its results could not be kept."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from tierwise.config import load_config
from tierwise.domain import Outcome
from tierwise.pytest_plugin.recording import Recording
from tierwise.pytest_plugin.tally import Result
from tierwise.records import RunStore

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


def a_result(number: int, message: str = "") -> Result:
    """Return one result of the unit tier."""
    return Result(f"t.py::t{number}", "unit", "unit", Outcome.PASSED, message=message)


def test_a_run_that_lost_results_took_no_tier_whole(tmp_path: Path) -> None:
    """A disk that is full for a while: what is kept must not pass for all there was."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n")
    recording = Recording(
        config=load_config(tmp_path), command="pytest", order_seed=None, guard=nullcontext
    )
    recording.add(a_result(1))
    recording.flush()
    store = recording.open_store()
    assert store is not None
    connection: sqlite3.Connection = store._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    recording.add(a_result(2, message="x" * 100_000))
    recording.flush()
    assert "cannot grow" in str(recording.complaint)
    recording.finish(exit_code=0, complete_tiers=("unit",))
    with RunStore.open(tmp_path / ".tierwise" / "records.db") as kept:
        (run,) = kept.runs()
        assert (run.exit_code, run.complete_tiers) == (0, ())
