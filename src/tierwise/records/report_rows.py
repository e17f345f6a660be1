"""What a report asks of the run store and no other command does, as frozen rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Outcome
    from tierwise.records.rows import PlanRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A test whose result in one run differs from its result before."""

    nodeid: str
    before: Outcome | None
    """None of a test that had no result before."""
    now: Outcome | None
    """None of a test that the run, which took its tier whole, no longer saw."""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedVerdict:
    """An expectation whose verdict in one run differs from its verdict before."""

    eval_id: str
    expectation: str
    before: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed:
    """A test that passed and failed on one state of the code."""

    nodeid: str
    n_runs: int
    n_failed: int
    last_failed_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLeft:
    """Process state that a test, or a fixture that ended with it, did not put back."""

    nodeid: str
    subject: str
    """The fixture; "" is the test."""
    watcher: str
    owner: str
    was: str
    became: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCounts:
    """How the tests of one run ended."""

    run_id: str
    started_at: str
    outcomes: Mapping[str, int] = field(default_factory=dict)
    duration_s: float = 0.0
    """The time of all tests added up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictPoint:
    """An expectation as one run judged it."""

    eval_id: str
    expectation: str
    provider: str
    started_at: str
    verdict: str
    estimate: float | None
    n_scored: int
    n_planned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What has landed of a run's evals since a place in the store."""

    place: int
    """The place of the last trial that was read: where the next look begins."""
    trials: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """How many trials, by plan, arm and outcome."""
    calls: Mapping[str, tuple[int, int, float, int]] = field(default_factory=dict)
    """By plan: calls, tokens, USD that are known, and calls without a known price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanCounts:
    """A plan of a run with its trials counted by arm and outcome, those taken over included."""

    plan: PlanRow
    outcomes: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def count(self, arm: str) -> dict[str, int]:
        """Return how many trials of one arm ended in each outcome."""
        return {outcome: n for (of_arm, outcome), n in self.outcomes.items() if of_arm == arm}
