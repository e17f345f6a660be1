"""What an eval concluded, with every number that the conclusion rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tierwise.domain.provenance import Spending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain.provenance import Reused
    from tierwise.domain.words import Outcome, Verdict


BoundSide = Literal["lower", "upper"]
"""Which way a one-sided bound goes: the rate is at least, or below it."""

Unit = Literal["rate", "mean", "difference", "pass_hat_k", "pass_at_k"]
"""What kind of number is judged: a share from 0 to 1, or a number of the metric's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRate:
    """One case whose own rate is far from that of the others."""

    case_id: str
    n_events: int
    n_scored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the trials prove about one population; both bounds are one-sided.

    The bounds count each missing trial against the claim. All are None when nothing can be said,
    and `sentence` then gives the reason.
    """

    population: str
    sentence: str
    lower: float | None = None
    upper: float | None = None
    method: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One expectation, judged."""

    expectation: str
    metric: str
    verdict: Verdict
    reason: str
    n_scored: int
    n_planned: int
    n_events: int = 0
    unit: Unit = "rate"
    quantity: str = "rate"
    """The name of the number for a reader, such as `pass^3`."""
    estimate: float | None = None
    """As it was observed; after an early stop it leans towards the verdict."""
    interval: tuple[float, float] | None = None
    """Two-sided interval: for the report, never for the verdict on a rate."""
    interval_method: str = "Wilson"
    bound: float | None = None
    """One-sided bound that the verdict was read from, missing trials counted against you."""
    bound_side: BoundSide = "upper"
    bound_if_missing_were_like_the_rest: float | None = None
    confidence: float = 0.95
    population: str = "these_cases"
    claims: tuple[Claim, ...] = ()
    n_needed: int | None = None
    """Trials (for cases like these: cases) that a new plan would need; None where unknown."""
    n_needed_if: str = ""
    """What those trials have to show, or what they assume."""
    next_step: str = ""
    """What to do where more trials would not help; `n_needed` is then None."""
    control: str = ""
    cautions: tuple[str, ...] = ()
    n_left: int = 0
    """Trials that an early stop left out, since they could not change the verdict."""
    stopped: str = ""
    """How the eval was ended before its plan was done; empty when it was not."""
    outliers: tuple[CaseRate, ...] = ()
    """Cases whose own rate is far from the rest, the worst first."""
    baseline: str = ""
    """What the metric was compared with; empty when with nothing."""
    unpaired: tuple[str, ...] = ()
    """Cases that only one side of a comparison scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSummary:
    """One eval of one run: its judgements and what became of each planned trial."""

    eval_id: str
    tier: str | None
    provider: str
    judgements: tuple[Judgement, ...]
    controls: tuple[Judgement, ...] = ()
    n_planned: int = 0
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    """Of the trials that the claims rest on; the positive control's are not among them."""
    reasons: tuple[tuple[str, int], ...] = ()
    """Why trials have no score, the most frequent first."""
    run_number: int | None = None
    """How many runs of this plan are known with this one; None when nothing is kept."""
    n_unjudged_runs: int = 0
    """How many earlier ones of them have no verdict: interrupted, killed or stopped."""
    shared_fixtures: tuple[str, ...] = ()
    duration_s: float = 0.0
    reused: tuple[Reused, ...] = ()
    """From which earlier runs trials were taken over, oldest first."""
    ran_because: tuple[tuple[str, int], ...] = ()
    """Why the other trials were to run in this one, with how many each; empty in a first run."""
    remarks: tuple[str, ...] = ()
    """What else to know, such as of cases that are never taken from an earlier run."""
    n_ran: int = 0
    """How many trials ended in this run, those of controls included."""
    n_cached: int = 0
    """How many of the trials that the claims rest on were answered from the reply cache alone."""
    spent: Spending = field(default_factory=Spending)
    """What the trials of this run took."""
    spent_before: Spending = field(default_factory=Spending)
    """What the trials that it took over had taken."""
    cut_by: str = ""
    """The budget or the signal that left trials of the plan out."""
    error: str = ""
    """Why the eval could not be judged; empty when it was."""

    @property
    def verdict(self) -> str:
        """The verdict of the worst judgement, or `not judged`."""
        found = [str(judgement.verdict) for judgement in self.judgements]
        worst = [word for word in ("refuted", "undecided", "proven") if word in found]
        return "not judged" if self.error or not worst else worst[0]
