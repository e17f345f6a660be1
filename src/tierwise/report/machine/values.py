"""What a report for programs holds, as frozen values: gathered once, written in any format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.domain import Outcome, Tier, Violation
    from tierwise.report.map import LevelRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the facts come from."""

    project: str
    tierwise: str
    made_at: str
    commit: str = ""
    run_id: str = ""
    """The one run that the tests and evals are of; "" is the latest result of each."""
    folder: str = ""
    """The project's folder within its repository; "" when it is the whole of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestEntry:
    """One test's result."""

    __test__ = False  # a name that begins with Test is no test

    nodeid: str
    tier: str
    """"" when no tier claims it."""
    level: str
    outcome: Outcome
    duration_s: float
    message: str
    violations: tuple[Violation, ...]
    run_id: str
    started_at: str
    location: str = ""
    """Where it is written, as `file:line`; "" when that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectationEntry:
    """One expectation of an eval, judged."""

    expectation: str
    metric: str
    verdict: str
    reason: str
    n_scored: int
    n_planned: int
    quantity: str
    """The name of the number, such as `rate`."""
    estimate: float | None
    interval: tuple[float, float] | None
    confidence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalEntry:
    """One eval by one provider in one run."""

    eval_id: str
    tier: str
    provider: str
    model: str
    run_id: str
    started_at: str
    n_planned: int
    verdict: str
    """The worst of its expectations', or `not judged`."""
    expectations: tuple[ExpectationEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a report for programs says."""

    origin: Origin
    tiers: tuple[Tier, ...]
    levels: tuple[LevelRow, ...]
    """The map as it is now, whichever run the rest is of."""
    tests: tuple[TestEntry, ...] = ()
    evals: tuple[EvalEntry, ...] = ()
