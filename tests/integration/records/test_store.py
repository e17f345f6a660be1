"""The run store on real files, with several threads and processes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import PurePath
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import (
    Attempt,
    Capability,
    Exchange,
    Message,
    Outcome,
    ToolCall,
    Usage,
    Verdict,
    Violation,
)
from tierwise.errors import StoreError
from tierwise.records import PlanRow, RunInfo, RunStore, TestRow, TrialRow, VerdictRow
from tierwise.records.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION
from tierwise.records.sqlite import connect, connect_to_read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.open(tmp_path / ".tierwise" / "records.db") as opened:
        yield opened


def a_test(nodeid: str, tier: str | None = "unit", outcome: Outcome = Outcome.PASSED) -> TestRow:
    return TestRow(nodeid=nodeid, tier=tier, level=tier, outcome=outcome)


def a_trial(run_id: str, index: int = 0, **more: object) -> TrialRow:
    values: dict[str, object] = {
        "run_id": run_id,
        "plan_hash": "plan",
        "eval_id": "tests/evals/test_a.py::test_b",
        "case_id": "case",
        "index": index,
        "key": f"key-{index}",
        "seed": 7,
        "outcome": Outcome.PASSED,
    }
    return TrialRow(**(values | more))  # type: ignore[arg-type]


def a_plan(run_id: str, plan_hash: str = "plan") -> PlanRow:
    return PlanRow(
        run_id=run_id,
        plan_hash=plan_hash,
        eval_id="e",
        tier="evals",
        n_cases=1,
        trials=2,
        n_planned=2,
        provider="simulated",
    )


def a_verdict(run_id: str, verdict: Verdict, expectation: str = "never leak") -> VerdictRow:
    return VerdictRow(
        run_id=run_id,
        plan_hash="plan",
        eval_id="e",
        tier="evals",
        expectation=expectation,
        metric="leak",
        verdict=verdict,
        reason="because",
        n_scored=58,
        n_planned=59,
        run_number=2,
        detail={"bound": 0.05},
    )


def test_a_run_comes_back_as_it_was_written(store: RunStore) -> None:
    """What is known about a run, its end and the tiers it ran whole are kept."""
    info = RunInfo(
        command="pytest -x",
        mode="enforce",
        commit="abc",
        code_hash="f00d",
        python="3.11.9",
        platform="linux",
        config_hash="c0ffee",
        order_seed=42,
        tierwise="0.1.0",
    )
    run_id = store.start_run(info)
    store.finish_run(run_id, exit_code=1, complete_tiers=["unit"])
    (run,) = store.runs()
    assert (run.run_id, run.info, run.exit_code) == (run_id, info, 1)
    assert run.complete_tiers == ("unit",)
    assert run.finished_at >= run.started_at


def test_a_run_that_was_killed_stays_unfinished(store: RunStore) -> None:
    """Without `finish_run` there is neither an end nor an exit code."""
    store.start_run(RunInfo())
    (run,) = store.runs()
    assert run.finished_at == ""
    assert run.exit_code is None


def test_a_test_comes_back_with_its_violations(store: RunStore) -> None:
    """Violations keep capability, target and stack."""
    violation = Violation(
        capability=Capability.NETWORK,
        target="203.0.113.7:443",
        subject="t.py::test_a",
        tier="unit",
        stack=("t.py:3 in test_a",),
        event="socket.connect",
    )
    row = TestRow(
        nodeid="t.py::test_a",
        tier="unit",
        level="unit",
        outcome=Outcome.FAILED,
        duration_s=0.25,
        message="boom",
        violations=(violation,),
        allowed=("tmp: needs a file",),
    )
    run_id = store.start_run(RunInfo())
    store.add_test(run_id, row)
    assert [kept.row for kept in store.latest_tests_by_tier()["unit"]] == [row]


def test_the_latest_result_of_each_test_counts(store: RunStore) -> None:
    """A later run of one test replaces its result and leaves the others'."""
    first = store.start_run(RunInfo())
    store.add_tests(first, [a_test("a", outcome=Outcome.FAILED), a_test("b"), a_test("c", None)])
    second = store.start_run(RunInfo())
    store.add_test(second, a_test("a"))
    by_tier = store.latest_tests_by_tier()
    assert {kept.row.nodeid: kept.row.outcome for kept in by_tier["unit"]} == {
        "a": Outcome.PASSED,
        "b": Outcome.PASSED,
    }
    assert [kept.run.run_id for kept in by_tier["unit"]] == [first, second]
    assert [kept.row.nodeid for kept in by_tier[""]] == ["c"]


