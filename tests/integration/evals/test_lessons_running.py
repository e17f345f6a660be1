"""What has gone wrong when others ran evals, as small inputs that go right here.

Each test names the public reports that it answers. Those about statistics and scoring have files
of their own among the unit tests; kills, Ctrl-C, full disks and two runs at once are end to end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore, TrialRow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., pytest.RunResult]

VENDOR = """
import asyncio, json, os, pathlib
from tierwise.domain import Usage
from tierwise.providers import Answer, Failure, FailureKind

class Vendor:
    \"\"\"Counts its calls in a file, and fails those that another file names.\"\"\"

    name, real = "vendor", False

    def __init__(self):
        self.folder = pathlib.Path(os.environ["VENDOR"])

    async def generate(self, request):
        calls = self.folder / "calls"
        number = calls.stat().st_size if calls.exists() else 0
        with calls.open("a") as file:
            file.write(".")
        bad = json.loads((self.folder / "bad").read_text())
        if bad == "all" or number in bad:
            return Failure(kind=FailureKind.BUSY, message="429 slow down", retry_after_s=0.0)
        return Answer(text=f"answer {number}", usage=Usage(input_tokens=3, output_tokens=2))
"""
COMMAND = (sys.executable, "-m", "tierwise", "eval", "run")
EVAL = """
@evaluate(cases=["a", "b"], trials=5, expect=[never("leak", below=0.5)])
async def test_it(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""


class Vendor:
    """A project's own provider, seen from outside."""

    def __init__(self, folder: Path, run: Run, root: Path) -> None:
        self.folder, self._run, self._root = folder, run, root
        self.fail([])

    def fail(self, bad: list[int] | str) -> None:
        """Fail these calls, counted from 0 over all runs."""
        (self.folder / "bad").write_text(json.dumps(bad))

    @property
    def n_calls(self) -> int:
        """How many calls have reached it."""
        calls = self.folder / "calls"
        return calls.stat().st_size if calls.exists() else 0

    def run(self, *arguments: str, retries: int = 0) -> pytest.RunResult:
        """Run the project's evals with it."""
        table = f"[tool.tierwise.evals]\nretries = {retries}\n"
        (self._root / "pyproject.toml").write_text(table)
        return self._run(*arguments, provider="own_vendor:Vendor")

    def rows(self, number: int = -1) -> tuple[TrialRow, ...]:
        """Return the trials that a run's verdict rests on."""
        with RunStore.open(self._root / ".tierwise" / "records.db") as store:
            return store.trials_of_run(store.runs()[number].run_id)

    def replies(self, number: int = -1) -> list[str]:
        """Return what the model said in a run."""
        return [said.reply for row in self.rows(number) for said in row.exchanges]


@pytest.fixture
def vendor(  # noqa: PLR0917  fixtures
    project: pytest.Pytester,
    write: Callable[..., None],
    run: Run,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Vendor:
    """Make a project with a provider of its own."""
    folder = tmp_path_factory.mktemp("vendor")
    monkeypatch.setenv("VENDOR", str(folder))
    (project.path / "own_vendor.py").write_text(VENDOR)
    write(EVAL)
    return Vendor(folder, run, project.path)


def test_repeats_stay_independent_with_a_warm_cache(vendor: Vendor) -> None:
    """Each trial has an answer of its own, kept or not.

    promptfoo#360, #1431, inspect_ai#2580, lm-evaluation-harness#3046: the cache gave every repeat
    the first one's answer.
    """
    vendor.run("--eval-cache")
    cold = vendor.replies()
    vendor.run("--eval-cache", "--eval-fresh")
    assert vendor.n_calls == 10
    assert len(set(cold)) == 10
    assert sorted(vendor.replies()) == sorted(cold)
    assert {said.source for row in vendor.rows() for said in row.exchanges} == {"cache"}


def test_a_throttled_answer_is_never_cached(vendor: Vendor) -> None:
    """What a busy vendor said is asked again. promptfoo PR#8070: cached for 14 days."""
    vendor.fail("all")
    vendor.run("--eval-cache")
    vendor.fail([])
    vendor.run("--eval-cache")
    assert vendor.n_calls == 20
    assert {str(row.outcome) for row in vendor.rows()} == {"passed"}


def test_a_throttle_is_named_and_scores_nothing(vendor: Vendor) -> None:
    """Busy is unobservable, with the vendor's words.

    promptfoo#1970: shown as a TypeError; benchlocal-cli#106: scored as the model's failure.
    """
    vendor.fail("all")
    result = vendor.run()
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(["*without a score: 10 unobservable*", "*10 x *429 slow down*"])


def test_no_retries_means_one_call_a_trial(vendor: Vendor) -> None:
    """Zero is a number. promptfoo#7727: maxRetries 0 was not honoured."""
    vendor.fail("all")
    vendor.run(retries=0)
    assert vendor.n_calls == 10


def test_a_budget_spent_on_a_dead_vendor_names_the_vendor(vendor: Vendor) -> None:
    """Raising the budget would not help, and the table says why it was spent."""
    vendor.fail("all")
    result = vendor.run("--eval-max-calls", "3", "--eval-concurrency", "1", retries=9)
    assert result.ret == ExitCode.STOPPED_BY_BUDGET
    result.stdout.fnmatch_lines(["*3 of 3 calls spent; the attempt before ended in busy: 429 *"])


def test_each_retry_is_kept(vendor: Vendor) -> None:
    """A trial that needed three attempts says so.

    inspect_ai PR#1712: retries left no trace; benchlocal-cli#106: the trace was dropped.
    """
    vendor.fail([0, 1])
    vendor.run("--eval-concurrency", "1", retries=3)
    attempts = [said.attempts for row in vendor.rows() for said in row.exchanges]
    assert sorted(len(each) for each in attempts) == [1] * 9 + [3]
    assert [each.failure for each in max(attempts, key=len)] == ["busy", "busy", None]


def test_stopping_while_going_on_loses_nothing(vendor: Vendor) -> None:
    """Two runs that were cut short, the second while it went on, and one that ends it.

    inspect_ai#4933, #5343: the nearly empty second log replaced the full one;
    hermes-agent#86523: repeats of one prompt were taken for copies.
    """
    vendor.run("--eval-max-calls", "6")
    vendor.run("--eval-max-calls", "2")
    vendor.run()
    assert vendor.n_calls == 10
    assert sorted(vendor.replies()) == [f"answer {number}" for number in range(10)]
    assert {(row.case_id, row.index) for row in vendor.rows()} == {
        (case, index) for case in ("a", "b") for index in range(5)
    }


def test_totals_of_a_run_that_went_on_cover_both_parts(vendor: Vendor) -> None:
    """The rows behind a verdict hold the tokens of every call that it rests on.

    inspect_ai#2628: tokens and time were those of the second part only.
    """
    vendor.run("--eval-max-calls", "6")
    vendor.run()
    used = [said.usage.total_tokens for row in vendor.rows() for said in row.exchanges]
    assert sum(used) == 5 * vendor.n_calls


def test_a_run_that_never_ended_is_gone_on_with(vendor: Vendor, project: pytest.Pytester) -> None:
    """Whatever became of its process. inspect_ai#913: runs killed for memory stayed `started`."""
    vendor.run("--eval-max-calls", "6")
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        store._connection.execute("UPDATE runs SET finished_at = '', exit_code = NULL")
    result = vendor.run()
    result.stdout.fnmatch_lines(["*reused 6 trials of run *"])
    assert vendor.n_calls == 10


def test_the_same_command_again_adds_no_row_and_no_cost(vendor: Vendor) -> None:
    """What is complete is not measured again, and not counted again.

    deepeval#1992: a test that pytest ran three times was three rows, with their costs added up.
    """
    for _ in range(3):
        vendor.run()
    assert vendor.n_calls == 10
    kept = [vendor.rows(number) for number in range(-3, 0)]
    assert [len(rows) for rows in kept] == [10, 10, 10]
    assert len({row.key for rows in kept for row in rows}) == 10


def test_why_trials_ran_again_is_said(vendor: Vendor, project: pytest.Pytester) -> None:
    """An edit is named as the reason. promptfoo#5849: users could not tell."""
    vendor.run()
    (project.path / "own_vendor.py").write_text(VENDOR + "\n# edited\n")
    result = vendor.run()
    result.stdout.fnmatch_lines(["*ran 10 trials: anew, as the project's files *"])
    assert vendor.n_calls == 20


def test_providers_with_one_name_are_counted_apart(run: Run, write: Callable[..., None]) -> None:
    """Two settings of one provider have a verdict each. promptfoo#10981: the last one won."""
    write(EVAL)
    clean, leaky = (f"simulated:rate={rate},secret=heron" for rate in (0, 1))
    result = run("--eval-provider", leaky, provider=clean)
    assert result.ret == ExitCode.FAILED
    result.stdout.fnmatch_lines(["*PROVEN *never leak*", "*REFUTED *never leak*"])


def test_a_body_that_never_returns_is_cut_off(run: Run, write: Callable[..., None]) -> None:
    """It costs its own trial and no more. deepeval#1147, ragas#854: stuck after the last case."""
    write(
        """
        import asyncio

        @evaluate(cases=["a"], trials=12, expect=[never("leak", below=0.5)], timeout_s=0.2)
        async def test_it(case, trial):
            if trial.index == 11:
                await asyncio.Event().wait()
            trial.score(leak=False)
        """
    )
    result = run("--eval-concurrency", "12")
    result.stdout.fnmatch_lines(["*without a score: 1 error*", "*1 x error: time-out*"])


def test_tries_of_an_earlier_run_count_as_tries(vendor: Vendor, write: Any) -> None:
    """pass^k rests on all trials of a plan. verifiers#1031: resumed ones were ignored."""
    write(
        """
        from tierwise.evals import pass_hat_k

        @evaluate(cases=["a", "b", "c"], trials=4, expect=[pass_hat_k("ok", 4, at_least=0.01)])
        async def test_it(case, provider, trial):
            trial.score(ok=bool(await ask(provider, trial)))
        """
    )
    vendor.run("--eval-max-calls", "7")
    vendor.run().stdout.fnmatch_lines(["*scored 12 of 12 planned*"])
    assert vendor.n_calls == 12


@pytest.mark.parametrize("arguments", [["tests/evals/missing.py"], ["-k", "no_such_eval"]])
def test_a_selection_of_nothing_is_no_success(
    project: pytest.Pytester, write: Callable[..., None], arguments: list[str]
) -> None:
    """A missing file is misuse, an empty choice has its own code. inspect_ai#2314: exit 0."""
    write(EVAL)
    ended = project.run(*COMMAND, "--provider", "simulated:rate=0", *arguments)
    assert ended.ret in {ExitCode.USAGE, ExitCode.NOTHING_COLLECTED}


def test_a_refuted_eval_stays_refuted_for_machines(
    project: pytest.Pytester, write: Callable[..., None]
) -> None:
    """`--json` changes no exit code. promptfoo-action PR#112: green with failures."""
    write(EVAL)
    ended = project.run(*COMMAND, "--json", "--provider", "simulated:rate=1,secret=heron")
    assert ended.ret == ExitCode.FAILED
    assert json.loads(ended.stdout.str())["evals"][0]["verdict"] == "refuted"


IMPORT_ALL = """
import sys
seen = []
sys.addaudithook(
    lambda event, args: seen.append((event, args))
    if event.startswith("socket.") or (event == "open" and ".env" in str(args[0])) else None
)
import tierwise.evals, tierwise.evals.engine, tierwise.evals.judging, tierwise.providers
import tierwise.leaks, tierwise.stats, tierwise.contracts, tierwise.cli, tierwise.pytest_plugin
import os
print(seen, os.environ.get("OPENAI_API_KEY"))
"""


def test_importing_touches_no_network_and_no_env_file(tmp_path: Path) -> None:
    """Keys in a `.env` stay there, and nobody is called.

    deepeval#2092, rhesis PR#946: the library phoned home; VoiceStudio PR#894: importing loaded the
    developer's keys; deepeval#506: importing hung without a network.
    """
    (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-not-for-tests\n")
    environment = {**os.environ}
    environment.pop("OPENAI_API_KEY", None)
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[] None"
