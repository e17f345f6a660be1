"""Watches trials land and tells when those that are left can change nothing any more."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.evals.promises import RateLimit
from tierwise.evals.settling import Curtailed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.domain import Outcome
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.plan import PlannedCase
    from tierwise.evals.planned_trials import PlannedTrial
    from tierwise.evals.sequential import Sequential
    from tierwise.evals.stopping_rules import StoppingRule
    from tierwise.evals.trial import Score

_REASONS = {
    "curtailed": "no trial that is left can change a verdict",
    "sprt": "Wald's sequential test has decided",
    "anytime": "the confidence sequence has decided",
}


class StopWatch:
    """Told of each trial that landed, reused ones included, in any order.

    It ends an eval once every expectation is settled and all trials of its controls have ended. An
    eval of which nothing can be decided any more goes on all the same: its estimate is all that
    a reader gets from it.
    """

    def __init__(
        self,
        *,
        expectations: Sequence[Expectation],
        cases: Sequence[PlannedCase],
        rule: StoppingRule,
    ) -> None:
        self.reason = ""
        """Why the eval was settled early, once it was; trials that never ran are no gaps then."""
        self.rule = rule
        claimed = [planned.trials for planned in cases if planned.arm == "trial"]
        self._n_left = sum(claimed)
        self._n_controls_left = sum(planned.trials for planned in cases) - self._n_left
        self._curtailed: list[Curtailed] = []
        self._sequential: dict[Expectation, Sequential] = {}
        if rule.kind == "curtailed":
            self._curtailed = [Curtailed(entry, self._n_left) for entry in expectations]
        elif rule.is_anytime_valid:
            from tierwise.evals.sequential import Sequential  # noqa: PLC0415  few ask for it

            sizes = Counter(claimed)
            self._sequential = {entry: Sequential(entry, rule, sizes) for entry in expectations}

    def take(
        self, trial: PlannedTrial, outcome: Outcome, scores: Mapping[str, Score]
    ) -> str | None:
        """Take one trial; return why no other is needed once that is so and some are left.

        Cheap: some comparisons of whole numbers a trial.
        """
        if trial.planned.arm == "control":
            self._n_controls_left -= 1
        else:
            self._n_left -= 1
            for curtailed in self._curtailed:
                curtailed.take(outcome, scores)
            for sequential in self._sequential.values():
                sequential.take(trial.index, outcome, scores)
        if not self.reason and self._n_left and not self._n_controls_left and self._is_settled():
            self.reason = _REASONS[self.rule.kind]
        return self.reason or None

    def path_of(self, expectation: Expectation) -> Sequential | None:
        """Return what a sequential rule has seen of an expectation; None under other rules."""
        return self._sequential.get(expectation)

    def _is_settled(self) -> bool:
        verdicts = {entry.verdict for entry in self._curtailed}
        verdicts |= {entry.verdict for entry in self._sequential.values()}
        return bool(verdicts - {Verdict.UNDECIDED}) and None not in verdicts


def may_be_extended(expectations: Sequence[Expectation], rule: StoppingRule) -> bool:
    """Return whether more trials may be added to a plan after its verdict was looked at.

    Under a sequential rule always; otherwise only where every promise is a `never`, whose bound
    holds under any peeking that stops at the first occurrence.
    """
    return rule.is_anytime_valid or all(
        isinstance(entry.promise, RateLimit) and entry.kind == "never" for entry in expectations
    )