def test_a_test_that_a_complete_run_no_longer_saw_is_gone(store: RunStore) -> None:
    """Only tiers that were run whole forget tests."""
    first = store.start_run(RunInfo())
    store.add_tests(first, [a_test("old"), a_test("kept"), a_test("other", "integration")])
    second = store.start_run(RunInfo())
    store.add_test(second, a_test("kept"))
    store.finish_run(second, exit_code=0, complete_tiers=["unit"])
    by_tier = store.latest_tests_by_tier()
    assert [kept.row.nodeid for kept in by_tier["unit"]] == ["kept"]
    assert [kept.row.nodeid for kept in by_tier["integration"]] == ["other"]


def test_a_trial_comes_back_with_what_was_said(store: RunStore) -> None:
    """Scores keep their types, exchanges their labels, tool calls, data and usage."""
    said = Exchange(
        prompt=(
            Message(role="system", content="Keep it."),
            Message(
                role="assistant",
                content="",
                tool_calls=(ToolCall(name="look", arguments={"at": "chest"}, id="1"),),
            ),
            Message(role="tool", content="open", tool_call_id="1"),
        ),
        reply='{"ok": true}',
        purpose="intent",
        viewer="mira",
        data={"ok": True},
        provider="local",
        model="smollm2",
        usage=Usage(input_tokens=3, output_tokens=5),
        latency_s=0.5,
        tool_calls=(ToolCall(name="open", arguments={"what": "chest"}, id="2"),),
    )
    failed = Exchange(prompt=(), reply="", failure="busy")
    run_id = store.start_run(RunInfo())
    row = a_trial(
        run_id,
        scores={"leak": False, "grade": 0.5, "tone": "kind"},
        notes=("a note",),
        message="m",
        exchanges=(said, failed),
    )
    store.add_trials([row])
    assert store.trials_of_run(run_id) == (row,)


def test_each_attempt_of_a_call_comes_back(store: RunStore) -> None:
    """How it failed, what the vendor asked for, and how long it was held back."""
    attempts = (
        Attempt(failure="busy", message="later", latency_s=0.1, retry_after_s=2.0),
        Attempt(latency_s=0.5, waited_s=2.5),
    )
    said = Exchange(prompt=(), reply="yes", attempts=attempts, source="cache", cost_usd=0.25)
    run_id = store.start_run(RunInfo())
    store.add_trials([a_trial(run_id, exchanges=(said,))])
    assert store.trials_of_run(run_id)[0].exchanges == (said,)


def test_half_a_character_is_kept_in_words(store: RunStore) -> None:
    """A model may send a lone surrogate, which no file can hold: it is escaped, not lost."""
    said = Exchange(prompt=(Message(role="user", content="a\udc00"),), reply="b\udc00")
    run_id = store.start_run(RunInfo(command="c\udc00"))
    store.add_trials([a_trial(run_id, message="d\udc00", exchanges=(said,))])
    (row,) = store.trials_of_run(run_id)
    assert (row.message, row.exchanges[0].reply) == ("d\\udc00", "b\\udc00")


def test_tool_arguments_that_no_wire_carries_are_kept_as_text(store: RunStore) -> None:
    """A double may give a path; the trial is kept all the same."""
    said = Exchange(
        prompt=(), reply="", tool_calls=(ToolCall(name="look", arguments={"at": PurePath("a")}),)
    )
    run_id = store.start_run(RunInfo())
    store.add_trials([a_trial(run_id, exchanges=(said,))])
    (kept,) = store.trials_of_run(run_id)
    assert kept.exchanges[0].tool_calls == (ToolCall(name="look", arguments={"at": "a"}),)


def test_runs_of_a_plan_are_counted(store: RunStore) -> None:
    """Rerunning a plan raises its number; another plan has its own."""
    numbers = [store.add_plan(a_plan(store.start_run(RunInfo()))) for _ in range(3)]
    other = store.add_plan(a_plan(store.start_run(RunInfo()), "other"))
    assert numbers == [1, 2, 3]
    assert other == 1
    assert store.count_runs_of_plan("plan") == 3
    assert store.count_runs_of_plan("unknown") == 0


