"""Stop a fixed plan as soon as its verdict cannot change."""

from __future__ import annotations

from dataclasses import dataclass

from tierwise.domain import Verdict
from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_count, require_events, require_share


@dataclass(frozen=True, slots=True, kw_only=True)
class CurtailedPlan:
    """n trials of which `allowed` may have the event, decided before the first one runs.

    Population, assumption: those of the fixed plan. Guarantee: exactly the verdict of running
    all n trials, so its confidence holds without a correction. Reference: curtailed sampling,
    Wald 1947. Oracle: test_curtailed.py, every path of small plans.
    """

    n: int
    allowed: int = 0

    def __post_init__(self) -> None:
        """Refuse a plan that is empty or allows everything."""
        trials = require_count("n", self.n, least=1)
        if require_count("allowed", self.allowed) >= trials:
            raise StatisticsError(
                f"allowed={self.allowed} of n={self.n}: expected fewer allowed events than "
                "trials, since otherwise nothing could refute the claim."
            )

    def after(self, events: int, seen: int) -> Verdict | None:
        """Return the verdict once it is certain, None while trials can still change it."""
        found, done = require_events(events, seen)
        if done > self.n:
            raise StatisticsError(
                f"seen={done}: expected at most the n={self.n} trials of the plan. "
                "More trials need a new plan."
            )
        if found > self.allowed:
            return Verdict.REFUTED
        return Verdict.PROVEN if found + (self.n - done) <= self.allowed else None

    def expect_trials(self, rate: float) -> float:
        """Return the mean number of trials that run when the event has this rate."""
        share = require_share("rate", rate)
        waiting = {0: 1.0}
        mean = 0.0
        for seen in range(self.n):
            mean += sum(waiting.values())
            step: dict[int, float] = {}
            for events, probability in waiting.items():
                step[events] = step.get(events, 0.0) + probability * (1.0 - share)
                step[events + 1] = step.get(events + 1, 0.0) + probability * share
            waiting = {x: p for x, p in step.items() if self.after(x, seen + 1) is None}
        return mean
