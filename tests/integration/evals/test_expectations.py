"""Every kind of promise, and every way to end early, through the real engine and its store."""

from __future__ import annotations

import json
import sqlite3
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Command = Callable[..., pytest.RunResult]

KINDS = """
import os
import random
from tierwise.evals import *

@evaluate(
    cases=[f"case {n}" for n in range(20)],
    trials=15,
    expect=[
        never("leak", below=0.05, detector=Sensitivity(n_caught=118, n_true=120)),
        at_least("right", 0.9),
        share("tone", "kind", at_least=0.8),
        mean_between("grade", 4.0, None, range=(1, 6)),
        pass_hat_k("right", 3, at_least=0.8),
        pass_at_k("right", 3, at_least=0.9),
        EXTRA
    ],
)
def test_kinds(case, trial):
    source = random.Random(trial.seed)
    trial.score(
        leak=False,
        right=source.random() < float(os.environ.get("RIGHT", "0.98")),
        tone="kind" if source.random() < 0.9 else "curt",
        grade=source.gauss(4.5, 0.2),
    )
"""


@pytest.fixture
def command(project: pytest.Pytester) -> Command:
    """Run the command in a process of its own, in the project."""

    def run(*arguments: str) -> pytest.RunResult:
        return project.run(sys.executable, "-m", "tierwise", "eval", "run", *arguments)

    return run


def read_json(result: pytest.RunResult) -> list[dict[str, Any]]:
    (found,) = json.loads(result.stdout.str())["evals"]
    return list(found["judgements"])


def test_every_kind_of_promise_is_judged(write: Write, command: Command) -> None:
    """From the scores of one body; each says its kind, its number and what it rests on."""
    write(KINDS.replace("EXTRA", ""))
    result = command("--json")
    assert result.ret == 0, result.stdout.str()
    found = read_json(result)
    assert [entry["unit"] for entry in found] == [
        "rate",
        "rate",
        "rate",
        "mean",
        "pass_hat_k",
        "pass_at_k",
    ]
    assert {entry["verdict"] for entry in found} == {"proven"}
    assert {(entry["n_scored"], entry["n_planned"]) for entry in found} == {(300, 300)}


def test_a_table_of_several_kinds_calls_its_numbers_estimates(
    write: Write, command: Command
) -> None:
    """A mean of 4.5 is no rate."""
    write(KINDS.replace("EXTRA", ""))
    result = command()
    result.stdout.fnmatch_lines(
        [
            "eval * verdict * scored * estimate * interval (two-sided) * bound (one-sided)",
            "* mean grade at least 4 * PROVEN * 300 of 300 * 4.5* * 4.* to 4.* * >= 4.*",
            "* right pass^3 at least 80 %* PROVEN * 300 of 300 * 9* % *",
        ]
    )


def test_a_run_is_compared_with_the_one_that_the_promise_names(
    write: Write, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `baseline=` in the promise, and by --baseline, which goes before it."""
    write(KINDS.replace("EXTRA", 'no_worse_than("right", margin=0.05, baseline="last")'))
    nobody = command("--json")
    assert nobody.ret == ExitCode.USAGE
    write(KINDS.replace("EXTRA", 'no_worse_than("right", margin=0.05)'))
    first = command("--json")
    assert first.ret == ExitCode.UNDECIDED
    assert "--baseline RUN" in read_json(first)[-1]["next_step"]
    write(KINDS.replace("EXTRA", 'no_worse_than("right", margin=0.05, baseline="last")'))
    same = command("--json", "--fresh")
    assert same.ret == 0, same.stdout.str()
    assert read_json(same)[-1]["unit"] == "difference"
    assert read_json(same)[-1]["baseline"]
    monkeypatch.setenv("RIGHT", "0.6")
    worse = command("--json", "--fresh", "--baseline", "last")
    assert worse.ret == 1
    assert read_json(worse)[-1]["verdict"] == "refuted"


def test_a_number_where_a_claim_is_judged_ends_the_eval_at_once(
    write: Write, command: Command
) -> None:
    """With what to expect instead; the other trials are not paid for."""
    write(KINDS.replace("EXTRA", 'at_most("grade", 0.5)'))
    result = command("--json", "--concurrency", "1")
    assert result.ret == ExitCode.USAGE
    (found,) = json.loads(result.stdout.str())["evals"]
    assert "'grade' holds numbers, and at_most is about claims" in found["error"]
    assert "mean_between('grade'" in found["error"]
    assert "its other trials were not run" in found["error"]
    assert found["outcomes"]["passed"] == 1


STOPPING = """
from tierwise.evals import *

@evaluate(cases=["a", "b"], trials=100, expect=[never("leak", below=0.05)], stop=STOP)
def test_stopped(case, trial):
    trial.score(leak=trial.index >= 3)
"""


def test_a_leak_ends_its_eval_and_the_rest_was_never_run(
    project: pytest.Pytester, write: Write, command: Command
) -> None:
    """The rows say so too: seven trials are kept, and none is invented for the others."""
    write(STOPPING.replace("STOP", '"curtailed"'))
    result = command("--concurrency", "1")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "*REFUTED   never leak (below 5 %): leak occurred in 1 of 7 trials",
            "*scored 7 of 200 planned*leans towards the verdict*",
            "*stopped after 7 of 200 planned trials: no trial that is left can change a verdict",
            "*left out, since the eval was settled: 193 trials",
        ]
    )
    with sqlite3.connect(project.path / ".tierwise" / "records.db") as store:
        ((n_rows,),) = store.execute("SELECT count(*) FROM trials")
    store.close()
    assert n_rows == 7


def test_a_fixed_plan_runs_all_of_it(write: Write, command: Command) -> None:
    """The verdict is the same."""
    write(STOPPING.replace("STOP", '"fixed"'))
    result = command("--concurrency", "1")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*leak occurred in 194 of 200 trials"])
    result.stdout.no_fnmatch_line("*stopped after*")


@pytest.mark.parametrize("rule", ["sprt(margin=0.05)", "anytime()"])
def test_a_sequential_rule_ends_an_eval_that_is_clear(
    write: Write, command: Command, rule: str
) -> None:
    """A verdict that holds although it was looked for after each round."""
    write(STOPPING.replace("STOP", rule).replace("trial.index >= 3", "False"))
    result = command("--json")
    assert result.ret == 0, result.stdout.str()
    (found,) = read_json(result)
    assert found["verdict"] == "proven"
    assert found["stopped"]
    assert 61 <= found["n_scored"] <= 70
    assert found["n_left"] == 200 - found["n_scored"]