def test_the_latest_verdict_of_each_expectation_counts(store: RunStore) -> None:
    """A later verdict replaces that of the same expectation only."""
    first, second = store.start_run(RunInfo()), store.start_run(RunInfo())
    store.add_verdict(a_verdict(first, Verdict.UNDECIDED))
    store.add_verdict(a_verdict(first, Verdict.PROVEN, "at_least helpful"))
    store.add_verdict(a_verdict(second, Verdict.REFUTED))
    found = {kept.row.expectation: kept for kept in store.latest_verdicts()}
    assert found["never leak"].row == a_verdict(second, Verdict.REFUTED)
    assert found["never leak"].run.run_id == second
    assert found["at_least helpful"].row.verdict is Verdict.PROVEN


def test_the_last_order_seed_skips_runs_without_one(store: RunStore) -> None:
    """An eval run without an order does not hide the seed of the run before it."""
    assert store.last_order_seed() is None
    store.start_run(RunInfo(order_seed=11))
    store.start_run(RunInfo())
    assert store.last_order_seed() == 11


def test_the_folder_tells_git_to_ignore_it(tmp_path: Path) -> None:
    """A new store folder never shows up in a commit by accident."""
    RunStore.open(tmp_path / ".tierwise" / "records.db").close()
    assert (tmp_path / ".tierwise" / ".gitignore").read_text() == "*\n"


def test_no_store_is_made_by_looking_for_one(tmp_path: Path) -> None:
    """`open_existing` finds nothing and leaves nothing."""
    assert RunStore.open_existing(tmp_path / ".tierwise" / "records.db") is None
    assert list(tmp_path.iterdir()) == []


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A store of a later tierwise is not touched; the error names both versions."""
    path = tmp_path / "records.db"
    RunStore.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=f"schema version {SCHEMA_VERSION + 1}.*up to"):
        RunStore.open(path)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION + 1,)
    connection.close()


def test_a_store_of_the_first_version_is_taken_along(tmp_path: Path) -> None:
    """Runs of an older tierwise stay, with a state of the code that is not known."""
    path = tmp_path / "records.db"
    connection = sqlite3.connect(path)
    for statement in MIGRATIONS[0]:
        connection.execute(statement)
    connection.execute(
        "INSERT INTO runs (run_id, started_at, command, mode, commit_hash, python, platform, "
        "config_hash, tierwise) VALUES ('r', '', 'pytest', '', 'abc', '', '', '', '')"
    )
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    with RunStore.open(path) as store:
        store.start_run(RunInfo(code_hash="f00d"))
        assert [run.info.code_hash for run in store.runs()] == ["", "f00d"]
        assert store.runs()[0].info.commit == "abc"


def test_a_damaged_file_is_refused_named_and_left_alone(tmp_path: Path) -> None:
    """What is no database stays on the disk, byte for byte."""
    path = tmp_path / "records.db"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match=r"records\.db is damaged.*left as it is"):
        RunStore.open(path)
    assert path.read_bytes() == b"this is no database" * 100


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    """Tables that are not ours are never mixed with ours."""
    path = tmp_path / "records.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        RunStore.open(path)


def test_a_store_is_marked_as_ours(tmp_path: Path) -> None:
    """Version and application id are in the header from the first opening."""
    path = tmp_path / "records.db"
    RunStore.open(path).close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_store_that_cannot_grow_says_what_was_kept(store: RunStore) -> None:
    """A full disk is an error that counts the rows on either side of it."""
    run_id = store.start_run(RunInfo())
    store.add_trials([a_trial(run_id, index) for index in range(3)])
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    big = [a_trial(run_id, index, message="x" * 5000) for index in range(10, 20)]
    with pytest.raises(StoreError, match=r"cannot grow.*1 runs, 3 trials; not kept: 10 trials"):
        store.add_trials(big)
    assert [row.index for row in store.trials_of_run(run_id)] == [0, 1, 2]


def test_a_store_that_cannot_be_written_is_an_error(store: RunStore) -> None:
    """A store that became read-only names itself and what to check."""
    store._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match=r"cannot be written.*rights"):
        store.start_run(RunInfo())


def test_a_store_whose_folder_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """A file where the folder should be is named in a StoreError."""
    (tmp_path / "blocked").write_text("")
    with pytest.raises(StoreError, match="blocked"):
        RunStore.open(tmp_path / "blocked" / "deeper" / "records.db")


def test_a_locked_store_is_an_error_after_the_busy_timeout(tmp_path: Path) -> None:
    """A process that holds the lock for too long is named as the cause."""
    path = tmp_path / "records.db"
    with RunStore.open(path) as holder, RunStore.open(path, busy_timeout_s=0.05) as other:
        holder._connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another process"):
            other.start_run(RunInfo())
        holder._connection.execute("ROLLBACK")
        other.start_run(RunInfo())


def test_keys_and_given_secrets_never_reach_the_file(tmp_path: Path) -> None:
    """Canaries planted in every text of a row are in no byte of the store."""
    key, secret = "sk-" + "Zz9" * 10, 'quoted "canary" \\ value'
    path = tmp_path / "records.db"
    with RunStore.open(path, secrets=[secret]) as store:
        text = f"{key} {secret}"
        run_id = store.start_run(RunInfo(command=text))
        store.add_test(
            run_id,
            TestRow(nodeid="n", tier=None, level=None, outcome=Outcome.FAILED, message=text),
        )
        said = Exchange(
            prompt=(Message(role="user", content=text),), reply=text, data={text: [text]}
        )
        store.add_trials(
            [a_trial(run_id, scores={"s": text}, message=text, notes=(text,), exchanges=(said,))]
        )
        (row,) = store.trials_of_run(run_id)
        assert row.exchanges[0].reply == "[masked key] [masked value]"
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert key.encode() not in kept
    assert b"canary" not in kept


def test_threads_share_one_store(store: RunStore) -> None:
    """Writers on several threads lose no row."""
    run_id = store.start_run(RunInfo())

    def write(offset: int) -> None:
        for index in range(20):
            store.add_trials([a_trial(run_id, offset + index)])

    threads = [threading.Thread(target=write, args=(100 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.trials_of_run(run_id)) == 80


_WRITER = """
import sys
from pathlib import Path
from tierwise.domain import Outcome
from tierwise.records import RunInfo, RunStore, TestRow
with RunStore.open(Path(sys.argv[1])) as store:
    run_id = store.start_run(RunInfo(command=sys.argv[2]))
    for n in range(50):
        store.add_test(run_id, TestRow(
            nodeid=f"{sys.argv[2]}-{n}", tier="unit", level="unit", outcome=Outcome.PASSED))
    store.finish_run(run_id, exit_code=0)
