"""Watches trials land and tells when those that are left can change nothing any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.domain import Outcome
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.plan import PlannedCase, PlannedTrial
    from tierwise.evals.stopping_rules import StoppingRule
    from tierwise.evals.trial import Score


class StopWatch:
    """Told of each trial that landed, reused ones included, in any order."""

    def __init__(
        self,
        *,
        expectations: Sequence[Expectation],  # noqa: ARG002
        cases: Sequence[PlannedCase],  # noqa: ARG002
        rule: StoppingRule,  # noqa: ARG002
    ) -> None:
        self.reason = ""
        """Why the eval was settled early, once it was; trials that never ran are no gaps then."""

    def take(
        self,
        trial: PlannedTrial,  # noqa: ARG002
        outcome: Outcome,  # noqa: ARG002
        scores: Mapping[str, Score],  # noqa: ARG002
    ) -> str | None:
        """Take one trial; return why no other is needed once that is so and some are left.

        Cheap: a few comparisons of whole numbers a trial.
        """
        return self.reason or None
