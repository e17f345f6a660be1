"""When `tierwise eval run` has run a tier whole, as the map asks."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]

EVALS = """
@evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
async def test_a(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))

@evaluate(cases=["b"], trials=59, expect=[never("leak", below=0.05)])
async def test_b(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""
NEVER = '"evals" was never run whole (all of it: pytest --tier evals)'
GOOD = "all 2 passed on this state of the code; 2 expectations proven"


def reason_after(project: pytest.Pytester, *command: str) -> str:
    """Run a command and return what the map says of the evals' level."""
    project.run(sys.executable, "-m", *command)
    shown = project.run(sys.executable, "-m", "tierwise", "map", "--json")
    rows = json.loads(shown.stdout.str())
    return next(str(row["reason"]) for row in rows if row["level"] == "acceptance")


RUN = ("tierwise", "eval", "run", "--provider", "simulated:rate=0")


def test_a_run_of_all_evals_covers_their_level(project: pytest.Pytester, write: Write) -> None:
    """All evals of the tier ran and nothing else is in it."""
    write(EVALS)
    assert reason_after(project, *RUN) == GOOD


@pytest.mark.parametrize("narrowing", [("-k", "test_a"), ("--trials", "70")])
def test_a_narrowed_run_does_not(
    project: pytest.Pytester, write: Write, narrowing: tuple[str, ...]
) -> None:
    """A part of the evals, or other numbers of trials than declared, cover nothing."""
    write(EVALS)
    assert NEVER in reason_after(project, *RUN, *narrowing)


def test_a_path_that_leaves_a_file_out_does_not(project: pytest.Pytester, write: Write) -> None:
    """One file of the tier is not the tier."""
    write(EVALS)
    (project.path / "tests/evals/test_more.py").write_text("def test_plain(): pass\n")
    named = "tests/evals/test_it.py"
    assert NEVER in reason_after(project, *RUN, named)


def test_other_tests_of_the_tier_are_part_of_it(project: pytest.Pytester, write: Write) -> None:
    """The command leaves them out, so that the map names the run that does not."""
    write(EVALS)
    (project.path / "tests/evals/test_plain.py").write_text("def test_plain(): pass\n")
    assert NEVER in reason_after(project, *RUN)
    whole = ("pytest", "-p", "tierwise", "--tier", "evals", "--eval-provider", "simulated:rate=0")
    assert reason_after(project, *whole).startswith("all 3 passed")
