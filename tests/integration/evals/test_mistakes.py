"""A newcomer's mistakes: each is found early, said in one place, and costs no trials."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

TYPO = """
ran = []

@evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
async def test_it(case, trial):
    ran.append(1)
    assert len(ran) <= 8, "no more than three and those in flight"
    trial.score(leek=False)
"""
FINE = """
@evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
async def test_fine(case):
    pass
"""


def command(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.run(sys.executable, "-m", "tierwise", "eval", "run", *arguments)


def test_an_eval_that_was_not_judged_is_in_the_table(
    project: pytest.Pytester, write: Write
) -> None:
    """Beside those that were, with the error, and the exit code is that of misuse."""
    write(FINE + TYPO)
    result = command(project)
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines_random(["*::test_fine*", "*passed at least 50 %*PROVEN*"])
    result.stdout.fnmatch_lines(
        [
            "*::test_it *NOT JUDGED*",
            "*  NOT JUDGED *'leak', which no trial scored*Did you mean 'leek'*",
        ]
    )


def test_an_eval_that_was_not_judged_is_in_the_json(
    project: pytest.Pytester, write: Write
) -> None:
    """With a word for its state and the error's text."""
    write(FINE + TYPO)
    result = command(project, "--json")
    data: Any = json.loads(result.stdout.str())
    assert data["exit_code"] == result.ret == ExitCode.USAGE
    fine, broken = sorted(data["evals"], key=lambda found: found["eval_id"])
    assert (fine["verdict"], fine["error"]) == ("proven", "")
    assert broken["verdict"] == "not judged"
    assert broken["judgements"] == []
    assert "Did you mean 'leek'?" in broken["error"]


def test_a_metric_that_nobody_scores_stops_its_eval(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Three trials tell it; what the others would have cost is saved, and others go on."""
    write(TYPO + FINE)
    result = run()
    assert result.ret == ExitCode.USAGE
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*Did you mean 'leek'*other trials were not run*"])
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        (kept,) = store.runs()
        trials = [t for t in store.trials_of_run(kept.run_id) if t.eval_id.endswith("test_it")]
    assert 3 <= len(trials) <= 6


def test_a_dry_run_finds_a_typing_mistake_in_a_metric(write: Write, run: Run) -> None:
    """One offline trial is enough, and the exit code is that of misuse."""
    write(TYPO)
    result = run("--eval-dry-run", provider=None)
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*TW-EVAL*'leak', which no trial scored*Did you mean 'leek'*"])


def test_a_dry_run_forgives_an_assert_before_the_scores(write: Write, run: Run) -> None:
    """A made-up answer need not satisfy it."""
    write(
        """
        @evaluate(cases=["a"], trials=5, expect=[never("leak", below=0.05)])
        async def test_it(case, trial):
            assert case == "b"
            trial.score(leak=False)
        """
    )
    assert run("--eval-dry-run", provider=None).ret == 0


def test_an_error_in_a_trial_has_a_place(write: Write, run: Run) -> None:
    """The innermost line of the project, and one group for all trials, whatever the address."""
    write(
        """
        class Thing: pass

        @evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
        async def test_it(case):
            raise KeyError(Thing())
        """
    )
    result = run()
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(
        ["*5 x error: KeyError: <*Thing object at 0x...> at tests/evals/test_it.py:17"]
    )


def test_an_error_below_a_library_names_the_line_that_called_it(write: Write, run: Run) -> None:
    """Where json fails is nobody's business; a dry run says the same place."""
    write(
        """
        import json

        @evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
        def test_it(case):
            json.loads("{")
        """
    )
    for arguments in ((), ("--eval-dry-run",)):
        run(*arguments).stdout.fnmatch_lines(
            ["*error: JSONDecodeError*at tests/evals/test_it.py:17"]
        )


@pytest.mark.parametrize("line", ["trial.score(leak=say())", "trial.require(say())"])
def test_a_forgotten_await_is_named(write: Write, run: Run, line: str) -> None:
    """A coroutine that is scored or taken for an answer."""
    write(
        f"""
        async def say(): return True

        @evaluate(cases=["a"], trials=3, expect=[never("leak", below=0.05)])
        async def test_it(case, trial):
            {line}
        """
    )
    run().stdout.fnmatch_lines(["*3 x error: *await*at tests/evals/test_it.py:17"])


@pytest.mark.parametrize("name", ["trail", "cases", "provder"])
def test_a_misspelt_argument_of_a_body_is_refused(write: Write, run: Run, name: str) -> None:
    """With the closest one that tierwise gives, while collecting."""
    meant = {"trail": "trial", "cases": "case", "provder": "provider"}[name]
    write(
        f"""
        @evaluate(cases=["a"], trials=3, expect=[at_least("passed", 0.5)])
        async def test_it({name}):
            pass
        """
    )
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines([f"*TW-EVAL*argument '{name}'*Did you mean '{meant}'?*"])


def test_a_fixture_that_is_called_like_an_argument_is_a_fixture(write: Write, run: Run) -> None:
    """Who has a fixture `cases` means it."""
    write(
        """
        @pytest.fixture(scope="session")
        def cases(): return 3

        @evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
        async def test_it(cases):
            assert cases == 3
        """
    )
    assert run().ret == 0


INTERRUPTED = """
import os, signal

signal.signal(signal.SIGINT, signal.default_int_handler)

@evaluate(cases=["a"], trials=200, expect=[never("leak", below=0.05)])
async def test_it(case, trial):
    if trial.index == 20 and os.environ.get("STOP"):
        os.kill(os.getpid(), signal.SIGINT)
    trial.score(leak=False)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_is_one_line_and_named_in_the_next_run(
    project: pytest.Pytester, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what is kept and that nothing is proven; the next run of the plan goes on."""
    write(INTERRUPTED)
    monkeypatch.setenv("STOP", "1")
    result = command(project)
    said = result.stdout.str() + result.stderr.str()
    assert result.ret == ExitCode.INTERRUPTED
    result.stderr.fnmatch_lines(
        [
            "evals: stopping: * in flight may end; Ctrl-C again stops at once",
            "interrupted after 2? of 200 trials: kept in the store; the same command goes on *",
        ]
    )
    result.stdout.fnmatch_lines(["*NOT JUDGED interrupted after 2? of 200 trials: nothing is *"])
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said
    assert "test session starts" not in said
    monkeypatch.delenv("STOP")
    again = command(project)
    assert again.ret == 0
    again.stdout.fnmatch_lines(
        [
            "*run 1 of this plan]",
            "*reused 2? trials of run *",
            "*ran 1?? trials: 17? never run before",
        ]
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_under_pytest_is_the_same_line(
    project: pytest.Pytester, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a trace of pytest's and ours."""
    write(INTERRUPTED)
    monkeypatch.setenv("STOP", "1")
    result = project.runpytest_subprocess("-p", "tierwise.pytest_plugin", "--tier", "evals")
    assert result.ret == ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        [
            "stopping: * in flight may end; Ctrl-C again stops at once",
            "*NOT JUDGED interrupted after 2? of 200 trials: nothing is proven",
            "*interrupted after 2? of 200 trials: kept in the store*",
        ]
    )
    result.stdout.no_fnmatch_line("*KeyboardInterrupt*")
