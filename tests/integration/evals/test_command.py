"""`tierwise eval run` on a real project, called as its users call it."""

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

LEAK = """
@evaluate(cases=["a"], trials={trials}, expect=[never("leak", below=0.05)])
async def test_leak(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""
CLEAN = ("--provider", "simulated:rate=0")
LEAKY = ("--provider", "simulated:rate=0.3,secret=the blue heron")


@pytest.fixture
def command(project: pytest.Pytester) -> Command:
    """Run the command in a process of its own, in the project."""

    def run(*arguments: str) -> pytest.RunResult:
        return project.run(sys.executable, "-m", "tierwise", "eval", "run", *arguments)

    return run


def read_json(result: pytest.RunResult) -> Any:
    return json.loads(result.stdout.str())


def test_a_proven_eval_exits_0_with_table_and_store(write: Write, command: Command) -> None:
    """Verdict, counts, interval, bound, both populations, and where it is kept."""
    write(LEAK.format(trials=59))
    result = command(*CLEAN)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "eval * verdict * scored * rate * interval (two-sided) * bound (one-sided)",
            "* never leak (below 5 %) * PROVEN * 59 of 59 * 0 % * 0 % to * < 4.96 %",
            "*proven for these cases: below 4.96 % (95 %, one-sided)",
            "*proven for cases like these: nothing*",
            "kept in *.tierwise/records.db",
        ]
    )
    result.stderr.fnmatch_lines(["evals: 59 of 59 trials, * tokens"])


def test_undecided_exits_10_and_refuted_1(write: Write, command: Command) -> None:
    """The table says it; pytest's own output stays away."""
    write(LEAK.format(trials=20))
    undecided = command(*CLEAN)
    assert undecided.ret == ExitCode.UNDECIDED
    undecided.stdout.fnmatch_lines(["*UNDECIDED*", "*a new plan would need 59 trials*"])
    refuted = command(*LEAKY)
    assert refuted.ret == 1
    refuted.stdout.fnmatch_lines(["*REFUTED*leak occurred in * of * trials"])
    for result in (undecided, refuted):
        assert "test session starts" not in result.stdout.str() + result.stderr.str()


def test_nothing_scored_exits_11(write: Write, command: Command) -> None:
    """With the reasons, counted."""
    write(LEAK.format(trials=20).replace("trial.score(", "raise KeyError("))
    result = command(*CLEAN)
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(["*scored 0 of 20 planned*", "*without a score: 20 error"])


def test_json_is_all_of_stdout(write: Write, command: Command) -> None:
    """For machines: the same numbers, and progress on stderr only."""
    write(LEAK.format(trials=58))
    result = command(*CLEAN, "--json")
    data = read_json(result)
    assert data["exit_code"] == result.ret == ExitCode.UNDECIDED
    assert data["store"].endswith("records.db")
    (found,) = data["evals"]
    (judgement,) = found["judgements"]
    assert found["run_number"] == 1
    assert found["outcomes"] == {"passed": 58}
    assert (judgement["verdict"], judgement["n_scored"], judgement["n_needed"]) == (
        "undecided",
        58,
        59,
    )
    assert [claim["population"] for claim in judgement["claims"]] == [
        "these_cases",
        "cases_like_these",
    ]


def test_no_provider_exits_4_with_one_line(write: Write, command: Command) -> None:
    """The way out, and no session around it."""
    write(LEAK.format(trials=5))
    result = command()
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines(["ERROR: TW-EVAL*needs a provider*--provider SPEC*"])
    assert "test session starts" not in result.stderr.str()


def test_no_evals_exits_5_with_the_next_step(project: pytest.Pytester, command: Command) -> None:
    """An empty project, and a keyword that matches nothing."""
    result = command(*CLEAN)
    assert result.ret == ExitCode.NOTHING_COLLECTED
    result.stderr.fnmatch_lines(["No evals were found (tiers: live, evals*@evaluate(*"])


def test_a_keyword_that_matches_nothing_is_named(write: Write, command: Command) -> None:
    """A typo in -k is not a pass."""
    write(LEAK.format(trials=5))
    result = command(*CLEAN, "-k", "lak")
    assert result.ret == ExitCode.NOTHING_COLLECTED
    result.stderr.fnmatch_lines(["No evals that match -k 'lak' were found*"])
    error = read_json(command(*CLEAN, "--json", "-k", "lak"))["error"]
    assert error.startswith("No evals that match -k 'lak' were found")


def test_an_unknown_tier_or_path_exits_4(write: Write, command: Command) -> None:
    """With the closest tier."""
    write(LEAK.format(trials=5))
    result = command("--tier", "eval")
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines(["*no tier 'eval'*Did you mean 'evals'?*"])
    assert command("tests/nowhere").ret == ExitCode.USAGE


def test_paths_keywords_trials_and_concurrency_choose(write: Write, command: Command) -> None:
    """One eval of two, run as often as said."""
    write(LEAK.format(trials=5), name="tests/evals/test_one.py")
    write(LEAK.format(trials=5), name="tests/evals/test_two.py")
    data = read_json(
        command("tests/evals/test_one.py", *CLEAN, "--json", "--trials", "7", "--concurrency", "2")
    )
    assert [found["eval_id"] for found in data["evals"]] == ["tests/evals/test_one.py::test_leak"]
    assert data["evals"][0]["n_planned"] == 7
    chosen = read_json(command(*CLEAN, "--json", "-k", "test_two"))
    assert [found["eval_id"] for found in chosen["evals"]] == [
        "tests/evals/test_two.py::test_leak"
    ]


def test_only_evals_are_run(write: Write, command: Command) -> None:
    """An ordinary test in the same tier is left to pytest."""
    write(LEAK.format(trials=59) + "\ndef test_other():\n    assert False\n")
    assert command(*CLEAN).ret == 0


def test_what_a_table_cannot_show_is_shown(write: Write, command: Command) -> None:
    """A file that cannot be imported, with pytest's own words."""
    write(LEAK.format(trials=59))
    write("import nowhere_to_be_found", name="tests/evals/test_broken.py")
    result = command(*CLEAN)
    assert result.ret == ExitCode.INTERRUPTED
    result.stderr.fnmatch_lines(["*nowhere_to_be_found*"])


def test_a_dry_run_says_so_and_keeps_nothing(
    project: pytest.Pytester, write: Write, command: Command
) -> None:
    """No provider is needed, no verdict reached, no store made."""
    write(LEAK.format(trials=59))
    result = command("--dry-run")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["dry run: every eval was carried out once, offline; no verdict"])
    assert not (project.path / ".tierwise").exists()


def test_a_project_with_errors_for_warnings_is_no_obstacle(
    project: pytest.Pytester, write: Write, command: Command
) -> None:
    """Our own start must not warn."""
    project.makepyprojecttoml('[tool.tierwise]\n[tool.pytest]\nfilterwarnings = ["error"]')
    write(LEAK.format(trials=59))
    assert command(*CLEAN).ret == 0
