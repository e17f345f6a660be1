"""`tierwise eval compare` on a run store whose numbers are known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.cli.eval_compare import command
from tierwise.cli.eval_compare_view import name_evals
from tierwise.errors import EvalUsageError, ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Record = Callable[..., str]
    Call = Callable[..., Any]

BETTER = {"better": {"leak": "lower"}}


def leaks(*counts: int, of: int = 20) -> dict[str, list[dict[str, bool]]]:
    return {
        f"case {place}": [{"leak": index < count} for index in range(of)]
        for place, count in enumerate(counts)
    }


def test_two_runs_are_compared_case_by_case(record: Record, call: Call) -> None:
    """The table, what it rests on, and exit code 0: a comparison is a report."""
    record(leaks(0, 1, 0), **BETTER)
    record(leaks(9, 11, 8), **BETTER)
    result = call(command, "last~1", "last")
    assert result.return_value == ExitCode.OK
    (row,) = (line for line in result.output.splitlines() if line.startswith("  leak  "))
    assert row.split()[1:7] == ["1.67", "%", "46.67", "%", "+45", "points"]
    assert row.rstrip().endswith("A is better")
    for text in (
        "B - A",
        "95 % interval",
        "[3 cases on both sides, 60 and 60 scored trials]",
        "leak (lower is better): A 1.67 %, B 46.67 %",
        "for cases like these: undetermined: with so few cases",
    ):
        assert text in result.output


def test_the_table_fits_a_terminal(
    record: Record, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No cell is cut, and an eval is named by its end where that is enough."""
    monkeypatch.setenv("COLUMNS", "80")
    record(leaks(0, 1, 0), **BETTER)
    record(leaks(9, 11, 8), **BETTER)
    table = call(command, "last~1", "last").output.split("\n\n")[1].splitlines()
    assert [line.rstrip() for line in table][1] == "test_mira"
    assert len(table) == 3
    assert "+31.5 to +58.5" in table[2]
    assert name_evals(["a::x", "b::x", "b::y"]) == ["a::x", "b::x", "y"]


def test_all_numbers_come_as_json(record: Record, call: Call) -> None:
    """Both sides, each difference for both populations, and what was left out."""
    first = record({**leaks(0, 1, 0), "gone": [{"leak": True}]}, **BETTER)
    second = record(leaks(9, 11, 8), **BETTER)
    data = json.loads(call(command, first, second[:-2], "--json").output)
    (found,) = data["comparisons"]
    assert (found["A"]["run"], found["B"]["run"]) == (first, second)
    (entry,) = found["evals"]
    assert entry["cases_of_A_alone"] == ["gone"]
    (metric,) = entry["metrics"]
    assert metric["mean"]["B"] == pytest.approx(28 / 60)
    these, like = metric["claims"]
    assert (these["population"], these["finding"], these["winner"]) == (
        "these_cases",
        "higher",
        "A",
    )
    assert like["finding"] == "undetermined"


def test_the_gate_decides_the_exit_code(record: Record, call: Call) -> None:
    """0 no worse, 1 worse, 10 not to be told."""
    record(leaks(10, 10, of=100), **BETTER)
    record(leaks(10, 9, of=100), **BETTER)
    record(leaks(60, 50, of=100), **BETTER)
    ok = call(command, "last~2", "last~1", "--fail-if-worse", "0.1")
    assert (ok.return_value, "PROVEN " in ok.output) == (ExitCode.OK, True)
    worse = call(command, "last~2", "last", "--fail-if-worse", "0.1")
    assert (worse.return_value, "REFUTED " in worse.output) == (ExitCode.FAILED, True)
    unsure = call(command, "last~2", "last~1", "--fail-if-worse", "0")
    assert (unsure.return_value, "UNDECIDED " in unsure.output) == (ExitCode.UNDECIDED, True)
    data = json.loads(call(command, "last~2", "last", "--fail-if-worse", "0.1", "--json").output)
    assert [entry["verdict"] for entry in data["gate"]] == ["refuted"]


def test_a_gate_needs_to_know_which_way_is_better(record: Record, call: Call) -> None:
    """Nothing judged is not passed: the caller has to say it, or the expectations."""
    record(leaks(1, 1))
    record(leaks(1, 1))
    with pytest.raises(EvalUsageError, match="--better higher or --better lower"):
        call(command, "last~1", "last", "--fail-if-worse", "0.5")
    found = call(command, "last~1", "last", "--fail-if-worse", "0.5", "--better", "lower")
    assert found.return_value == ExitCode.OK


