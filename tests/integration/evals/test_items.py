"""Evals in real pytest sessions: collected, run, shown, and given an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

LEAK = """
@evaluate(cases=["a"], trials={trials}, expect=[never("leak", below=0.05)])
async def test_leak(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""
SYNC = """
@evaluate(cases=["a"], trials={trials}, expect=[never("leak", below=0.05)])
def test_leak(case, provider, trial):
    reply = trial.require(trial.wait(provider.generate(ASK)))
    trial.score(leak="heron" in reply.text)
"""


@pytest.mark.parametrize("body", [LEAK, SYNC])
def test_59_clean_trials_prove_and_exit_0(write: Write, run: Run, body: str) -> None:
    """Sync and async bodies alike."""
    write(body.format(trials=59))
    result = run()
    assert result.ret == 0
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "*test_leak*simulated, run 1 of this plan*",
            "*PROVEN*never leak (below 5 %): below 4.96 % for these cases",
            "*scored 59 of 59 planned, rate 0 %, two-sided 95 % interval 0 % to * (Wilson)",
            "*proven for cases like these: nothing: one case*",
            "*no positive control*",
        ]
    )


@pytest.mark.parametrize("body", [LEAK, SYNC])
def test_58_clean_trials_are_undecided_and_exit_10(write: Write, run: Run, body: str) -> None:
    """Shown as undecided, not as failed, with what a new plan would need."""
    write(body.format(trials=58))
    result = run("-v")
    assert result.ret == ExitCode.UNDECIDED
    result.stdout.fnmatch_lines(["*test_leak UNDECIDED*", "*a new plan would need 59 trials*"])
    result.stdout.fnmatch_lines(["*1 undecided in *"])
    result.stdout.no_fnmatch_line("*FAILED*")


@pytest.mark.parametrize("body", [LEAK, SYNC])
def test_a_leak_is_refuted_and_exits_1(write: Write, run: Run, body: str) -> None:
    """The table is the message; nobody is shown a traceback."""
    write(body.format(trials=59))
    result = run("-v", provider="simulated:rate=0.3,secret=the blue heron")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*test_leak REFUTED*", "*REFUTED*never leak (below 5 %): leak occurred in * of * trials"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*conclude(*")


def test_nothing_scored_exits_11(write: Write, run: Run) -> None:
    """Errors are counted with their reasons and are no clean trials."""
    write(
        """
        @evaluate(cases=["a"], trials=15, expect=[never("leak", below=0.05)])
        async def test_it(case, provider, trial):
            raise KeyError("no such name")
        """
    )
    result = run("-v")
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(
        [
            "*test_it NOTHING OBSERVED*",
            "*scored 0 of 15 planned, no rate",
            "*without a score: 15 error",
            "*15 x error: KeyError: 'no such name' at tests/evals/test_it.py:15",
        ]
    )


def test_some_errors_leave_it_undecided(write: Write, run: Run) -> None:
    """59 clean trials of 60 do not prove what 59 of 59 do."""
    write(
        """
        @evaluate(cases=["a"], trials=60, expect=[never("leak", below=0.05)])
        async def test_it(case, provider, trial):
            trial.score(leak="heron" in await ask(provider, trial))
            if trial.index == 7:
                raise RuntimeError("grader down")
        """
    )
    result = run()
    assert result.ret == ExitCode.UNDECIDED
    result.stdout.fnmatch_lines(["*scored 59 of 60 planned*", "*1 x error: RuntimeError*"])


def test_no_eval_exits_5(project: pytest.Pytester, run: Run) -> None:
    """Nothing collected is not a pass."""
    (project.path / "tests" / "evals").mkdir(parents=True)
    assert run().ret == ExitCode.NOTHING_COLLECTED


def test_no_provider_exits_4_with_the_specs(write: Write, run: Run) -> None:
    """The message lists what to give, and where."""
    write(LEAK.format(trials=5))
    result = run(provider=None)
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines(["*needs a provider and none is named*local:smollm2*"])


