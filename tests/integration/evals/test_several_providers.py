"""Each eval with each of several providers, in one run."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

LEAK = """
@evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
async def test_leak(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""
CLEAN = "simulated:rate=0"
LEAKY = "simulated:rate=0.5,secret=the blue heron"
BOTH = ("--eval-provider", CLEAN, "--eval-provider", LEAKY)


def test_the_worst_of_all_providers_counts(write: Write, run: Run) -> None:
    """Each has its own verdict and its own count of runs; the item shows the worst."""
    write(LEAK)
    result = run(*BOTH, "-v", provider=None)
    assert result.ret == 1
    result.stdout.fnmatch_lines_random(
        [
            "*test_leak REFUTED*",
            f"*test_leak  ?simulated ({CLEAN}), run 1 of this plan]",
            f"*test_leak  ?simulated ({LEAKY}), run 1 of this plan]",
            "*PROVEN *never leak (below 5 %)*",
            "*REFUTED *never leak (below 5 %)*",
        ]
    )


def test_refuted_by_one_is_worse_than_undecided_by_another(write: Write, run: Run) -> None:
    """In whatever order they were named."""
    write(LEAK.replace("trials=59", "trials=20"))
    for providers in ((CLEAN, LEAKY), (LEAKY, CLEAN)):
        named = [word for spec in providers for word in ("--eval-provider", spec)]
        result = run(*named, "-v", provider=None)
        assert result.ret == 1
        result.stdout.fnmatch_lines(["*test_leak REFUTED*"])


def test_both_are_kept_and_both_are_gone_on_with(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """As if each had been asked in a run of its own, whose trials are taken too."""
    write(LEAK)
    run(provider=CLEAN)
    result = run(*BOTH, provider=None)
    result.stdout.fnmatch_lines_random(["*nothing to run: 59 trials of run *"])
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        first, second = (run.run_id for run in store.runs())
        (entry,) = [entry for entry in store.evals.runs() if entry.run.run_id == second]
        sources = {row.run_id for row in store.trials_of_run(second)}
    assert [plan.provider for plan in entry.plans] == [
        f"simulated ({CLEAN})",
        f"simulated ({LEAKY})",
    ]
    assert sources == {first, second}


def test_an_eval_that_asks_no_provider_runs_once(write: Write, run: Run) -> None:
    """There is nothing to compare."""
    write(
        """
        @evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
        def test_it(case, trial):
            trial.score(leak=False)
        """
    )
    write(LEAK, name="tests/evals/test_other.py")
    result = run(*BOTH, provider=None)
    assert result.stdout.str().count("test_it.py::test_it  [its own provider") == 1


def test_two_names_of_one_provider_are_refused(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Their trials could not be told apart."""
    project.makepyfile(
        mine="""
        from tierwise.providers import SimulatedProvider

        class Mine(SimulatedProvider):
            identity = "one"

        class Yours(Mine):
            pass
        """
    )
    write(LEAK)
    result = run(*("--eval-provider", "mine:Mine", "--eval-provider", "mine:Yours"), provider=None)
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines(
        ["ERROR: *mine:Yours and --provider mine:Mine are one and the same*"]
    )


def test_the_command_shows_a_row_for_each(project: pytest.Pytester, write: Write) -> None:
    """With the provider beside the eval, in the table and in JSON."""
    write(LEAK)
    both = ("--provider", CLEAN, "--provider", LEAKY)
    command = (sys.executable, "-m", "tierwise", "eval", "run", *both)
    shown = project.run(*command)
    assert shown.ret == 1
    shown.stdout.fnmatch_lines(
        [
            f"*test_leak  with simulated ({CLEAN})*",
            "*never leak*PROVEN*",
            "*test_leak  with simulated *",
            f"({LEAKY}) *",
            "*never leak*REFUTED*",
            "spent in all: * calls, * tokens",
        ]
    )
    told = json.loads(project.run(*command, "--json").stdout.str())
    assert [(entry["provider"], entry["verdict"]) for entry in told["evals"]] == [
        (f"simulated ({CLEAN})", "proven"),
        (f"simulated ({LEAKY})", "refuted"),
    ]


def test_a_baseline_is_read_before_anything_is_spent(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """A run that is not there is misuse, with the runs that are."""
    write(
        """
        from tierwise.evals import no_worse_than

        @evaluate(cases=list("abcdefgh"), trials=20, expect=[no_worse_than("good", margin=0.2)])
        async def test_it(case, provider, trial):
            trial.score(good="heron" not in await ask(provider, trial))
        """
    )
    missing = run("--eval-baseline", "last")
    assert missing.ret == ExitCode.USAGE
    missing.stderr.fnmatch_lines(["ERROR: *There is no run 'last'*"])
    run()
    same = run("--eval-baseline", "last", "--eval-fresh")
    assert same.ret == 0
    same.stdout.fnmatch_lines(["*PROVEN *", "*compared with *"])
    worse = run("--eval-baseline", "last", provider="simulated:rate=0.9,secret=the blue heron")
    assert worse.ret == 1
    worse.stdout.fnmatch_lines(["*REFUTED *"])
