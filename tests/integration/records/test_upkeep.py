"""Runs exported, taken in elsewhere, and pruned."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Outcome
from tierwise.errors import StoreError
from tierwise.records import PlanRow, RunInfo, RunStore, TestRow, TrialRow
from tierwise.records.pruning import Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TABLES = (
    *("plans", "trials", "exchanges", "reused", "verdicts", "tests", "contracts", "clauses"),
    *("requirements", "guards", "gates", "gaps", "left_behind", "outputs", "runs"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.open(tmp_path / "here.db") as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.open(tmp_path / "there.db") as opened:
        yield opened


def rows_of(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return all rows but what is a store's own affair."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    found = {table: _all(connection, table) for table in TABLES}
    connection.close()
    return found


def _all(connection: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    rows = connection.execute(f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608
    return [{name: row[name] for name in row.keys() if name != "imported_at"} for row in rows]  # noqa: SIM118


def a_trial(run: str, index: int = 0) -> TrialRow:
    return TrialRow(
        run_id=run,
        plan_hash="plan",
        eval_id="e",
        case_id="c",
        index=index,
        key=str(index),
        seed=1,
        outcome=Outcome.PASSED,
    )


def a_plan(run: str) -> PlanRow:
    return PlanRow(
        run_id=run,
        plan_hash="plan",
        eval_id="e",
        tier="evals",
        n_cases=1,
        trials=2,
        n_planned=2,
        provider="p",
    )


def a_run(store: RunStore, outcome: Outcome = Outcome.PASSED, nodeid: str = "t.py::t") -> str:
    """Keep a run of one test."""
    run = store.start_run(RunInfo(code_hash="code"))
    store.add_test(run, TestRow(nodeid=nodeid, tier="unit", level="unit", outcome=outcome))
    store.finish_run(run, exit_code=0)
    return run


def start(store: RunStore, run: str, days_ago: float) -> None:
    """Say when a run began."""
    began = datetime.now(UTC) - timedelta(days=days_ago)
    connection = sqlite3.connect(store.path)
    connection.execute(
        "UPDATE runs SET started_at = ? WHERE run_id = ?",
        (began.isoformat(timespec="seconds"), run),
    )
    connection.commit()
    connection.close()


def test_what_is_exported_is_taken_in_as_it_was(
    store: RunStore, other: RunStore, canaries: Any
) -> None:
    """Every row of every table, once; a second time changes nothing."""
    canaries.plant(store)
    (run,) = store.upkeep.run_ids()
    store.finish_run(run, exit_code=1, complete_tiers=["unit"])
    later = store.start_run(RunInfo())
    store.add_plan(a_plan(later), reused=[1])
    store.add_trials([a_trial(later, 1)])
    store.finish_run(later, exit_code=0)
    lines = list(store.upkeep.export(tierwise="1"))
    found = other.upkeep.take_in(lines, where="file")
    assert found.added == (run, later)
    assert rows_of(other.path) == rows_of(store.path)
    again = other.upkeep.take_in(lines, where="file")
    assert (again.added, again.known, again.n_rows) == ((), (run, later), 0)
    assert rows_of(other.path) == rows_of(store.path)


def test_a_run_that_was_taken_over_goes_along(store: RunStore, other: RunStore) -> None:
    """Naming the later run is enough; the earlier, which was killed, goes before it."""
    killed = store.start_run(RunInfo())
    store.add_plan(a_plan(killed))
    store.add_trials([a_trial(killed)])
    later = store.start_run(RunInfo())
    store.add_plan(replace(a_plan(later), measurement=killed), reused=[1])
    store.finish_run(later, exit_code=0)
    unrelated = a_run(store)
    found = other.upkeep.take_in(store.upkeep.export([later]), where="file")
    assert found.added == (killed, later)
    assert unrelated not in other.upkeep.run_ids()
    assert [trial.run_id for trial in other.trials_of_run(later)] == [killed]


def test_a_run_that_has_not_ended_is_left_out(store: RunStore, other: RunStore) -> None:
    """It would stay half a run in the other store, which takes each in once."""
    ended = a_run(store)
    store.start_run(RunInfo())
    assert other.upkeep.take_in(store.upkeep.export(), where="file").added == (ended,)


def test_an_older_run_does_not_hide_a_newer_result(store: RunStore, other: RunStore) -> None:
    """What is the latest is told by when runs began, not by when they were taken in."""
    old = a_run(store, Outcome.PASSED)
    start(store, old, 2)
    middle = a_run(other, Outcome.ERROR)
    start(other, middle, 1)
    newest = a_run(other, Outcome.FAILED)
    other.upkeep.take_in(store.upkeep.export(), where="file")
    assert other.upkeep.run_ids() == (old, middle, newest)
    (kept,) = other.latest_tests_by_tier()["unit"]
    assert (kept.row.outcome, kept.run.run_id) == (Outcome.FAILED, newest)


def test_secrets_of_another_machine_are_masked(
    store: RunStore, tmp_path: Path, canaries: Any
) -> None:
    """A file may hold what its store did not mask, also in escapes and in names."""
    canaries.plant(store)
    (run,) = store.upkeep.run_ids()
    store.finish_run(run, exit_code=0)
    text = "".join(store.upkeep.export())
    planted = [
        line.replace("[masked key]", canaries.key) for line in text.splitlines(keepends=True)
    ]
    assert any(canaries.key in line for line in planted)
    hidden = [line.replace("sk-canary", "\\u0073k-canary") for line in planted]
    for name, lines in (("plain", planted), ("hidden", hidden)):
        with RunStore.open(tmp_path / f"{name}.db", secrets=[canaries.secret]) as taker:
            taker.upkeep.take_in(lines, where="file")
        kept = str(canaries.texts_of(tmp_path / f"{name}.db"))
        assert "canary" not in kept


def test_an_escape_hides_no_secret(store: RunStore, other: RunStore, canaries: Any) -> None:
    """JSON may write any letter of a key as a number."""
    a_run(store, nodeid="t[HERE]")
    escaped = f"\\u{ord(canaries.key[0]):04x}{canaries.key[1:]}"
    lines = [line.replace("HERE", escaped) for line in store.upkeep.export()]
    other.upkeep.take_in(lines, where="file")
    (kept,) = other.latest_tests_by_tier()["unit"]
    assert kept.row.nodeid.startswith("t[[masked key]]~")


Change = dict[str, Any]


def change(table: str, **values: object) -> Callable[[list[Change]], None]:
    """Return a change of the row of a table."""

    def act(lines: list[Change]) -> None:
        row = next(line for line in lines if line.get("table") == table)["row"]
        for name, value in values.items():
            row[name] = value

    return act


def drop(place: int) -> Callable[[list[Change]], None]:
    """Return a change that takes a line away."""

    def act(lines: list[Change]) -> None:
        del lines[place]

    return act


def put(place: int, line: Change) -> Callable[[list[Change]], None]:
    """Return a change that puts a line in."""
    return lambda lines: lines.insert(place, line)


FAR = "9999-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (drop(0), "line 1: it is not the head of an export"),
        (drop(-1), "the file ends within the run"),
        (drop(3), "has 3 rows here and should have 4"),
        (put(1, {"end": "x", "rows": 0}), "line 2: the run 'x' ends"),
        (put(1, {"table": "tests", "row": {}}), "line 2: the row of tests is not understood"),
        (put(1, {"table": "test", "row": {}}), "line 2: there is no table 'test'"),
        (put(1, {"table": ["tests"], "row": {}}), "line 2: there is no table"),
        (put(1, {"what": 1}), "line 2: it has the keys 'what'"),
        (lambda lines: lines[0].update(version=2), "version 2, expected 1"),
        (lambda lines: lines[0].update(schema=10**6), "newer tierwise"),
        (lambda lines: lines[0].update(schema=True), "newer tierwise"),
        (change("runs", run_id="../x"), "runs is not understood: run_id"),
        (change("runs", started_at="today"), "started_at"),
        (change("runs", started_at="2026-01-01T00:00:00"), "no offset"),
        (change("runs", started_at=FAR), "still to come"),
        (change("runs", exit_code=2**70), "exit_code"),
        (change("runs", imported_at="x"), "imported_at"),
        (change("tests", outcome="fine"), "outcome"),
        (change("tests", surprise=1), "surprise"),
        (change("tests", nodeid=7), "nodeid"),
        (change("tests", duration_s="1"), "duration_s"),
        (change("tests", attempts=-1), "attempts"),
        (change("tests", violations=[{"capability": "all"}]), "violations.0"),
        (change("tests", **{"nodeid) VALUES (1); --": "x"}), "nodeid) VALUES"),
        (change("trials", plan_hash="another"), "belongs to a plan that its run does not have"),
        (change("trials", scores={"a": [1]}), "scores.a"),
        (change("trials", exchanges=[{}]), "exchanges.0"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(
    store: RunStore, other: RunStore, act: Callable[[list[Change]], None], told: str
) -> None:
    """Nothing of the file is kept, and the message says where and what."""
    run = store.start_run(RunInfo())
    store.add_plan(a_plan(run))
    store.add_trials([a_trial(run)])
    store.add_test(run, TestRow(nodeid="t", tier="u", level=None, outcome=Outcome.PASSED))
    store.finish_run(run, exit_code=0)
    lines = [json.loads(line) for line in store.upkeep.export()]
    act(lines)
    with pytest.raises(StoreError) as error:
        other.upkeep.take_in(map(json.dumps, lines), where="ci.jsonl")
    assert "ci.jsonl, line " in str(error.value)
    assert told in str(error.value)
    assert other.upkeep.run_ids() == ()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "the file is empty"),
        ("no json", "line 2: it is no JSON"),
        ("[1]", "line 2: it is no object"),
        ('{"table": "tests", "row": {"duration_s": NaN}}', "NaN is no number"),
        ("[" * 200_000, "line 2: it is no JSON"),
        ('{"table": "outputs", "row": {"path": "x"}}', "stands outside of any run"),
        ('{"a": ' + "9" * 5000 + "}", "line 2: it is no JSON"),
    ],
)
def test_no_line_of_a_hostile_file_does_harm(
    store: RunStore, other: RunStore, line: str, told: str
) -> None:
    """Depth, width and words that are no numbers: refused, and the store is as it was."""
    head = next(store.upkeep.export())
    with pytest.raises(StoreError, match=told):
        other.upkeep.take_in([head, line] if line else [], where="file")
    assert other.upkeep.run_ids() == ()


def test_a_lone_surrogate_is_escaped(store: RunStore, other: RunStore) -> None:
    """A model may send one, JSON may hold it, and SQLite has none."""
    run = a_run(store, nodeid="t[\udc80]")
    lines = [line.replace("\\\\udc80", "\\udc80") for line in store.upkeep.export()]
    assert other.upkeep.take_in(lines, where="file").added == (run,)
    (kept,) = other.latest_tests_by_tier()["unit"]
    assert kept.row.nodeid == "t[\\udc80]"


def test_trials_of_a_run_that_is_nowhere_are_refused(store: RunStore, other: RunStore) -> None:
    """A file that was cut by hand does not lose trials in silence."""
    first = store.start_run(RunInfo())
    store.add_plan(a_plan(first))
    store.add_trials([a_trial(first)])
    store.finish_run(first, exit_code=0)
    later = store.start_run(RunInfo())
    store.add_plan(a_plan(later), reused=[1])
    store.finish_run(later, exit_code=0)
    lines = list(store.upkeep.export())
    end = next(i for i, line in enumerate(lines) if line.startswith('{"end"'))
    with pytest.raises(StoreError, match="neither in the file nor in the store"):
        other.upkeep.take_in([lines[0], *lines[end + 1 :]], where="file")


def test_pruning_deletes_old_runs_with_all_that_is_theirs(store: RunStore, canaries: Any) -> None:
    """And nothing of the others; the file can be used on."""
    canaries.plant(store)
    (old,) = store.upkeep.run_ids()
    store.finish_run(old, exit_code=0)
    for days in (3, 2, 1):
        start(store, a_run(store), days)
    start(store, old, 30)
    policy, now = Policy(keep_days=10), datetime.now(UTC)
    planned = store.upkeep.plan_pruning(policy, now=now)
    assert planned.gone == ()
    assert planned.held == {old: "the map rests on results of it"}
    make_gone(store, old)
    planned = store.upkeep.plan_pruning(policy, now=now)
    assert planned.gone == (old,)
    found, n_rows = store.upkeep.prune(policy, now=now)
    assert found == planned
    assert n_rows > 0
    assert old not in str(rows_of(store.path))
    assert store.upkeep.describe().rows["runs"] == 3
    a_run(store)


def make_gone(store: RunStore, old: str) -> None:
    """Let nothing rest on a run any more but what is asked for."""
    connection = sqlite3.connect(store.path)
    for table in ("tests", "verdicts", "clauses", "contracts", "gates", "guards", "requirements"):
        connection.execute(f"DELETE FROM {table} WHERE run_id = ?", (old,))  # noqa: S608
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("tests", "the map rests on results of it"),
        ("verdicts", "it holds the latest verdict of an eval"),
        ("clauses", "a contract was last tried, or last collected, in it"),
        ("contracts", "a contract was last tried, or last collected, in it"),
        ("gates", "it holds the latest of a gate or a guard"),
        ("guards", "it holds the latest of a gate or a guard"),
        ("requirements", "a test was last collected for a requirement in it"),
    ],
)
def test_what_is_the_latest_of_its_kind_is_not_pruned(
    store: RunStore, canaries: Any, table: str, why: str
) -> None:
    """The map, contracts, gates, guards and requirements keep what they rest on."""
    canaries.plant(store)
    (old,) = store.upkeep.run_ids()
    start(store, old, 30)
    a_run(store, nodeid="another")
    connection = sqlite3.connect(store.path)
    others = {"tests", "verdicts", "clauses", "contracts", "gates", "guards", "requirements"}
    for name in others - {table}:
        connection.execute(f"DELETE FROM {name} WHERE run_id = ?", (old,))  # noqa: S608
    connection.commit()
    connection.close()
    found, _ = store.upkeep.prune(Policy(keep_days=1), now=datetime.now(UTC))
    assert found.held == {old: why}


def test_inputs_that_no_plan_needs_go_with_the_last_run(store: RunStore) -> None:
    """What a hash stands for is kept once, and as long as a plan has it."""
    run = store.start_run(RunInfo())
    store.add_plan(replace(a_plan(run), inputs_hash="hash"))
    store.keep_inputs(run, "hash", {"a.py": "1"}, outputs=[])
    store.finish_run(run, exit_code=0)
    start(store, run, 30)
    a_run(store)
    store.upkeep.prune(Policy(keep_days=1), now=datetime.now(UTC))
    assert store.upkeep.describe().rows["inputs"] == 0


def test_what_the_trials_rested_on_goes_along_once(store: RunStore, other: RunStore) -> None:
    """A comparison on the machine that merges can name what changed between two runs."""
    for _ in range(2):
        run = store.start_run(RunInfo())
        store.add_plan(replace(a_plan(run), inputs_hash="hash"))
        store.finish_run(run, exit_code=0)
    store.keep_inputs(run, "hash", {"a.py": "1", "b c.md": "2"}, outputs=[])
    lines = list(store.upkeep.export())
    assert sum('"table":"inputs"' in line for line in lines) == 1
    other.upkeep.take_in(lines, where="ci.jsonl")
    assert other.inputs_of("hash") == store.inputs_of("hash")


def test_inputs_of_a_run_that_is_known_are_taken_in(store: RunStore, other: RunStore) -> None:
    """A run may have come without them, and another one of the file rests on them, too."""
    run = store.start_run(RunInfo())
    store.add_plan(replace(a_plan(run), inputs_hash="hash"))
    store.finish_run(run, exit_code=0)
    other.upkeep.take_in(store.upkeep.export(), where="ci.jsonl")
    assert other.inputs_of("hash") == {}
    store.keep_inputs(run, "hash", {"a.py": "1"}, outputs=[])
    assert other.upkeep.take_in(store.upkeep.export(), where="ci.jsonl").known == (run,)
    assert other.inputs_of("hash") == {"a.py": "1"}
