"""One eval on its way through the engine: what landed, and whether more of it is to run."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError, StoreError
from tierwise.evals.breaking import BreakWatch
from tierwise.evals.metrics import MetricWatch, explain_unscored, explain_wrong_kind
from tierwise.evals.planned_trials import PlannedTrial, trials_of
from tierwise.evals.scored import JUDGE
from tierwise.evals.settling import SCORED
from tierwise.evals.spending import SpendingCount
from tierwise.evals.stopping import StopWatch
from tierwise.evals.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tierwise.domain import Outcome
    from tierwise.evals.plan import Plan, PlannedCase
    from tierwise.evals.running import Body, Setting, TrialResult
    from tierwise.evals.trial import Score
    from tierwise.records import KeptTrial

_MOST_GRADERS = 5
"""A judge whose model changes with each trial is named no more often."""
_BETWEEN_REPLIES = "\x1e"  # as the run store puts them together


def _run_all(_planned: PlannedCase, _index: int) -> bool:
    return False


class Counted:
    """What trials of a plan add up to, and whether those that are left can change anything."""

    def __init__(self, plan: Plan) -> None:
        self.tally = Tally(plan.cases)
        self.stop = StopWatch(expectations=plan.expectations, cases=plan.cases, rule=plan.stop)
        self.n = 0
        self.graders: dict[str, list[str]] = {}
        """By metric: who judged it, and how far they are to be trusted."""

    def take(
        self,
        trial: PlannedTrial,
        outcome: Outcome,
        scores: Mapping[str, Score],
        *,
        message: str,
        said: str | None,
        graders: Mapping[str, str],
    ) -> None:
        """Count one trial; `said` is all that the model said in it."""
        self.n += 1
        for metric, line in graders.items():
            lines = self.graders.setdefault(metric, [])
            if line not in lines and len(lines) < _MOST_GRADERS:
                lines.append(line)
        self.tally.add(
            trial.planned.label,
            outcome,
            scores,
            message=message,
            reply=None if said is None else hash(said),
        )
        self.stop.take(trial, outcome, scores)

    def take_kept(self, kept: KeptTrial) -> None:
        """Count one trial of the run store."""
        planned = self.tally.cases[kept.case_id].planned
        trial = PlannedTrial(planned=planned, index=kept.index, key=kept.key, seed=0)
        self.take(
            trial,
            kept.outcome,
            kept.scores,
            message=kept.message,
            said=kept.said,
            graders=kept.graders,
        )


@dataclass(slots=True, kw_only=True)
class Job:
    """One eval with one provider, on its way through the engine."""

    plan: Plan
    body: Body
    setting: Setting
    is_done: Callable[[PlannedCase, int], bool] = _run_all
    """Which trials earlier runs have made already, so that they are not run again."""
    n_reused: int = 0
    n_landed: int = 0
    """How many trials ended in this run."""
    n_cached: int = 0
    """How many of them that claims rest on were answered from the reply cache alone."""
    counted: Counted = field(init=False)
    stopped_by: BaseException | None = None
    """What ended the eval before its plan was done; its other trials are not run."""
    cut_by: str = ""
    """The budget, or the signal, that left trials of the plan out."""
    broken_by: str = ""
    """The error in which all trials have ended so far, told when no further one is started."""
    started_at: float | None = None
    duration_s: float = 0.0
    spending: SpendingCount = field(default_factory=SpendingCount)
    """What the trials of this run took of a model so far."""
    _watch: MetricWatch = field(init=False)
    _breaks: BreakWatch = field(default_factory=BreakWatch)
    _trials: Iterator[PlannedTrial] | None = None

    def __post_init__(self) -> None:
        self.counted = Counted(self.plan)
        self._watch = MetricWatch(entry.metric for entry in self.plan.expectations)

    @property
    def tally(self) -> Tally:
        """What landed so far, in this run and in those that it goes on with."""
        return self.counted.tally

    @property
    def graders(self) -> Mapping[str, Sequence[str]]:
        """By metric: who judged it, and how far they are to be trusted."""
        return self.counted.graders

    @property
    def n_to_run(self) -> int:
        """How many trials this run has to make, those of controls included."""
        return self.plan.n_to_run - self.n_reused

    @property
    def is_over(self) -> bool:
        """Is no further trial to be started, whether or not the plan is done?"""
        is_stopped = self.stopped_by is not None or self.cut_by or self.broken_by
        return bool(is_stopped or self.counted.stop.reason)

    @property
    def is_complete(self) -> bool:
        """Has all of the plan ended, or as much of it as can change anything?"""
        return self.counted.n >= self.plan.n_to_run or bool(self.counted.stop.reason)

    def next_trial(self) -> PlannedTrial | None:
        """Return the next trial to start; None when there is none any more."""
        if self._trials is None:
            self._trials = trials_of(self.plan, is_done=self.is_done)
        if self.is_over:
            return None
        trial = next(self._trials, None)
        if trial is not None and self.started_at is None:
            self.started_at = time.perf_counter()
        return trial

    def stop(self, error: BaseException) -> None:
        """End the eval; the first reason stands, since trials in flight may bring more."""
        if self.stopped_by is None:
            self.stopped_by = error

    def reuse(self, kept: KeptTrial) -> None:
        """Count a trial that an earlier run made."""
        self.n_reused += 1
        self.counted.take_kept(kept)
        self._breaks.take(kept.outcome, kept.message)
        self._look_for_metrics(kept.arm, kept.outcome, kept.scores)

    def land(self, result: TrialResult) -> None:
        """Count a trial that ended in this run."""
        self.n_landed += 1
        if self.started_at is not None:
            self.duration_s = time.perf_counter() - self.started_at
        if result.fatal is not None:
            self.stop(result.fatal)
        self.cut_by = self.cut_by or result.cut_by
        self.spending.add(result.exchanges)
        concluded = result.conclusion
        # What a judge says varies, and says nothing about whether the subject can.
        asked = [said for said in result.exchanges if said.purpose != JUDGE]
        said = [exchange.reply for exchange in asked]
        is_cached = bool(asked) and all(exchange.source == "cache" for exchange in asked)
        self.n_cached += is_cached and result.planned.planned.arm == "trial"
        self.counted.take(
            result.planned,
            concluded.outcome,
            concluded.scores,
            message=concluded.message,
            said=_BETWEEN_REPLIES.join(said) if said else None,
            graders=result.graders,
        )
        self._breaks.take(concluded.outcome, concluded.message)
        if not self.is_over:
            self.broken_by = self._breaks.find_break(lambda: self.plan.n_to_run - self.counted.n)
        self._look_for_metrics(result.planned.planned.arm, concluded.outcome, concluded.scores)

    def recount(self, rows: Iterable[KeptTrial]) -> None:
        """Count anew from what the store holds, so that a verdict rests on it and on nothing else.

        Raises `StoreError` when that is not as much as landed.
        """
        found = Counted(self.plan)
        for kept in rows:
            found.take_kept(kept)
        if found.n != self.counted.n:
            raise StoreError(
                f"The run store holds {found.n} trials of {self.plan.eval_id}, and "
                f"{self.counted.n} ended: nothing is judged from it. Was the file changed by "
                "someone else?"
            )
        self.counted = found

    def _look_for_metrics(self, arm: str, outcome: Outcome, scores: Mapping[str, Score]) -> None:
        if arm != "trial":
            return
        wrong = explain_wrong_kind(self.plan.expectations, scores) if outcome in SCORED else ""
        metric = self._watch.take(outcome, scores)
        if metric is not None:
            scored = {name for case in self.tally.of_arm("trial") for name in case.metrics}
            wrong = explain_unscored(metric, scored)
        if wrong:
            is_early = self.counted.n < self.plan.n_to_run
            saved = " The eval was stopped there: its other trials were not run."
            self.stop(EvalUsageError(wrong + saved if is_early else wrong))
