"""What the run store keeps of evals, and what it gives back, as frozen rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Exchange, Outcome, Verdict
    from tierwise.records.run_rows import RunInfo, TestRow

Arm = Literal["trial", "control"]
"""Is a trial part of the claim, or of the positive control beside it?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """One eval's plan as one run fixed it before its first trial."""

    run_id: str
    plan_hash: str
    eval_id: str
    tier: str | None
    n_cases: int
    trials: int
    n_planned: int
    provider: str
    model: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)
    definition: str = ""
    """Hash of what a trial depends on besides case and index: plans that share it may differ in
    cases, trials and expectations."""
    inputs_hash: str = ""
    """Fingerprint of all files and packages that its trials rest on; "" when it is not known."""
    measurement: str = ""
    """Id of the run that began the measurement which this run goes on with; "" is this run."""
    is_copied: bool = False
    """Did all of its replies come from the cache?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRow:
    """One trial as it ended; `key` names its content (eval, case, provider, index)."""

    run_id: str
    plan_hash: str
    eval_id: str
    case_id: str
    index: int
    key: str
    seed: int
    outcome: Outcome
    arm: Arm = "trial"
    scores: Mapping[str, bool | float | str] = field(default_factory=dict)
    message: str = ""
    notes: tuple[str, ...] = ()
    graders: Mapping[str, str] = field(default_factory=dict)
    """By metric: the judge that scored it, and how far it is to be trusted."""
    duration_s: float = 0.0
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTrial:
    """A trial as it is counted and taken over by later runs: without its transcript."""

    seq: int
    """Its place in the store, by which a later run refers to it."""
    run_id: str
    arm: Arm
    case_id: str
    index: int
    key: str
    outcome: Outcome
    scores: Mapping[str, bool | float | str]
    message: str
    said: str | None
    """What the subject's model said in it, all replies in one text; None when it said nothing."""
    graders: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRun:
    """An eval's plan in one run, as later runs look back at it."""

    run_id: str
    started_at: str
    inputs_hash: str
    plan_hash: str
    definition: str
    measurement: str
    provider: str
    trials: int
    is_judged: bool
    """Does any of its expectations have a verdict?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRow:
    """One expectation of one eval as it was judged; `detail` holds all its numbers."""

    run_id: str
    plan_hash: str
    eval_id: str
    tier: str | None
    expectation: str
    metric: str
    verdict: Verdict
    reason: str
    n_scored: int
    n_planned: int
    run_number: int = 1
    """How many runs of this plan the store knew, this one included."""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run as the store knows it; `finished_at` is empty after a kill."""

    run_id: str
    started_at: str
    info: RunInfo
    finished_at: str = ""
    exit_code: int | None = None
    complete_tiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTest:
    """The latest result of one test, with the run it comes from."""

    row: TestRow
    run: RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedVerdict:
    """The latest verdict of one expectation, with the run it comes from."""

    row: VerdictRow
    run: RunRow