def test_providers_of_one_run_are_compared_with_each_other(record: Record, call: Call) -> None:
    """Each with each, corrected together."""
    run_id = record(leaks(0, 1), provider="a", **BETTER)
    for provider, counts in (("b", (9, 11)), ("c", (1, 0))):
        record(leaks(*counts), provider=provider, run_id=run_id, **BETTER)
    output = call(command, "last").output
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        sides = [line.split()[2] for line in output.splitlines() if line[:3] in ("A  ", "B  ")]
        assert (first, second) in list(zip(sides[::2], sides[1::2], strict=True))
    assert "p (Holm over 3)" in output


def test_evals_that_differ_are_never_compared(record: Record, call: Call) -> None:
    """Exit code 5, and both are named."""
    record(leaks(1), eval_id="tests/evals/test_a.py::test_old")
    record(leaks(1), eval_id="tests/evals/test_a.py::test_new")
    result = call(command, "last~1", "last")
    assert result.return_value == ExitCode.NOTHING_COLLECTED
    assert "nothing in common: no eval was run by both" in result.output
    assert "evals run by A alone (1): tests/evals/test_a.py::test_old" in result.output


def test_cases_that_differ_leave_nothing_to_compare(record: Record, call: Call) -> None:
    """The eval is the same and none of its cases is."""
    record({"old": [{"leak": True}]})
    record({"new": [{"leak": True}]})
    assert call(command, "last~1", "last").return_value == ExitCode.NOTHING_COLLECTED


def test_no_table_stands_over_nothing(record: Record, call: Call) -> None:
    """Where one run has no score at all, that is said in words."""
    record(leaks(1))
    record({"c0": [None, None]})
    result = call(command, "last~1", "last")
    assert result.return_value == ExitCode.NOTHING_COLLECTED
    assert "nothing to compare: no trial has a score on both sides" in result.output
    assert "B - A" not in result.output


def test_files_that_changed_are_named(record: Record, call: Call, project: Path) -> None:
    """By what the store keeps of both runs' inputs."""
    runs = record(leaks(1), inputs_hash="i"), record(leaks(1), inputs_hash="j")
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        store.keep_inputs(runs[0], "i", {"app.py": "1"}, outputs=())
        store.keep_inputs(runs[1], "j", {"app.py": "2"}, outputs=())
    assert "changed between the two runs: app.py" in call(command, "last~1", "last").output


def test_trials_that_a_run_took_over_are_told(record: Record, call: Call, project: Path) -> None:
    """They are the same on both sides and cannot differ."""
    first = record(leaks(1, 1))
    second = record({"case 0": [{"leak": False}] * 20})
    with RunStore.open(project / ".tierwise/records.db") as store:
        store._connection.execute(
            "INSERT INTO reused (run_id, plan_hash, trial) "
            "SELECT ?, plan_hash, seq FROM trials WHERE run_id = ? AND case_id = 'case 1'",
            (second, first),
        )
    output = call(command, first, second).output
    assert "warning: 20 trials are the same on both sides" in output
    gate = (first, second, "--better", "lower", "--fail-if-worse", "0.9")
    found = call(command, *gate)
    assert found.return_value == ExitCode.UNDECIDED
    assert "20 taken over from an earlier run): of them nothing was compared" in found.output
    (entry,) = json.loads(call(command, *gate, "--json").output)["comparisons"][0]["evals"]
    assert entry["n_shared"] == {"taken_over": 20, "from_cache": 0}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "got 0 runs: expected two"),
        (("last", "last", "last"), "got 3 runs: expected two"),
        (("last", "last~0"), "are one run, .*compared with itself it differs in nothing"),
        (("last", "lats"), r"Did you mean 'last'\?"),
        (("last",), "no two providers of one eval"),
        (("last~1", "last", "--metric", "leek"), r"metric 'leek'. Did you mean 'leak'\?"),
        (("last~1", "last", "--provider", "other"), "is not in both runs"),
        (("last~1", "last", "--fail-if-worse", "-1"), "expected 0 or more"),
    ],
)
def test_what_is_asked_wrongly_is_explained(
    record: Record, call: Call, arguments: tuple[str, ...], complaint: str
) -> None:
    """With what was found, what is expected, and the closest name."""
    record(leaks(1))
    record(leaks(1))
    with pytest.raises(EvalUsageError, match=complaint):
        call(command, *arguments)


def test_a_project_without_a_store_is_told_how_to_get_one(call: Call, project: Path) -> None:
    """Nothing is made by looking."""
    with pytest.raises(EvalUsageError, match="Run `tierwise eval run` first"):
        call(command, "last~1", "last")
    assert not (project / ".tierwise").exists()


def test_another_store_can_be_named(record: Record, call: Call, project: Path) -> None:
    """Such as one that a CI job has kept."""
    record(leaks(1))
    record(leaks(1))
    kept = (project / ".tierwise").rename(project / "kept")
    assert call(command, "last~1", "last", "--store", str(kept / "records.db")).return_value == 0
