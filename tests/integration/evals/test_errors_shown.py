"""What went wrong, shown where it is looked for: in the table, in JSON, on stderr, and no more."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Command = Callable[..., pytest.RunResult]

FINE = """
@evaluate(cases=["a"], trials=59, expect=[never("leak", below=0.05)])
async def test_fine(case, trial):
    trial.score(leak=False)
"""
BROKEN_FIXTURE = """
@pytest.fixture(scope="module")
def world():
    raise KeyError("no such world")

@evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.5)])
async def test_it(case, world):
    pass
"""
SLIPS = {
    "a metric": FINE.replace("score(leak", "score(leek"),
    "a declaration": FINE.replace("trials=59", "trails=59"),
    "no provider": FINE.replace("(case, trial)", "(case, provider, trial)"),
}
NAMED = {
    "a metric": "Did you mean 'leek'?",
    "a declaration": "Did you mean 'trials'?",
    "no provider": "needs a provider and none is named",
}


@pytest.fixture
def command(project: pytest.Pytester) -> Command:
    """Run the command in a process of its own, in the project."""

    def run(*arguments: str) -> pytest.RunResult:
        return project.run(sys.executable, "-m", "tierwise", "eval", "run", *arguments)

    return run


def read_json(result: pytest.RunResult) -> Any:
    return json.loads(result.stdout.str())


def test_a_broken_fixture_stands_in_the_table_and_in_json(write: Write, command: Command) -> None:
    """An eval of which no trial was run is not missing from the result."""
    write(BROKEN_FIXTURE)
    write(FINE, name="tests/evals/test_fine.py")
    shown = command()
    assert shown.ret == 1
    shown.stdout.fnmatch_lines_random(
        [
            "*test_it.py::test_it *NOT JUDGED*",
            "*NOT JUDGED its set-up failed: KeyError: 'no such world'",
            "*never leak (below 5 %)*PROVEN*",
        ]
    )
    told = read_json(command("--json"))
    found = {entry["eval_id"].rpartition("::")[2]: entry for entry in told["evals"]}
    assert found["test_it"]["error"] == "its set-up failed: KeyError: 'no such world'"
    assert (found["test_it"]["verdict"], found["test_it"]["n_planned"]) == ("not judged", 5)
    assert found["test_fine"]["verdict"] == "proven"
    assert told["exit_code"] == 1


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("mode", ["run", "dry"])
def test_misuse_is_a_message_and_no_session(
    write: Write, command: Command, slip: str, mode: str
) -> None:
    """Whoever made a slip is told which, in a few lines."""
    write(SLIPS[slip])
    result = command(*(["--dry-run"] if mode == "dry" else []))
    if mode == "dry" and slip == "no provider":
        assert result.ret == 0
        return
    said = result.stdout.str() + result.stderr.str()
    assert result.ret in (ExitCode.USAGE, ExitCode.INTERRUPTED)
    assert NAMED[slip] in said
    assert "test session starts" not in said
    assert "Traceback" not in said
    assert len(result.errlines) < 10


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--tier", "evls"), "Did you mean 'evals'?"),
        (("tests/nowhere",), "There is no tests/nowhere here"),
        (("--trials", "0"), "0 is not in the range"),
        (("--max-usd", "free"), "'free' is not a valid float"),
        (("--provider", "simulatd"), "Did you mean"),
        ((), "needs a provider and none is named"),
    ],
)
def test_misuse_is_json_where_json_was_asked_for(
    write: Write, command: Command, arguments: tuple[str, ...], named: str
) -> None:
    """A program that reads stdout gets an object, whatever went wrong."""
    write(SLIPS["no provider"])
    result = command(*arguments, "--json")
    told = read_json(result)
    assert result.ret == told["exit_code"] == ExitCode.USAGE
    assert named in told["error"]


def test_a_body_that_is_broken_is_stopped_after_twenty_trials(
    write: Write, command: Command
) -> None:
    """The error is said once with its line, and neither proves nor refutes anything."""
    write(
        """
        EXPECTED = [at_most("leak", 0.5), never("leak", below=0.5)]

        @evaluate(cases=list("abcdef"), trials=20, expect=EXPECTED, stop="fixed")
        async def test_it(case, trial):
            {}[case]
        """
    )
    result = command("--concurrency", "1", "--json")
    (found,) = read_json(result)["evals"]
    assert result.ret == ExitCode.NOTHING_OBSERVED
    assert found["verdict"] == "undecided"
    assert found["n_ran"] == 20
    assert found["outcomes"] == {"error": 20, "not_run": 100}
    (said,) = [line for line in found["remarks"] if line.startswith("stopped early")]
    assert "each of the first 20 trials ended in KeyError: " in said
    assert " at tests/evals/test_it.py:" in said


@pytest.mark.parametrize("ending", [("auth", "error"), ("not_found", "unobservable")])
def test_a_provider_that_refuses_all_is_asked_twenty_times(
    write: Write, command: Command, project: pytest.Pytester, ending: tuple[str, str]
) -> None:
    """Each trial keeps its outcome, the rest is not run, and nothing was observed."""
    kind, outcome = ending
    project.path.joinpath("refusing.py").write_text(
        "from tierwise.providers import Failure, FailureKind, MockProvider\n\n\n"
        "def make():\n"
        f"    return MockProvider([Failure(kind=FailureKind('{kind}'), message='no')] * 200)\n"
    )
    write(
        """
        @evaluate(cases=list("abcd"), trials=20, expect=[at_least("passed", 0.5)])
        async def test_it(case, provider, trial):
            await ask(provider, trial)
        """
    )
    result = command("--concurrency", "1", "--provider", "refusing:make", "--json")
    told = read_json(result)
    assert result.ret == ExitCode.NOTHING_OBSERVED, told
    (found,) = told["evals"]
    assert found["outcomes"] == {outcome: 20, "not_run": 60}
    (said,) = [line for line in found["remarks"] if line.startswith("stopped early")]
    assert f"each of the first 20 trials ended in {kind}: no" in said
