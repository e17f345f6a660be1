"""A run that goes on with what an earlier one has done, and says what it did not take."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode
from tierwise.evals.job import Job
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

FAILING = """
import json, os, pathlib

STATE = pathlib.Path(os.environ["STATE"])

@evaluate(cases={cases}, trials={trials}, expect=[{expect}], stop="fixed")
async def test_it(case, provider, trial):
    bad = json.loads(STATE.read_text())
    if trial.index in bad:
        raise KeyError("a bad hour")
    await ask(provider, trial)
    trial.score(leak=False)
"""
NEVER = 'never("leak", below=0.05)'


class Project:
    """A project whose trials go wrong as a file says that lies outside of it."""

    def __init__(self, pytester: pytest.Pytester, write: Write, run: Run, state: Any) -> None:
        self.pytester, self._write, self._run, self.state = pytester, write, run, state

    def write(self, *, cases: str = '["a"]', trials: int = 20, expect: str = NEVER) -> None:
        """Write the eval."""
        self._write(FAILING.format(cases=cases, trials=trials, expect=expect))

    def run(self, *arguments: str, bad: tuple[int, ...] = ()) -> pytest.RunResult:
        """Run it; the trials in `bad` end in an error."""
        self.state.write_text(json.dumps(bad))
        return self._run(*arguments)

    def store(self) -> RunStore:
        """Open the run store."""
        return RunStore.open(self.pytester.path / ".tierwise" / "records.db")

    def rows(self, number: int) -> list[tuple[str, int, str, bool]]:
        """Return case, index, outcome of a run's trials, and whether it made them itself."""
        with self.store() as store:
            run = store.runs()[number].run_id
            return [
                (row.case_id, row.index, str(row.outcome), row.run_id == run)
                for row in store.trials_of_run(run)
            ]


