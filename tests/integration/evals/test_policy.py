"""Evals under the policy of their tier, beside xdist, in dry runs, and what they leave behind."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome, Verdict
from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

LEAK = """
@evaluate(cases=["a"], trials={trials}, expect=[never("leak", below=0.05)])
async def test_leak(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""
NARROW = """
[tool.tierwise.tiers.evals]
level = "acceptance"
paths = ["tests/evals"]
allow = ["model"]
deliberate = true
[tool.tierwise.tiers.unit]
level = "unit"
paths = ["tests/unit"]
"""


def the_store(project: pytest.Pytester) -> RunStore:
    return RunStore.open(project.path / ".tierwise" / "records.db")


@pytest.mark.parametrize("kind", ["async def", "def"])
def test_a_forbidden_touch_in_a_trial_fails_its_eval_and_no_other(
    project: pytest.Pytester, write: Write, run: Run, kind: str
) -> None:
    """The violation is the eval's own, and its other trials are not run."""
    project.makepyprojecttoml(NARROW)
    write(
        f"""
        import subprocess, sys

        @evaluate(cases=["a"], trials=30, expect=[at_least("passed", 0.8)])
        {kind} test_bad(case, trial):
            subprocess.run([sys.executable, "-c", "pass"])

        @evaluate(cases=["a"], trials=30, expect=[at_least("passed", 0.8)])
        {kind} test_good(case, trial):
            pass
        """
    )
    result = run()
    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*TW-PROCESS*test_bad*started*"])


def test_a_swallowed_touch_fails_its_eval_too(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """What was recorded while another item ran the trials is charged to the right one."""
    project.makepyprojecttoml(NARROW)
    write(
        """
        import subprocess, sys

        @evaluate(cases=["a"], trials=30, expect=[at_least("passed", 0.8)])
        def test_good(case, trial):
            pass

        @evaluate(cases=["a"], trials=30, expect=[at_least("passed", 0.8)])
        def test_swallows(case, trial):
            try:
                subprocess.run([sys.executable, "-c", "pass"])
            except BaseException:
                pass
        """
    )
    result = run()
    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*TW-PROCESS*test_swallows*"])


def test_xdist_is_switched_off_for_evals(
    project: pytest.Pytester, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process schedules, and the head says so."""
    write(LEAK.format(trials=59))
    result = project.runpytest_subprocess(
        *("-p", "tierwise.pytest_plugin", "-p", "xdist", "-n", "2"),
        *("--tier", "evals", "--eval-provider", "simulated:rate=0"),
    )
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*-n is switched off for this run", "*scored 59 of 59*"])


def test_an_eval_that_is_handed_to_a_worker_is_refused(
    project: pytest.Pytester, write: Write
) -> None:
    """An eval outside its tier would be scheduled once in each process."""
    write(LEAK.format(trials=5), name="tests/unit/test_it.py")
    result = project.runpytest_subprocess(
        *("-p", "tierwise.pytest_plugin", "-p", "xdist", "-n", "2", "--tier", "unit"),
        *("--eval-provider", "simulated:rate=0"),
    )
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*test_leak*run evals without -n*"])


def test_what_was_learnt_is_kept(project: pytest.Pytester, write: Write, run: Run) -> None:
    """Plan, trials with what was said, verdicts, and the run that they belong to."""
    write(LEAK.format(trials=59))
    run()
    with the_store(project) as store:
        (kept,) = store.latest_verdicts()
        trials = store.trials_of_run(kept.run.run_id)
        tests = store.latest_tests_by_tier()["evals"]
        assert store.count_runs_of_plan(kept.row.plan_hash) == 1
    assert kept.row.verdict is Verdict.PROVEN
    assert (kept.row.n_scored, kept.row.n_planned, kept.row.tier) == (59, 59, "evals")
    assert kept.row.detail["bound"] == pytest.approx(0.0495, abs=1e-4)
    assert kept.run.exit_code == 0
    assert sorted(row.index for row in trials) == list(range(59))
    assert all(row.exchanges[0].prompt[0].content == "Where is it?" for row in trials)
    assert [test.row.outcome for test in tests] == [Outcome.PASSED]


def test_nothing_is_kept_in_mode_report(project: pytest.Pytester, write: Write, run: Run) -> None:
    """Installing tierwise writes nothing into a project that did not ask."""
    project.makepyprojecttoml('[tool.tierwise]\nmode = "report"')
    write(LEAK.format(trials=59))
    result = run()
    assert result.ret == 0
    assert not (project.path / ".tierwise").exists()
    result.stdout.fnmatch_lines(["*test_leak*[[]simulated[]]*"])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("trial.score(leak=False)", "undecided: never leak (below 5 %): "),
        ("raise KeyError(1)", "nothing observed: never leak (below 5 %): "),
    ],
)
def test_an_undecided_eval_is_no_failed_test(  # noqa: PLR0917  fixtures
    project: pytest.Pytester, write: Write, run: Run, body: str, message: str
) -> None:
    """Foot and record say that it could not be told, beside a test that did fail."""
    write(
        f"""
        @evaluate(cases=["a"], trials=5, expect=[never("leak", below=0.05)])
        def test_it(trial):
            {body}

        def test_other():
            assert False
        """
    )
    run().stdout.fnmatch_lines(["evals  1 failed, 1 undecided  *"])
    with the_store(project) as store:
        rows = {each.row.nodeid: each.row for each in store.latest_tests_by_tier()["evals"]}
    row = rows["tests/evals/test_it.py::test_it"]
    assert row.outcome is Outcome.ERROR
    assert row.message.startswith(message)
    assert rows["tests/evals/test_it.py::test_other"].outcome is Outcome.FAILED


def test_a_broken_tear_down_after_an_undecided_eval_is_an_error(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """The harness failed as well, and that goes before not knowing."""
    write(
        """
        @pytest.fixture(autouse=True)
        def broken():
            yield
            raise KeyError("tear-down")

        @evaluate(cases=["a"], trials=5, expect=[never("leak", below=0.05)])
        def test_it(trial):
            trial.score(leak=False)
        """
    )
    run().stdout.fnmatch_lines(["evals  1 error  *"])


def test_in_report_mode_undecided_is_undecided(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Touches that are merely reported do not turn it into a failure."""
    project.makepyprojecttoml(f'[tool.tierwise]\nmode = "report"\n{NARROW}')
    write(
        """
        @evaluate(cases=["a"], trials=5, expect=[never("leak", below=0.05)])
        def test_it(trial):
            (trial.tmp_path / "file").write_text("x")
            trial.score(leak=False)
        """
    )
    result = run("-v")
    assert result.ret == ExitCode.UNDECIDED
    result.stdout.fnmatch_lines(["*test_it UNDECIDED*", "tierwise: *used temporary files*"])


def test_a_store_that_cannot_be_used_stops_before_the_first_trial(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """No trial is spent on what would be lost."""
    (project.path / ".tierwise").mkdir()
    (project.path / ".tierwise" / "records.db").write_text("no database" * 100)
    write(LEAK.format(trials=59))
    result = run()
    assert result.ret == 1
    assert "no trial was run" in result.stdout.str() + result.stderr.str()
    assert "is damaged" in result.stdout.str() + result.stderr.str()


@pytest.mark.parametrize("n_kept", [0, 1])
def test_a_store_that_fills_up_ends_the_run_with_what_was_kept(
    project: pytest.Pytester, write: Write, n_kept: int
) -> None:
    """No trial goes on whose result would be lost, and nobody takes the run for a pass."""
    write(
        f"""
        import time
        from tierwise.errors import StoreError
        from tierwise.records import RunStore

        kept, add = [], RunStore.add_trials

        def add_trials(self, rows):
            if len(kept) == {n_kept}:
                raise StoreError("the disk is full, 7 trials were kept.")
            kept.append(len(rows))
            add(self, rows)

        RunStore.add_trials = add_trials

        @evaluate(cases=["a"], trials=200, expect=[never("leak", below=0.05)])
        def test_it(trial):
            time.sleep(0.02)
            trial.score(leak=False)
        """
    )
    result = project.runpytest_subprocess("-p", "tierwise.pytest_plugin", "--tier", "evals")
    assert result.ret == ExitCode.FAILED
    assert "the disk is full, 7 trials were kept." in result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in result.stdout.str()
    assert "PROVEN" not in result.stdout.str()


def test_a_store_that_fails_at_the_very_end_fails_the_run(
    project: pytest.Pytester, write: Write
) -> None:
    """Verdicts whose trials are not kept are not a pass."""
    write(
        """
        from tierwise.errors import StoreError
        from tierwise.records import RunStore

        def add_trials(self, rows):
            raise StoreError("the disk is full.")

        RunStore.add_trials = add_trials

        @evaluate(cases=["a"], trials=1, expect=[at_least("passed", 0.01)])
        def test_it(trial):
            pass
        """
    )
    result = project.runpytest_subprocess("-p", "tierwise.pytest_plugin", "--tier", "evals")
    assert result.ret == ExitCode.FAILED
    assert "the disk is full." in result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in result.stdout.str()


def test_declaring_evals_loads_neither_scipy_nor_pytest() -> None:
    """A module of evals can be imported with the base install alone."""
    code = (
        "import sys, tierwise.evals as e\n"
        "e.evaluate(cases=['a'], trials=3, expect=[e.never('leak', below=0.05)])(lambda case: 0)\n"
        "assert not {'scipy', 'numpy', 'pytest', 'rich', 'sqlite3'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_dry_run_carries_each_body_out_once_offline(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Expectations are ignored, nothing is judged, nothing is kept, nothing but evals runs."""
    write(
        """
        import pydantic

        class Reply(pydantic.BaseModel):
            says: str
            mood: int

        ran = []

        @evaluate(
            cases=["a", "b"], trials=50, expect=[never("leak", below=0.05)],
            control=positive_control(cases=["c", "d"], metric="leak"),
        )
        async def test_it(case, provider, trial):
            ran.append(case)
            request = Request(messages=ASK.messages, schema=Reply)
            data = trial.require(await provider.generate(request)).data
            assert isinstance(data, Reply) and isinstance(data.mood, int)
            trial.score(leak=False)

        @evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
        async def test_asserts(case, provider):
            assert ran == ["c", "a"], "what a made-up answer says is nobody's fault"
            assert False

        def test_plain():
            assert False
        """
    )
    result = run("--eval-dry-run", provider=None)
    assert result.ret == 0
    result.assert_outcomes(passed=2, deselected=1)
    result.stdout.fnmatch_lines(["dry run: 2 evals carried out once, offline; no verdict"])
    with the_store(project) as store:
        assert store.latest_verdicts() == ()


def test_a_dry_run_fails_for_a_body_that_cannot_be_carried_out(write: Write, run: Run) -> None:
    """That is what it is for."""
    write(
        """
        @evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
        async def test_it(case, provider):
            case.no_such_attribute
        """
    )
    result = run("--eval-dry-run", provider=None)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*could not carry a trial out", "*AttributeError*"])


def test_a_dry_run_forbids_the_network(write: Write, run: Run) -> None:
    """Also where the tier would allow it."""
    write(
        """
        import socket

        @evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
        def test_it(case, provider):
            socket.getaddrinfo("example.org", 443)
        """
    )
    result = run("--eval-dry-run", provider=None)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*TW-NET*example.org*"])


KILLED = """
import os, signal, time

# A session in the background may have inherited a SIGINT that is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

@evaluate(cases=["a"], trials=200, expect=[never("leak", below=0.05)])
async def test_it(case, provider, trial):
    if trial.index == 120:
        time.sleep(0.5)   # the 50 ms of the batches before pass
        os.kill(os.getpid(), signal.{signal})
    trial.score(leak="heron" in await ask(provider, trial))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("signal", ["SIGKILL", "SIGINT"])
def test_a_kill_and_a_ctrl_c_keep_what_landed(
    project: pytest.Pytester, write: Write, signal: str
) -> None:
    """Only what was in flight is lost; Ctrl-C exits 2."""
    write(KILLED.format(signal=signal))
    result = project.runpytest_subprocess(
        *("-p", "tierwise.pytest_plugin", "--tier", "evals", "--eval-concurrency", "4"),
        *("--eval-provider", "simulated:rate=0"),
    )
    assert result.ret == (-9 if signal == "SIGKILL" else ExitCode.INTERRUPTED)
    with the_store(project) as store:
        (run,) = store.runs()
        kept = store.trials_of_run(run.run_id)
        assert store.latest_verdicts() == ()
    assert 117 <= len(kept) <= 124
    assert (run.exit_code is None) is (signal == "SIGKILL")


def test_loading_the_plugin_loads_nothing_of_evals(project: pytest.Pytester) -> None:
    """A project that only wants tiers pays for tiers."""
    project.path.joinpath("tests", "unit").mkdir(parents=True)
    (project.path / "tests" / "unit" / "test_u.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    heavy = ('tierwise.evals', 'tierwise.providers.', 'scipy', 'numpy', 'rich.')\n"
        "    assert not [name for name in sys.modules if name.startswith(heavy)]\n"
    )
    result = project.runpytest_subprocess("-p", "tierwise.pytest_plugin", "tests/unit")
    assert result.ret == 0, result.stdout.str()
