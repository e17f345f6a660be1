"""A bare pytest runs no eval, wherever it lies; who asks for evals gets them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]

EVAL = """
@evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
async def test_leak(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""
TEST = "\ndef test_other():\n    pass\n"
ONLY_UNIT = '[tool.tierwise.tiers.unit]\nlevel = "unit"\npaths = ["tests/unit"]\n'
LEFT_OUT = "tierwise: 1 eval did not run: a bare pytest runs none. Run it with: tierwise eval run"
NO_TABLE = "[tool.other]\n"
PLACES = pytest.mark.parametrize(
    ("table", "name"),
    [
        (NO_TABLE, "test_it.py"),
        (NO_TABLE, "tests/evals/test_it.py"),
        (ONLY_UNIT, "tests/evals/test_it.py"),
        (ONLY_UNIT, "tests/unit/test_it.py"),
        ("[tool.tierwise]\n", "elsewhere/test_it.py"),
        ('[tool.tierwise]\nmode = "report"\n', "tests/unit/test_it.py"),
    ],
)
IGNORED = {"__pycache__", ".pytest_cache", "stdout", "stderr"}
"""What Python, pytest and pytester leave."""
PROVIDER = "simulated:rate=0"


def bare(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_inprocess("-p", "tierwise.pytest_plugin", *arguments)


def command(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.run(sys.executable, "-m", "tierwise", "eval", "run", *arguments)


@PLACES
def test_a_bare_run_leaves_evals_out_and_says_how_to_run_them(
    project: pytest.Pytester, write: Write, table: str, name: str
) -> None:
    """Unplaced, in a tier that runs by default, or without any table: no trial, no provider."""
    project.makepyprojecttoml(table)
    write(EVAL + TEST, name)
    result = bare(project)
    result.assert_outcomes(passed=1, deselected=1)
    assert result.ret == 0
    hints = [line for line in result.stdout.lines if "did not run" in line]
    assert hints == [f"{LEFT_OUT} {name}"]


@pytest.mark.parametrize("name", ["tests/evals/test_it.py", "tests/unit/test_it.py"])
def test_a_provider_alone_runs_no_eval(project: pytest.Pytester, write: Write, name: str) -> None:
    """Neither in its deliberate tier nor elsewhere; the line says what is missing."""
    write(EVAL + TEST, name)
    result = bare(project, "--eval-provider", PROVIDER)
    assert result.parseoutcomes()["deselected"] >= 1
    assert "undecided" not in result.stdout.str()
    (hint,) = [line for line in result.stdout.lines if "eval did not run" in line]
    assert "--eval-provider runs evals only beside --tier NAME" in hint
    assert hint.endswith(f"Run it with: tierwise eval run {name} --provider {PROVIDER}")


def test_a_bare_run_of_an_off_project_runs_no_eval(project: pytest.Pytester, write: Write) -> None:
    """`off` switches tiers off; trials cost money all the same."""
    project.makepyprojecttoml('[tool.tierwise]\nmode = "off"\n')
    write(EVAL + TEST)
    bare(project).assert_outcomes(passed=1, deselected=1)


def test_workers_run_no_eval_either(project: pytest.Pytester, write: Write) -> None:
    """Each worker leaves the same out, and the controller says it once."""
    write(EVAL + TEST, "tests/unit/test_it.py")
    result = project.runpytest_subprocess("-p", "tierwise", "-p", "xdist", "-n", "2")
    result.assert_outcomes(passed=1)
    hints = [line for line in result.stdout.lines if "did not run" in line]
    assert hints == [f"{LEFT_OUT} tests/unit/test_it.py"]


def test_what_cannot_be_collected_fails_a_bare_run(project: pytest.Pytester, write: Write) -> None:
    """Evals rot where nobody looks at them, so that every run collects them."""
    project.makepyprojecttoml(NO_TABLE)
    write("import nowhere_to_be_found\n", "test_it.py")
    assert bare(project).ret == ExitCode.INTERRUPTED


def test_naming_the_tier_of_an_eval_runs_it(project: pytest.Pytester, write: Write) -> None:
    """Also where the tier is one that runs by default."""
    write(EVAL + TEST, "tests/unit/test_it.py")
    result = bare(project, "--tier", "unit", "--eval-provider", PROVIDER)
    result.assert_outcomes(passed=2)


@PLACES
def test_eval_run_with_a_path_runs_what_a_bare_run_leaves_out(
    project: pytest.Pytester, write: Write, table: str, name: str
) -> None:
    """It was asked for by name, so its records are kept, and nothing else is written."""
    project.makepyprojecttoml(table)
    write(EVAL + TEST, name)
    result = command(project, name, "--provider", PROVIDER)
    assert result.ret == 0, result.stderr.str()
    result.stdout.fnmatch_lines(["*PROVEN*59 of 59*", "kept in *records.db"])
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        assert len(store.latest_verdicts()) == 1
    made = {path.name for path in project.path.iterdir()} - IGNORED
    assert made <= {".tierwise", "pyproject.toml", name.partition("/")[0]}


@pytest.mark.parametrize("table", [NO_TABLE, ONLY_UNIT])
def test_eval_run_finds_the_usual_folder_where_no_tier_claims_it(
    project: pytest.Pytester, write: Write, table: str
) -> None:
    """It runs under the policy of an evals tier, and what to add is said."""
    project.makepyprojecttoml(table)
    write(
        """
        from tierwise.domain import Capability
        from tierwise.sandbox import touch

        @evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
        def test_leak(trial):
            touch(Capability.MODEL, "a model")
            trial.score(leak=False)
        """
    )
    result = command(project)
    assert result.ret == 0, result.stdout.str() + result.stderr.str()
    told = result.stderr.str()
    assert "1 eval belongs to no tier and ran under the defaults of an evals tier" in told
    if table == NO_TABLE:
        assert "run: tierwise init" in told
        return
    added = told.partition("pyproject.toml:\n")[2]
    assert "deliberate = true" in added
    project.makepyprojecttoml(f"{table}{added}")
    again = command(project)
    assert again.ret == 0
    assert "belongs to no tier" not in again.stderr.str()


def test_a_strict_project_still_refuses_an_eval_that_no_tier_claims(
    project: pytest.Pytester, write: Write
) -> None:
    """`strict` is about paths, and an eval has one too."""
    project.makepyprojecttoml("[tool.tierwise]\nstrict = true\n")
    write(EVAL, "elsewhere/test_it.py")
    result = bare(project)
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*no tier claims elsewhere/test_it.py::test_leak*"])


def test_a_dry_run_takes_evals_wherever_they_are(project: pytest.Pytester, write: Write) -> None:
    """It spends nothing, so that pytest may be asked without a tier."""
    write(EVAL, "tests/evals/test_a.py")
    write(EVAL, "tests/unit/test_b.py")
    write(TEST, "tests/unit/test_c.py")
    result = bare(project, "--eval-dry-run")
    result.assert_outcomes(passed=2, deselected=1)


def test_eval_run_switches_workers_off(project: pytest.Pytester, write: Write) -> None:
    """A project's own -n does not split the scheduler.

    pytest-evals#1: what an eval came to could not be unpickled where it was collected.
    """
    project.makepyprojecttoml(f'{ONLY_UNIT}[tool.pytest.ini_options]\naddopts = "-p xdist -n 2"\n')
    write(EVAL, "tests/unit/test_it.py")
    result = command(project, "tests/unit", "--provider", PROVIDER)
    assert result.ret == 0, result.stdout.str() + result.stderr.str()
