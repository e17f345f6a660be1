"""An eval of a served model in its vendor's bad hour, by the installed command.

The vendor answers 429 with Retry-After to 10 % of requests, 500 to 5 %, a garbled body to 2 %, and
hangs on 1 %. What it counted on its side is compared with what the run kept and says.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from fake_vendor import MODEL, FakeVendor, Faults

from tierwise.errors import ExitCode
from tierwise.records import RunStore, TrialRow

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Start = Callable[..., subprocess.CompletedProcess[str]]
    Write = Callable[[Path, dict[str, str]], Path]

N_CASES, N_TRIALS = 10, 30
FAULTS = Faults(busy=0.1, failing=0.05, garbled=0.02, hanging=0.01, retry_after_s=0.02)
ANSWERED_AS = {
    "answered": None,
    "busy": "busy",
    "failing": "unavailable",
    "garbled": "garbled",
    "hanging": "timeout",
}
"""What the vendor calls a response, and what an attempt is kept as."""
ENDED_AS = {
    "answered": "passed",
    "busy": "unobservable",
    "failing": "error",
    "garbled": "error",
    "hanging": "error",
}
"""How a trial ends whose only call was answered so."""

# The seed is the body's own, so that a request, and what the vendor makes of it, is always the
# same: that of a trial follows from the vendor's port too.
EVAL = f"""
    from tierwise.domain import Message
    from tierwise.evals import at_least, evaluate
    from tierwise.providers import Request

    CASES = [f"case {{n}}" for n in range({N_CASES})]

    @evaluate(cases=CASES, trials={N_TRIALS}, expect=[at_least("ok", 0.5)], stop="fixed")
    async def test_it(case, provider, trial):
        prompt = (Message(role="user", content=f"{{case}}, try {{trial.index}}"),)
        reply = await provider.generate(Request(messages=prompt, seed=7))
        trial.score(ok=trial.require(reply).text == "yes")
"""


@dataclass(frozen=True)
class Hour:
    """A run, told from both sides."""

    told: dict[str, Any]
    """What the command printed."""
    rows: tuple[TrialRow, ...]
    """What the store holds."""
    counts: Counter[str]
    """What the vendor counted."""

    @property
    def attempts(self) -> Counter[str | None]:
        """What became of all attempts that were kept."""
        return Counter(
            attempt.failure
            for row in self.rows
            for exchange in row.exchanges
            for attempt in exchange.attempts
        )


@pytest.fixture(scope="module")
def live(
    tmp_path_factory: pytest.TempPathFactory, write: Write, start: Start
) -> Callable[..., Hour]:
    """Run the eval once against a vendor of its own."""

    def run(*, retries: int | None = None) -> Hour:
        # A call that is answered is never cut off, on however busy a machine.
        settings = "[tool.tierwise.evals]\nconcurrency = 40\ncall_timeout_s = 1.0\n"
        settings += "" if retries is None else f"retries = {retries}\n"
        files = {"pyproject.toml": settings, "tests/evals/test_it.py": EVAL}
        root = write(tmp_path_factory.mktemp("hour"), files)
        with FakeVendor(answer="yes", faults=FAULTS) as vendor:
            provider = f"{vendor.url}#{MODEL}"
            ended = start(root, "tierwise", "eval", "run", "--provider", provider, "--json")
            counts = vendor.counts
        assert ended.returncode in {ExitCode.OK, ExitCode.UNDECIDED}, ended.stdout + ended.stderr
        with RunStore.open(root / ".tierwise" / "records.db") as store:
            (only,) = store.runs()
            return Hour(json.loads(ended.stdout), store.trials_of_run(only.run_id), counts)

    return run


@pytest.fixture(scope="module")
def tried_again(live: Callable[..., Hour]) -> Hour:
    """Run with the retries that nobody has to ask for."""
    return live()


@pytest.fixture(scope="module")
def tried_once(live: Callable[..., Hour]) -> Hour:
    """Run without a retry."""
    return live(retries=0)


@pytest.mark.parametrize("hour", ["tried_again", "tried_once"])
def test_every_trial_is_accounted_for_once(hour: str, request: pytest.FixtureRequest) -> None:
    """Each planned trial has one row and one outcome, and the printed totals are the rows'."""
    found: Hour = request.getfixturevalue(hour)
    assert Counter((row.case_id, row.index) for row in found.rows) == Counter(
        (f"case {n}", index) for n in range(N_CASES) for index in range(N_TRIALS)
    )
    (told,) = found.told["evals"]
    outcomes = Counter(str(row.outcome) for row in found.rows)
    assert told["outcomes"] == outcomes
    assert told["n_planned"] == outcomes.total() == N_CASES * N_TRIALS
    (judged,) = told["judgements"]
    assert judged["n_scored"] == judged["n_events"] == outcomes["passed"]
    assert sum(n for _reason, n in told["reasons"]) == outcomes.total() - outcomes["passed"]


@pytest.mark.parametrize("hour", ["tried_again", "tried_once"])
def test_attempts_agree_with_what_the_vendor_counted(
    hour: str, request: pytest.FixtureRequest
) -> None:
    """By kind, in all, and in what the run says that it spent."""
    found: Hour = request.getfixturevalue(hour)
    assert set(found.counts) == set(ANSWERED_AS)
    assert found.attempts == {ANSWERED_AS[name]: n for name, n in found.counts.items()}
    spent = found.told["spent"]
    assert spent["attempts"] == found.attempts.total() == found.counts.total()
    assert spent["calls"] == sum(len(row.exchanges) for row in found.rows) == N_CASES * N_TRIALS
    written = sum(exchange.usage.output_tokens for row in found.rows for exchange in row.exchanges)
    assert spent["output_tokens"] == written == found.counts["answered"]


def test_a_bad_hour_is_outlasted(tried_again: Hour) -> None:
    """With retries all trials are scored: no outage counts for or against the model."""
    assert {str(row.outcome) for row in tried_again.rows} == {"passed"}
    assert tried_again.counts["answered"] == N_CASES * N_TRIALS
    assert tried_again.told["evals"][0]["verdict"] == "proven"


def test_without_retries_each_outcome_is_what_the_vendor_did(tried_once: Hour) -> None:
    """A throttle is unobservable, an outage an error; too many of them leave it undecided."""
    expected: Counter[str] = Counter()
    for name, n in tried_once.counts.items():
        expected[ENDED_AS[name]] += n
    assert Counter(str(row.outcome) for row in tried_once.rows) == expected
    assert tried_once.counts.total() == N_CASES * N_TRIALS
    assert expected["passed"] < N_CASES * N_TRIALS * 0.95
    assert tried_once.told["evals"][0]["verdict"] == "undecided"