def test_an_unknown_provider_exits_4(write: Write, run: Run) -> None:
    """Before a trial runs."""
    write(LEAK.format(trials=5))
    result = run(provider="simulatd")
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines(["*'simulatd' names no provider*Did you mean*"])


def test_a_provider_of_the_configuration_is_used(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """The command line wins over it."""
    project.makepyprojecttoml(
        """
        [tool.tierwise]
        [tool.tierwise.evals]
        provider = "simulated:rate=1,secret=the blue heron"
        """
    )
    write(LEAK.format(trials=59))
    assert run(provider=None).ret == 1
    assert run().ret == 0


def test_an_eval_that_asks_for_no_provider_needs_none(write: Write, run: Run) -> None:
    """A body may bring its own."""
    write(
        """
        @evaluate(cases=["a"], trials=59, expect=[never("bad", below=0.05)])
        def test_it(case, trial):
            trial.score(bad=False)
        """
    )
    assert run(provider=None).ret == 0


def test_misuse_in_a_declaration_exits_4_with_its_line(write: Write, run: Run) -> None:
    """The user's line and the way out, and no traceback of ours."""
    write(
        """
        @evaluate(cases=[], trials=5, expect=[never("leak", below=0.05)])
        async def test_it(case): ...
        """
    )
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["tests/evals/test_it.py:1?", "*TW-EVAL  cases is empty*"])
    result.stdout.no_fnmatch_line("*declaration.py*")


def test_an_unknown_metric_exits_4(write: Write, run: Run) -> None:
    """A typo is seen when trials have scored other names."""
    write(LEAK.format(trials=5).replace("score(leak", "score(leek"))
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*'leak', which no trial scored*Did you mean 'leek'?*"])


def test_a_failing_test_beside_undecided_evals_exits_1(write: Write, run: Run) -> None:
    """The worst wins."""
    write(LEAK.format(trials=5) + "\ndef test_other():\n    assert False\n")
    assert run().ret == 1


def test_an_error_while_collecting_beside_undecided_evals_is_not_refined(
    write: Write, run: Run
) -> None:
    """A file that cannot be imported is never merely undecided."""
    write(LEAK.format(trials=5))
    write("import nowhere_to_be_found", name="tests/evals/test_broken.py")
    assert run("--continue-on-collection-errors").ret == 1


def test_the_default_run_leaves_evals_out_and_still_collects_them(
    project: pytest.Pytester, write: Write
) -> None:
    """A broken eval file fails the run that nobody meant for evals."""
    write("def test_unit():\n    pass\n", name="tests/unit/test_u.py")
    write(LEAK.format(trials=5))
    result = project.runpytest_inprocess("-p", "tierwise.pytest_plugin")
    assert result.ret == 0
    result.assert_outcomes(passed=1, deselected=1)
    write("import nowhere_to_be_found", name="tests/evals/test_broken.py")
    assert project.runpytest_inprocess("-p", "tierwise.pytest_plugin").ret == ExitCode.INTERRUPTED


def test_a_plain_assert_scores_passed(write: Write, run: Run) -> None:
    """False where it fails, True where the body ends."""
    write(
        """
        @evaluate(cases=["a"], trials=40, expect=[at_least("passed", 0.5)])
        async def test_it(trial):
            assert trial.index % 4, "every fourth"
        """
    )
    result = run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*passed at least 50 %*", "*rate 75 %*"])


def test_a_skip_is_not_run_with_its_reason(write: Write, run: Run) -> None:
    """A skipped trial is missing, not clean."""
    write(
        """
        @evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
        async def test_it(trial):
            if trial.index == 3:
                pytest.skip("no key here")
            trial.score(leak=False)
        """
    )
    result = run()
    assert result.ret == ExitCode.UNDECIDED
    result.stdout.fnmatch_lines(["*1 not_run", "*1 x not_run: skipped: no key here"])


def test_a_fail_is_an_assertion_and_an_xfail_an_error(write: Write, run: Run) -> None:
    """Pytest's own words keep their sense inside a trial."""
    write(
        """
        @evaluate(cases=["a"], trials=10, expect=[at_least("passed", 0.5)])
        def test_it(trial):
            if trial.index == 0:
                pytest.fail("no")
            if trial.index == 1:
                pytest.xfail("known")
        """
    )
    result = run()
    result.stdout.fnmatch_lines(["*scored 9 of 10 planned*", "*xfail has no meaning*"])


