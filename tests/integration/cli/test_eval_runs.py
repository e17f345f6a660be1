"""`tierwise eval runs` and `tierwise eval history` on a run store whose numbers are known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.cli.eval_history import command as history
from tierwise.cli.eval_runs import command as runs
from tierwise.domain import Exchange, Usage, Verdict
from tierwise.errors import EvalUsageError, ExitCode
from tierwise.records import RunStore, VerdictRow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Record = Callable[..., str]
    Call = Callable[..., Any]

EVAL = "tests/evals/test_npc.py::test_mira"
SAID = Exchange(prompt=(), reply="", cost_usd=0.25, usage=Usage(input_tokens=3, output_tokens=1))


def oks(x: int, n: int = 40) -> dict[str, list[dict[str, bool]]]:
    return {"c": [{"ok": index < x} for index in range(n)]}


def judge(project: Path, run_id: str, word: Verdict, eval_id: str = EVAL) -> None:
    with RunStore.open(project / ".tierwise/records.db") as store:
        store.add_verdict(
            VerdictRow(
                run_id=run_id,
                plan_hash=f"plan of {eval_id} by simulated",
                eval_id=eval_id,
                tier=None,
                expectation="ok at least 50 %",
                metric="ok",
                verdict=word,
                reason="",
                n_scored=40,
                n_planned=40,
            )
        )


def test_runs_are_listed_with_what_they_came_to(record: Record, call: Call, project: Path) -> None:
    """Id, time, commit, provider, verdicts, trials and cost; a killed run is marked."""
    first = record(oks(39), exchanges=(SAID,))
    judge(project, first, Verdict.PROVEN)
    second = record(oks(20, 30), is_open=True, provider="local")
    lines = call(runs).output.splitlines()
    assert lines[0].split() == ["run", "started", "commit", "provider", "evals", "trials", "cost"]
    for text in (first, "c0ffee12", "simulated", "1 proven", "40", "10.00 USD"):
        assert text in lines[1]
    for text in (second, "(not finished)", "local", "1 not judged", "30"):
        assert text in lines[2]


def test_runs_as_json_and_the_latest_of_many(record: Record, call: Call) -> None:
    """Older ones are counted, and how to see them is said."""
    ids = [record(oks(1, 2), exchanges=(SAID,)) for _ in range(3)]
    data = json.loads(call(runs, "--json").output)
    assert [entry["run"] for entry in data] == ids
    assert (data[0]["n_trials"], data[0]["n_calls"], data[0]["n_tokens"]) == (2, 2, 8)
    assert (data[0]["cost_usd"], data[0]["evals"]) == (0.5, [EVAL])
    output = call(runs, "--limit", "1").output
    assert (ids[2] in output, ids[1] in output) == (True, False)
    assert "and 2 older: --limit 3" in output


def test_a_history_shows_each_run_and_marks_a_change(
    record: Record, call: Call, project: Path
) -> None:
    """With a small picture in front, and the verdict of each run."""
    for x, word in ((39, Verdict.PROVEN), (38, Verdict.PROVEN), (15, Verdict.REFUTED)):
        judge(project, record(oks(x), better={"ok": "higher"}), word)
    result = call(history, "test_mira")
    assert result.return_value == ExitCode.OK
    head, _, *rows = result.output.splitlines()
    assert head == f"{EVAL}  ok  [simulated, higher is better]  ██▁  37.5 % to 97.5 %"
    assert "97.5 %" in rows[0]
    assert "PROVEN" in rows[0]
    assert rows[1].rstrip().endswith("none shown")
    assert "REFUTED" in rows[2]
    assert "WORSE (p " in rows[2]


def test_a_history_as_json(record: Record, call: Call) -> None:
    """Each point with its numbers, oldest first."""
    record(oks(39))
    record(oks(15))
    (found,) = json.loads(call(history, "--json").output)
    assert (found["eval_id"], found["metric"]) == (EVAL, "ok")
    assert [point["estimate"] for point in found["points"]] == [39 / 40, 15 / 40]
    assert [point["change"] for point in found["points"]] == [None, "lower"]


def test_only_the_latest_runs_of_the_eval(record: Record, call: Call) -> None:
    """Runs of other evals do not use up the limit."""
    for x in (1, 2, 3):
        record(oks(x))
        record(oks(x), eval_id="tests/evals/test_b.py::test_other")
    (found,) = json.loads(call(history, EVAL, "--limit", "2", "--json").output)
    assert [point["estimate"] for point in found["points"]] == [2 / 40, 3 / 40]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("test_mria",), "No recorded run has an eval 'test_mria'"),
        (("test_",), "'test_' is part of 2 evals"),
        (("--metric", "ko"), r"metric 'ko'. Did you mean 'ok'\?"),
    ],
)
def test_a_name_that_fits_nothing_or_too_much_is_explained(
    record: Record, call: Call, arguments: tuple[str, ...], complaint: str
) -> None:
    """The evals and metrics that there are, are named."""
    record(oks(1))
    record(oks(1), eval_id="tests/evals/test_b.py::test_other")
    with pytest.raises(EvalUsageError, match=complaint):
        call(history, *arguments)


def test_an_empty_store_has_no_runs_and_no_history(call: Call, project: Path) -> None:
    """Said in words; a history of nothing is exit code 5."""
    with RunStore.open(project / ".tierwise/records.db"):
        pass
    assert "No run of evals is recorded yet" in call(runs).output
    result = call(history)
    assert result.return_value == ExitCode.NOTHING_COLLECTED
    assert "No run of evals is recorded yet" in result.output