"""


def test_processes_share_one_file_from_its_first_moment(tmp_path: Path) -> None:
    """Four processes that create and fill one store at once lose no row."""
    path = tmp_path / ".tierwise" / "records.db"
    processes = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(path), f"p{n}"]) for n in range(4)
    ]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0, 0]
    with RunStore.open(path) as store:
        assert len(store.runs()) == 4
        assert len(store.latest_tests_by_tier()["unit"]) == 200


def test_a_folder_that_another_process_has_just_made_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two first runs at once: each looked, neither saw it, and one was faster."""
    folder = tmp_path / ".tierwise"
    folder.mkdir()
    monkeypatch.setattr(type(folder), "exists", lambda *_, **__: False)
    with RunStore.open(folder / "records.db") as store:
        assert store.runs() == ()


_KILLED = """
import os, signal, sys
from pathlib import Path
from tierwise.domain import Outcome
from tierwise.records import RunInfo, RunStore, TrialRow
store = RunStore.open(Path(sys.argv[1]))
run_id = store.start_run(RunInfo())
for n in range(30):
    store.add_trials([TrialRow(run_id=run_id, plan_hash="p", eval_id="e", case_id="c", index=n,
                               key=str(n), seed=0, outcome=Outcome.PASSED)])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_a_kill_loses_nothing_that_was_written(tmp_path: Path) -> None:
    """Rows whose write returned are there after kill -9, and the file is sound."""
    path = tmp_path / "records.db"
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(path)], check=False, timeout=60)
    assert killed.returncode == -9
    with RunStore.open(path) as store:
        (run,) = store.runs()
        assert len(store.trials_of_run(run.run_id)) == 30
        assert store._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_no_connection_keeps_much_of_the_file(tmp_path: Path) -> None:
    """What a writer and a reader hold of it would grow to 2 MiB each, and saves nothing."""
    path = tmp_path / "records.db"
    with closing(connect(path)) as writer, closing(connect_to_read(path)) as reader:
        for connection in (writer, reader):
            assert connection.execute("PRAGMA cache_size").fetchone()[0] == -512