@pytest.fixture
def made(  # noqa: PLR0917  fixtures
    project: pytest.Pytester,
    write: Write,
    run: Run,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Project:
    """Make the project."""
    state = tmp_path_factory.mktemp("outside") / "bad.json"
    monkeypatch.setenv("STATE", str(state))
    made = Project(project, write, run, state)
    made.write()
    return made


def test_what_ended_in_an_error_runs_again_and_the_rest_is_taken(made: Project) -> None:
    """The verdict rests on all of them, and the table says what comes from where."""
    first = made.run(bad=(3, 4))
    assert first.ret == ExitCode.UNDECIDED
    second = made.run()
    second.stdout.fnmatch_lines(
        [
            "*run 1 of this plan]",
            "*scored 20 of 20 planned*",
            "*reused 18 trials of run * UTC)",
            "*ran 2 trials: 2 ended in an error before",
        ]
    )
    rows = made.rows(1)
    assert sorted(index for _, index, _, _ in rows) == list(range(20))
    assert {outcome for _, _, outcome, _ in rows} == {"passed"}
    assert [index for _, index, _, is_own in rows if is_own] == [3, 4]


def test_what_broke_on_an_answer_is_not_tried_again(made: Project) -> None:
    """Or each start would leave out some more of the answers that the code cannot bear."""
    source = made.pytester.path / "tests" / "evals" / "test_it.py"
    lines = source.read_text().replace("    await ask(provider, trial)\n", "", 1)
    source.write_text(
        lines.replace("    if trial", "    await ask(provider, trial)\n    if trial")
    )
    made.run(bad=(3, 4))
    again = made.run()
    again.stdout.fnmatch_lines(["*scored 18 of 20*", "*2 x error: KeyError*", "*nothing to run*"])


def test_a_run_is_not_compared_with_itself(made: Project) -> None:
    """Trials of the baseline are no evidence beside the baseline."""
    made.write(expect='no_worse_than("leak", margin=0.5, better="lower")')
    source = made.pytester.path / "tests" / "evals" / "test_it.py"
    source.write_text("from tierwise.evals import no_worse_than\n" + source.read_text())
    made.run()
    again = made.run("--eval-baseline", "last")
    again.stdout.fnmatch_lines(["*ran 20 trials: anew, as run * is what it is compared with"])
    assert [is_own for *_, is_own in made.rows(1)] == [True] * 20


def test_a_whole_run_is_not_run_again_unless_fresh(made: Project) -> None:
    """Nothing is asked of the provider, and the same verdict stands."""
    first = made.run()
    again = made.run(bad=tuple(range(20)))
    assert first.ret == again.ret == ExitCode.UNDECIDED
    again.stdout.fnmatch_lines(["*scored 20 of 20*", "*nothing to run: 20 trials of run *"])
    fresh = made.run("--eval-fresh", bad=tuple(range(20)))
    assert fresh.ret == ExitCode.NOTHING_OBSERVED
    fresh.stdout.fnmatch_lines(["*run 2 of this plan*", "*ran 20 trials: anew, as --fresh asks"])
    assert [is_own for *_, is_own in made.rows(2)] == [True] * 20


def test_what_fresh_began_is_gone_on_with(made: Project) -> None:
    """And not filled up with what the run before it had found."""
    made.run()
    made.run("--eval-fresh", bad=tuple(range(5, 20)))
    third = made.run()
    third.stdout.fnmatch_lines(["*run 2 of this plan*", "*reused 5 trials of run *", "*ran 15 *"])
    with made.store() as store:
        second = store.runs()[1].run_id
        rows = store.trials_of_run(store.runs()[2].run_id)
    assert {row.run_id for row in rows if row.index < 5} == {second}


def test_an_edit_of_the_project_is_measured_anew(made: Project) -> None:
    """Whatever file it is that a trial may rest on."""
    made.run()
    (made.pytester.path / "prompts").mkdir()
    (made.pytester.path / "prompts" / "system.md").write_text("Be terse.")
    made.run().stdout.fnmatch_lines(
        [
            "trials run anew, as the project's files or packages * run *: prompts/system.md",
            "*ran 20 trials: anew, as the project's * are not those of run *: prompts/system.md",
        ]
    )


def test_an_edit_of_code_beside_the_project_is_measured_anew(
    made: Project, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An app that is linked in or on the path is what is measured, wherever it lies."""
    beside = tmp_path_factory.mktemp("beside") / "app.py"
    beside.write_text("LEAK = False")
    monkeypatch.syspath_prepend(beside.parent)
    made.run()
    made.run().stdout.fnmatch_lines(["*nothing to run*"])
    beside.write_text("LEAK = True")
    made.run().stdout.fnmatch_lines(["*ran 20 trials: anew, as * of run *: */app.py"])


def test_output_that_is_kept_in_the_project_is_no_input(made: Project) -> None:
    """Neither in the run that writes it nor in the next one, which writes another."""
    root = made.pytester.path
    made.state.write_text("[]")
    command = [sys.executable, "-m", "tierwise", "eval", "run", "--provider", "simulated:rate=0"]
    for name in ("first.txt", "second.txt", "second.txt"):
        with (root / name).open("w") as output:
            subprocess.run(command, cwd=root, stdout=output, stderr=output, check=False)
    assert "scored 20 of 20" in (root / "first.txt").read_text()
    assert "nothing to run: 20 trials of run" in (root / "second.txt").read_text()
    assert [sum(is_own for *_, is_own in made.rows(number)) for number in range(3)] == [20, 0, 0]


def test_the_provider_s_options_are_no_file(made: Project, run: Run) -> None:
    """Why trials run is said as it is."""
    made.run()
    again = run(provider="simulated:rate=0.5,secret=the blue heron")
    again.stdout.fnmatch_lines(["*anew, as the provider's options or the eval's code are not *"])


def test_a_case_that_cannot_be_read_runs_each_time(made: Project) -> None:
    """And is said before the trials and beside the verdict; the other cases are reused."""
    made.write(cases='["a", {"id": "b", "client": object()}]')
    made.run().stdout.fnmatch_lines(["1 case of *test_it cannot be read whole (object), so *"])
    again = made.run()
    again.stdout.fnmatch_lines(
        [
            "1 case of *",
            "*run 2 of this plan]",
            "*1 case of *::test_it cannot be read whole (object), so nobody can tell whether *",
            "*reused 20 trials*",
            "*ran 20 trials: 20 whose case cannot be read*",
        ]
    )
    assert {case: is_own for case, _, _, is_own in made.rows(1)} == {"a": False, "b": True}


def test_a_larger_budget_goes_on_with_what_is_paid_for(made: Project) -> None:
    """Limits and prices of the project say nothing of what is asked; its other keys may."""
    project = made.pytester.path / "pyproject.toml"
    project.write_text("[tool.tierwise.evals]\nmax_calls = 5\n")
    assert made.run().ret == ExitCode.STOPPED_BY_BUDGET
    project.write_text("[tool.tierwise.evals]\nmax_calls = 200\nretries = 1\n")
    made.run().stdout.fnmatch_lines(["*reused 5 trials of run *"])
    project.write_text("[tool.tierwise.evals]\nmax_calls = 200\ntimeout_s = 7\n")
    made.run().stdout.fnmatch_lines(["*ran 20 trials: anew, as the project's files *"])


def test_an_edited_case_is_measured_anew(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the same id, and though no file of the project has changed."""
    made.write(cases='[{"id": "a", "text": os.environ.get("TEXT", "old")}, {"id": "b"}]')
    made.run()
    monkeypatch.setenv("TEXT", "new")
    made.run().stdout.fnmatch_lines(
        ["*ran 40 trials: anew, as run * is judged and holds trials that this plan leaves out"]
    )
    assert [is_own for *_, is_own in made.rows(1)] == [True] * 40


def test_a_judged_plan_of_zero_leaks_may_grow(made: Project) -> None:
    """Zero occurrences hold under any number of looks: what is there is added to."""
    made.run("--eval-trials", "20")
    longer = made.run("--eval-trials", "59")
    assert longer.ret == 0
    longer.stdout.fnmatch_lines(
        ["*scored 59 of 59*", "*reused 20 trials *", "*ran 39 trials: 39 never run before"]
    )
    assert len(made.rows(1)) == 59


def test_a_judged_plan_of_another_promise_may_not(made: Project) -> None:
    """Adding trials until a rate fits is no proof; the reason is said."""
    made.write(expect='at_least("passed", 0.8)')
    made.run("--eval-trials", "10")
    longer = made.run("--eval-trials", "20")
    longer.stdout.fnmatch_lines(
        [
            "*run 1 of this plan*",
            "*ran 20 trials: anew, as run * with other trials, cases or promises is judged *",
        ]
    )
    assert [is_own for *_, is_own in made.rows(1)] == [True] * 20


def test_a_leak_that_was_seen_before_an_error_is_not_tried_again(
    made: Project, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rerunning until the leak is gone is not to be had."""
    write(
        """
        import os

        @evaluate(cases=["a"], trials=20, expect=[never("leak", below=0.9)], stop="fixed")
        async def test_it(case, trial):
            if trial.index == 3 and os.environ.get("LEAKS"):
                trial.score(leak=True)
                raise KeyError("afterwards")
            trial.score(leak=False)
        """
    )
    monkeypatch.setenv("LEAKS", "1")
    assert made.run().ret == 1
    monkeypatch.delenv("LEAKS")
    again = made.run()
    assert again.ret == 1
    again.stdout.fnmatch_lines(["*REFUTED*", "*nothing to run: 20 trials*"])


def test_a_verdict_rests_on_the_rows_of_the_store(
    made: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts that were carried along are thrown away: they might be anything."""
    landed: list[Job] = []
    land = Job.land

    def land_wrongly(job: Job, result: Any) -> None:
        land(job, result)
        job.tally.cases["a"].metrics.clear()
        landed.append(job)

    monkeypatch.setattr(Job, "land", land_wrongly)
    made.run().stdout.fnmatch_lines(["*scored 20 of 20 planned*"])
    with made.store() as store:
        run = store.runs()[0].run_id
        rows = list(store.each_kept_trial(run, landed[0].plan.hash))
    counted = landed[0].tally.cases["a"]
    assert counted.outcomes.total() == len(rows) == 20
    assert counted.metrics["leak"].n_false == sum(row.scores["leak"] is False for row in rows)


def test_a_store_that_lost_a_row_is_not_judged(
    made: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ended and is not there is no reason to judge the rest."""
    read = RunStore.each_kept_trial

    def read_less(store: RunStore, run_id: str, plan_hash: str) -> Any:
        return list(read(store, run_id, plan_hash))[1:]

    monkeypatch.setattr(RunStore, "each_kept_trial", read_less)
    result = made.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*holds 19 trials of *, and 20 ended: nothing is judged*"])
    result.stdout.no_fnmatch_line("*PROVEN*")


def test_secrets_of_the_environment_never_reach_the_store(
    made: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values of variables that are named like secrets, in prompts as in replies."""
    monkeypatch.setenv("OMNIA_API_KEY", "blue-heron-42-not-a-known-form")
    made._write(
        """
        import os

        @evaluate(cases=["a"], trials=3, expect=[never("leak", below=0.9)])
        async def test_it(case, provider, trial):
            await ask(provider, trial, os.environ["OMNIA_API_KEY"])
            trial.score(leak=False)
        """
    )
    made.run()
    folder = made.pytester.path / ".tierwise"
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"blue-heron-42" not in kept
    assert b"[masked value]" in kept
