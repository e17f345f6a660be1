"""What the page shows, as frozen values: gathered once, then laid out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.contracts.standing import Standing
    from tierwise.domain import Judgement, Outcome
    from tierwise.records.report_rows import Changed, ChangedVerdict, KeptLeft, Mixed, RunCounts
    from tierwise.records.rows import PlanRow, TrialRow
    from tierwise.records.scores import PlanUsage
    from tierwise.report.map import LevelRow


@dataclass(frozen=True, slots=True, kw_only=True)
class TestLine:
    """One test with its latest result."""

    __test__ = False  # a name that begins with Test is no test

    nodeid: str
    tier: str
    outcome: Outcome
    duration_s: float
    message: str
    started_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationLine:
    """One forbidden touch of a test's latest result."""

    nodeid: str
    tier: str
    capability: str
    target: str
    stack: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GapLine:
    """A fault that is known: a test that is expected to fail."""

    nodeid: str
    reason: str
    ticket: str
    """What the reason names as its ticket; "" when it names none."""
    is_over: bool = False
    """Does the test pass now, so that its mark is wrong?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What the last run of tests, and the last run of evals, changed."""

    run_id: str = ""
    started_at: str = ""
    tests: tuple[Changed, ...] = ()
    n_new: int = 0
    """New tests that passed: counted, not listed."""
    verdicts: tuple[ChangedVerdict, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalPart:
    """One eval by one provider in the last run that planned it."""

    plan: PlanRow
    provider: str
    """With its options' hash where a name is not enough."""
    started_at: str
    is_finished: bool
    verdict: str
    """The worst of its judgements, or `not judged`."""
    judgements: tuple[Judgement, ...]
    outcomes: Mapping[str, int]
    controls: Mapping[str, int]
    usage: PlanUsage
    trials: tuple[TrialRow, ...] = ()
    """Those that are shown: the worst, then the newest."""

    @property
    def n_landed(self) -> int:
        """How many trials of the claim have ended, whatever came of them."""
        return sum(self.outcomes.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceLine:
    """One metric of one eval on two sides."""

    eval_id: str
    metric: str
    cells: tuple[str, ...]
    """A, B, the difference, its interval, p, and what is shown."""
    estimate: float | None = None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPart:
    """Two runs, or two providers of one, side by side."""

    first: str
    second: str
    lines: tuple[DifferenceLine, ...]
    n_tests: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractPart:
    """One contract: what is known of each implementation."""

    name: str
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A metric over runs, oldest first; None where nothing could be measured."""

    title: str
    detail: str
    values: tuple[float | None, ...]
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlakyLine:
    """A test that passed and failed on the same code, with what that proves."""

    mixed: Mixed
    verdict: str
    """Of the claim that it is flaky; "" where the statistics are not installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofLine:
    """A guard or a gate with what it came to."""

    name: str
    state: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the report comes from."""

    project: str
    store: str
    made_at: str
    tierwise: str
    commit: str = ""
    is_declared: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that the report says."""

    source: Source
    levels: tuple[LevelRow, ...]
    tests: tuple[TestLine, ...] = ()
    """The worst first."""
    changes: Changes = field(default_factory=Changes)
    violations: tuple[ViolationLine, ...] = ()
    left_behind: tuple[KeptLeft, ...] = ()
    """Process state that tests did not put back."""
    slowest: tuple[TestLine, ...] = ()
    evals: tuple[EvalPart, ...] = ()
    comparisons: tuple[ComparisonPart, ...] = ()
    why_no_comparison: str = ""
    contracts: tuple[ContractPart, ...] = ()
    guards: tuple[ProofLine, ...] = ()
    gates: tuple[ProofLine, ...] = ()
    gaps: tuple[GapLine, ...] = ()
    flaky: tuple[FlakyLine, ...] = ()
    runs: tuple[RunCounts, ...] = ()
    history: tuple[Line, ...] = ()
