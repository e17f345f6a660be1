"""Evals planned, run, compared and traced in a scratch project, as a newcomer would."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Ended = subprocess.CompletedProcess[str]
Start = Callable[..., Ended]
Write = Callable[[Path, dict[str, str]], Path]

FILES = {
    "pyproject.toml": "[tool.tierwise]\n",
    "tests/evals/test_keeper.py": """
        from tierwise.domain import Message
        from tierwise.evals import at_least, evaluate, never
        from tierwise.providers import Request

        CASES = [f"where is number {n}?" for n in range(6)]

        @evaluate(cases=CASES, trials=10, expect=[never("leak", below=0.05)], stop="fixed")
        async def test_it_keeps_the_secret(case, provider, trial):
            prompt = (Message(role="user", content=case),)
            reply = trial.require(await provider.generate(Request(messages=prompt)))
            trial.score(leak="number" in reply.text)

        @evaluate(cases=["a"], trials=15, expect=[never("leak", below=0.05)])
        def test_it_is_quiet(trial):
            trial.score(leak=False)
    """,
}
HONEST, LEAKY = "simulated:rate=0", "simulated:rate=0.5"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, write: Write, start: Start) -> Path:
    """Write a project and run its evals twice, with an honest and with a leaky provider."""
    root = write(tmp_path_factory.mktemp("runs"), FILES)
    before = start(root, "tierwise", "eval", "plan")
    assert "cost: unknown, since no recorded run of this eval has" in before.stdout, before.stderr
    for provider in (HONEST, LEAKY):
        start(root, "tierwise", "eval", "run", "--provider", provider)
    return root


def test_a_plan_says_what_can_be_proven_and_what_it_costs(root: Path, start: Start) -> None:
    """Sixty trials can, fifteen cannot; calls and tokens are those of the runs before."""
    ended = start(root, "tierwise", "eval", "plan")
    assert ended.returncode == 10, ended.stderr
    assert "test_it_keeps_the_secret  [6 cases x 10 = 60 trials]" in ended.stdout
    assert "never leak (below 5 %): can be proven by this plan" in ended.stdout
    assert "not even by a flawless run: it takes 59 trials" in ended.stdout
    assert "cost, if all of it runs: about 60 calls" in ended.stdout
    assert "in all: about 60 calls" in ended.stdout
    more = start(root, "tierwise", "eval", "plan", "--trials", "59", "-k", "quiet", "--json")
    (plan,) = json.loads(more.stdout)
    assert (plan["outlooks"][0]["verdict"], plan["n_to_run"]) == ("proven", 59)


def test_two_runs_are_compared(root: Path, start: Start) -> None:
    """The leak is found, and a gate on it fails; a quiet eval shows no difference."""
    ended = start(root, "tierwise", "eval", "compare", "last~1", "last", "--fail-if-worse", "0.1")
    assert ended.returncode == 1, ended.stderr
    assert "for these cases: A is better" in ended.stdout
    assert "REFUTED   tests/evals/test_keeper.py::test_it_keeps_the_secret leak" in ended.stdout
    assert "test_it_is_quiet" in ended.stdout
    assert "\x1b[" not in ended.stdout  # no colour in a pipe


def test_runs_and_the_history_of_a_metric(root: Path, start: Start) -> None:
    """Both runs are listed, and the change between them is marked."""
    listed = json.loads(start(root, "tierwise", "eval", "runs", "--json").stdout)
    assert [entry["n_calls"] for entry in listed] == [60, 60]
    ended = start(root, "tierwise", "eval", "history", "keeps_the_secret")
    assert ended.returncode == 0, ended.stderr
    assert "leak  [simulated, lower is better]" in ended.stdout
    assert "WORSE (p " in ended.stdout


def test_a_name_that_fits_no_run_exits_4(root: Path, start: Start) -> None:
    """With the closest one."""
    ended = start(root, "tierwise", "eval", "compare", "lats", "last")
    assert ended.returncode == 4
    assert "Did you mean 'last'?" in ended.stderr


def test_providers_of_one_run_are_compared_at_its_end(
    tmp_path: Path, write: Write, start: Start
) -> None:
    """And once more by `compare`, with the same numbers."""
    root = write(tmp_path, FILES)
    both = ("--provider", HONEST, "--provider", LEAKY)
    ended = start(root, "tierwise", "eval", "run", *both)
    assert "for these cases: A is better" in ended.stdout, ended.stderr
    said = json.loads(start(root, "tierwise", "eval", "run", "--fresh", *both, "--json").stdout)
    again = json.loads(start(root, "tierwise", "eval", "compare", "last", "--json").stdout)
    assert said["comparisons"] == again["comparisons"]
    assert said["comparisons"][0]["A"]["provider"] == "simulated (simulated:rate=0)"