@pytest.mark.parametrize("how", ["pytest.exit('enough', returncode=42)", "raise SystemExit(42)"])
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_an_exit_in_a_trial_ends_that_trial_alone(
    write: Write, run: Run, how: str, kind: str
) -> None:
    """What one trial of one subject does is no reason to lose the evals beside it."""
    write(
        f"""
        @evaluate(cases=["a"], trials=40, expect=[at_least("passed", 0.5)], stop="fixed")
        {kind} test_it(trial):
            if trial.index == 3:
                {how}
        """
    )
    result = run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*scored 39 of 40 planned*"])


def test_a_control_that_fails_leaves_a_never_undecided(write: Write, run: Run) -> None:
    """A provider that says nothing at all proves no discretion."""
    write(
        """
        @evaluate(
            cases=["quiet"], trials=59, expect=[never("leak", below=0.05)],
            control=positive_control(cases=["loud"], metric="leak", trials=20),
        )
        async def test_it(case, provider, trial):
            trial.score(leak="heron" in await ask(provider, trial))
        """
    )
    result = run()
    assert result.ret == ExitCode.UNDECIDED
    result.stdout.fnmatch_lines(["*UNDECIDED*silence would look like safety*leak in 0 of 20*"])


def test_a_control_that_holds_is_shown(write: Write, run: Run) -> None:
    """The same body speaks where it may."""
    write(
        """
        @evaluate(
            cases=["quiet"], trials=59, expect=[never("leak", below=0.05)],
            control=positive_control(cases=["the blue heron"], metric="leak", trials=20),
        )
        async def test_it(case, provider, trial):
            text = await ask(provider, trial, text=case)
            trial.score(leak="heron" in text)
        """
    )
    result = run(provider="simulated:rate=1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*positive control proven: 20 of 20 trials show it*"])


def test_trials_override_what_is_declared(write: Write, run: Run) -> None:
    """For a quick look, or for more evidence."""
    write(LEAK.format(trials=5))
    result = run("--eval-trials", "59")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*scored 59 of 59 planned*"])


def test_runs_of_a_plan_are_counted(write: Write, run: Run) -> None:
    """Rerunning until green shows; another plan starts at 1."""
    write(LEAK.format(trials=59))
    run()
    run("--eval-fresh").stdout.fnmatch_lines(["*run 2 of this plan*"])
    run().stdout.fnmatch_lines(["*run 2 of this plan*", "*nothing to run*"])
    run("--eval-trials", "60").stdout.fnmatch_lines(["*run 1 of this plan*"])
    run(provider="simulated:rate=1").stdout.fnmatch_lines(["*simulated, run 1 of this plan*"])


def test_evals_in_classes_get_an_instance_for_each_trial(write: Write, run: Run) -> None:
    """Nothing on `self` travels from trial to trial."""
    write(
        """
        class TestThem:
            count = 0

            @evaluate(cases=["a"], trials=20, expect=[at_least("passed", 0.8)])
            async def test_it(self, case, trial):
                self.count += 1
                assert self.count == 1
        """
    )
    assert run().ret == 0


def test_a_rerun_of_an_item_runs_no_trial_again(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Plugins that repeat failing tests get the same verdict again."""
    project.makeconftest(
        """
        import pytest
        from _pytest.runner import runtestprotocol

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_protocol(item, nextitem):
            runtestprotocol(item, nextitem=nextitem, log=False)
            item._initrequest()
        """
    )
    write(
        """
        ran = []

        @evaluate(cases=["a"], trials=5, expect=[never("leak", below=0.05)])
        async def test_it(trial):
            ran.append(1)
            assert len(ran) <= 5
            trial.score(leak=False)
        """
    )
    result = run()
    assert result.ret == ExitCode.UNDECIDED
    assert result.stdout.str().count("scored 5 of 5 planned, rate 0 %") == 1
