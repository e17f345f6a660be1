"""`tierwise eval run` is not green for evals that were not carried out."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

BODY = """
@evaluate(cases=["a"], trials=5, expect=[at_least("good", 0.2)])
async def test_{name}(trial):
    trial.score(good=True)
"""
SKIPPED = '\n@pytest.mark.skip(reason="no key")' + BODY.format(name="second").rstrip() + "\n"
EXITING = BODY.format(name="third") + '    pytest.exit("enough", returncode=0)\n'


@pytest.fixture
def command(project: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the command in a process of its own, in the project."""

    def run(*arguments: str) -> pytest.RunResult:
        call = (sys.executable, "-m", "tierwise", "eval", "run", "--provider", "schema")
        return project.run(*call, *arguments)

    return run


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (BODY.format(name="first"), ExitCode.OK),
        (BODY.format(name="first") + SKIPPED, ExitCode.UNDECIDED),
        (SKIPPED, ExitCode.NOTHING_OBSERVED),
        (EXITING, ExitCode.NOTHING_OBSERVED),
    ],
    ids=["all", "one-skipped", "only-skipped", "exited"],
)
def test_only_a_run_in_which_all_were_judged_is_green(
    write: Callable[..., None],
    command: Callable[..., pytest.RunResult],
    body: str,
    expected: ExitCode,
) -> None:
    """A skip and an early end each have an exit code of their own."""
    write(body)
    assert command().ret == expected


def test_what_was_not_run_is_named_with_its_reason(
    write: Callable[..., None], command: Callable[..., pytest.RunResult]
) -> None:
    """Table and JSON both say which eval was left out, and why."""
    write(BODY.format(name="first") + SKIPPED)
    command().stdout.fnmatch_lines(["NOT RUN  tests/evals/test_it.py::test_second: *no key"])
    (line,) = json.loads(command("--json").stdout.str())["not_run"]
    assert line.endswith("no key")
