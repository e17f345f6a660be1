"""Evals that stop at what they may spend, and say how far they came."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

ASKING = """
from tierwise.evals import Budget

@evaluate(cases=["a"], trials=20, expect=[at_least("passed", 0.5)]{more})
async def test_it(case, provider, trial):
    await ask(provider, trial)
"""
LEAKING = """

@evaluate(cases=["a"], trials=20, expect=[never("leak", below=0.05)])
async def test_leak(case, trial):
    trial.score(leak=True)
"""


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--eval-max-calls=10", "the budget of the run is reached: 10 of 10 calls spent"),
        ("--eval-max-tokens=130", "the budget of the run is reached: 130 of 130 tokens spent"),
    ],
)
def test_a_budget_stops_the_run_with_a_code_of_its_own(
    write: Write, run: Run, option: str, reason: str
) -> None:
    """What is known is shown, what is missing counts against the claim, and nothing is proven."""
    write(ASKING.format(more=""))
    result = run(option, "-v")
    assert result.ret == ExitCode.STOPPED_BY_BUDGET
    result.stdout.fnmatch_lines(
        [
            "*test_it STOPPED BY BUDGET*",
            "*UNDECIDED*",
            "*scored 10 of 20 planned*",
            "*run the same command again*goes on with the 10 of 20 trials that have no score",
            "*without a score: 10 not_run",
            f"*{reason}",
            "*spent: 10 calls, 130 tokens",
            "*1 undecided in *",
        ]
    )


def test_one_line_names_the_stop_for_all_that_it_left_out(write: Write, run: Run) -> None:
    """Those in flight and those that were never started have one reason, told once."""
    write(ASKING.format(more=""))
    result = run("--eval-max-calls=5", "--eval-concurrency=2", "-v")
    reason = "the budget of the run is reached: 5 of 5 calls spent"
    result.stdout.fnmatch_lines(["*without a score: 15 not_run", f"*15 x not_run: *{reason}"])
    table = result.stdout.str().partition("spent: ")[0].rpartition("scored 5 of 20")[2]
    assert table.count(reason) == 1


def test_the_next_run_goes_on_where_the_budget_ended(write: Write, run: Run) -> None:
    """Nobody pays twice."""
    write(ASKING.format(more=""))
    run("--eval-max-calls=5", "--eval-concurrency=1")
    result = run("--eval-concurrency=1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "*run 1 of this plan*",
            "*reused 5 trials of run *",
            "*ran 14 trials: 15 never run before",  # the last one can change nothing any more
            "*spent: 14 calls, 182 tokens; before: 5 calls, 65 tokens",
        ]
    )


def test_time_is_a_budget_too(write: Write, run: Run) -> None:
    """Seconds of the wall; trials that run without a provider keep to it as well."""
    write(
        """
        import asyncio

        @evaluate(cases=["a"], trials=200, expect=[at_least("passed", 0.5)])
        async def test_it(case, trial):
            await asyncio.get_running_loop().run_in_executor(None, lambda: None)
        """
    )
    result = run("--eval-max-seconds=0.000001")
    assert result.ret == ExitCode.STOPPED_BY_BUDGET
    result.stdout.fnmatch_lines(["*the budget of the run is reached: its 1e-06 s are over"])


def test_an_eval_has_a_budget_of_its_own(write: Write, run: Run) -> None:
    """The others of the run are not touched by it."""
    write(ASKING.format(more=", budget=Budget(calls=3)"), name="tests/evals/test_poor.py")
    write(ASKING.format(more=""), name="tests/evals/test_rich.py")
    result = run("-v")
    assert result.ret == ExitCode.STOPPED_BY_BUDGET
    result.stdout.fnmatch_lines_random(
        [
            "*test_poor.py::test_it STOPPED BY BUDGET*",
            "*test_rich.py::test_it PASSED*",
            "*the budget of this eval is reached: 3 of 3 calls spent",
        ]
    )


def test_a_refuted_eval_goes_before_a_budget(write: Write, run: Run) -> None:
    """A leak that was seen is a leak, whatever was not paid for."""
    write(ASKING.format(more="") + LEAKING)
    result = run("--eval-max-calls=5", "-v")
    assert result.ret == 1
    result.stdout.fnmatch_lines_random(["*test_it STOPPED BY BUDGET*", "*test_leak REFUTED*"])


def test_the_project_may_set_the_budget(project: pytest.Pytester, write: Write, run: Run) -> None:
    """And the command line another one."""
    project.makepyprojecttoml("[tool.tierwise.evals]\nmax_calls = 4")
    write(ASKING.format(more=""))
    run().stdout.fnmatch_lines(["*4 of 4 calls spent"])
    run("--eval-fresh", "--eval-max-calls=6").stdout.fnmatch_lines(["*6 of 6 calls spent"])


def test_dollars_of_an_unknown_price_are_refused(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Nobody could tell when they are spent; the project may say what a model costs."""
    project.makepyfile(
        mine="""
        from tierwise.domain import Usage
        from tierwise.providers import Answer

        class Mine:
            name, real, model = "mine", True, "mine-1"

            async def generate(self, request):
                usage = Usage(input_tokens=1000, output_tokens=1000)
                return Answer(text="yes", usage=usage, model="mine-1")
        """
    )
    write(ASKING.format(more=""))
    refused = run("--eval-max-usd=1", provider="mine:Mine")
    assert refused.ret == ExitCode.USAGE
    refused.stderr.fnmatch_lines(["ERROR: TW-EVAL*the price of 'mine-1' (mine) is not known*"])
    project.makepyprojecttoml(
        '[tool.tierwise.evals.prices]\n"mine-1" = { input = 100, output = 100 }'
    )
    priced = run("--eval-max-usd=1", "--eval-concurrency=1", provider="mine:Mine")
    assert priced.ret == ExitCode.STOPPED_BY_BUDGET
    priced.stdout.fnmatch_lines(["*spent: 5 calls, 10,000 tokens, 1 USD"])


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "much"])
def test_an_amount_that_is_none_is_refused(write: Write, run: Run, value: str) -> None:
    """A budget of nothing is a slip, not a wish."""
    write(ASKING.format(more=""))
    result = run(f"--eval-max-usd={value}")
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines([f"*{value!r} is no amount; expected a number above 0"])


def test_the_command_tells_what_was_spent(project: pytest.Pytester, write: Write) -> None:
    """In the table, beside the progress, and in JSON."""
    write(ASKING.format(more=""))

    def command(*arguments: str) -> Any:
        return project.run(
            *(sys.executable, "-m", "tierwise", "eval", "run", "--fresh", "--max-calls", "5"),
            *("--provider", "simulated:rate=0", *arguments),
        )

    shown = command()
    assert shown.ret == ExitCode.STOPPED_BY_BUDGET
    shown.stdout.fnmatch_lines(["*5 of 5 calls spent", "*spent: 5 calls, 65 tokens"])
    shown.stderr.fnmatch_lines(["evals: * of 20 trials, *65 tokens"])
    shown.stderr.no_fnmatch_line("*test session starts*")
    told = json.loads(command("--json").stdout.str())
    assert told["exit_code"] == ExitCode.STOPPED_BY_BUDGET
    assert told["spent"]["calls"] == told["evals"][0]["spent"]["calls"] == 5
    assert told["evals"][0]["cut_by"].endswith("5 of 5 calls spent")
