"""The run store of evals under a full disk and under two runs at once."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Begin = Callable[..., subprocess.Popen[str]]
    Start = Callable[..., subprocess.CompletedProcess[str]]
    Write = Callable[[Path, dict[str, str]], Path]

FILES = {
    "pyproject.toml": """
        [tool.tierwise]
    """,
    "tests/evals/test_it.py": """
        from tierwise.domain import Message
        from tierwise.evals import at_least, evaluate
        from tierwise.providers import Request

        @evaluate(cases=list("abcde"), trials=200, expect=[at_least("passed", 0.1)], stop="fixed")
        async def test_it(case, provider, trial):
            prompt = (Message(role="user", content=f"{case}/{trial.index} " + "word " * 400),)
            trial.require(await provider.generate(Request(messages=prompt)))
    """,
}
RUN = ("eval", "run", "--provider", "simulated:rate=0,latency=0.02", "--concurrency", "20")
SLOW = ("eval", "run", "--provider", "simulated:rate=0,latency=0.1", "--concurrency", "20")
LIMIT = 1_000_000
# What a command may write to one file is limited as a full disk would limit it.
LIMITED = f"""
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT}, {LIMIT}))
from tierwise.cli import main
sys.argv = ["tierwise", *sys.argv[1:]]
main()
"""


def rows_of(root: Path) -> list[tuple[str, int]]:
    """Return the trials of the newest run."""
    with RunStore.open(root / ".tierwise" / "records.db") as store:
        newest = store.runs()[-1].run_id
        return [(row.case_id, row.index) for row in store.each_trial(newest)]


def check(root: Path) -> str:
    """Return what SQLite thinks of the file."""
    connection = sqlite3.connect(root / ".tierwise" / "records.db")
    (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return str(found)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are POSIX")
def test_a_full_disk_stops_the_run_with_what_was_kept(
    tmp_path: Path, write: Write, start: Start, environ: dict[str, str]
) -> None:
    """It says how much that is, spends no more, and the next run goes on from there."""
    root = write(tmp_path, FILES)
    full = subprocess.run(
        [sys.executable, "-c", LIMITED, *RUN],
        cwd=root,
        env=environ,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    said = full.stdout + full.stderr
    assert full.returncode == 1, said
    assert "TW-STORE" in said
    assert "Make room on the disk" in said
    assert "Kept by this process: " in said
    n_ended = int(re.search(r"stopped after (\d+) of 1000 trials", said)[1])  # type: ignore[index]
    assert "PROVEN" not in said
    assert "Traceback" not in said
    kept = rows_of(root)
    assert 0 < len(kept) < 1000
    assert f"{len(kept)} trials; not kept: {n_ended - len(kept)} trials." in said
    assert len(set(kept)) == len(kept)
    assert check(root) == "ok"
    ended = start(root, "tierwise", *RUN)
    assert ended.returncode == 0, ended.stderr
    assert f"reused {len(kept)} trials" in ended.stdout
    assert len(rows_of(root)) == 1000


def test_a_store_that_is_locked_holds_the_run_up_and_costs_no_trial(
    tmp_path: Path, write: Write, begin: Begin
) -> None:
    """It says who waits for what, and goes on when the other process is done."""
    root = write(tmp_path, FILES)
    process = begin(root, "tierwise", *SLOW)
    assert process.stderr is not None
    line = process.stderr.readline()
    other = sqlite3.connect(root / ".tierwise" / "records.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    while "waiting for the run store" not in line:
        assert line, "the run ended without a word"
        line = process.stderr.readline()
    assert "trials could not be written, and no other one starts before" in line
    other.execute("ROLLBACK")
    other.close()
    said, told = process.communicate(timeout=60)
    assert process.returncode == 0, told
    assert "scored 1000 of 1000 planned" in said


def test_two_runs_at_once_share_one_store(tmp_path: Path, write: Write, begin: Begin) -> None:
    """Each has all of its trials, and the file is sound. promptfoo#9508: SQLITE_BUSY."""
    root = write(tmp_path, FILES)
    both = [begin(root, "tierwise", *RUN, "--fresh") for _ in range(2)]
    for process in both:
        said, told = process.communicate(timeout=60)
        assert process.returncode == 0, told
        assert "scored 1000 of 1000 planned" in said
    assert check(root) == "ok"
    with RunStore.open(root / ".tierwise" / "records.db") as store:
        runs = store.runs()
        assert len(runs) == 2
        for run in runs:
            rows = list(store.each_trial(run.run_id))
            assert len({(row.case_id, row.index) for row in rows}) == len(rows) == 1000
            assert {row.run_id for row in rows} == {run.run_id}


def test_a_store_that_cannot_be_read_when_an_eval_is_judged_is_said_as_such(
    tmp_path: Path, write: Write, start: Start
) -> None:
    """The eval is in the table, not judged; nobody is sent to look where nothing is."""
    meddling = """
        import sqlite3, time
        from contextlib import closing
        from tierwise.evals import evaluate, never

        @evaluate(cases=["q"], trials=9, expect=[never("leak", below=0.9)], stop="fixed")
        def test_it(case, trial):
            trial.score(leak=False)
            if trial.index == 8:
                time.sleep(0.5)
                with closing(sqlite3.connect(".tierwise/records.db")) as connection, connection:
                    connection.execute("DELETE FROM trials WHERE idx < 5")
    """
    table = """
        [tool.tierwise.tiers.evals]
        paths = ["tests/evals"]
        level = "acceptance"
        deliberate = true
        allow = ["read", "sleep", "tmp", "write"]
    """
    root = write(tmp_path, {"pyproject.toml": table, "tests/evals/test_it.py": meddling})
    ended = start(root, "tierwise", "eval", "run", "--concurrency", "1")
    assert ended.returncode == 1, ended.stderr
    assert "NOT JUDGED TW-STORE  The run store holds 4 trials of" in ended.stdout
    assert "NOT RUN" not in ended.stdout
    assert "kept in" not in ended.stdout
    assert "test session starts" not in ended.stderr
    told = start(root, "tierwise", "eval", "run", "--fresh", "--concurrency", "1", "--json")
    found = json.loads(told.stdout)
    assert found["exit_code"] == 1
    assert "The run store holds 4 trials of" in found["error"]
    assert found["store"] is None
