"""The evals' side of the run store: plans, trials as they land, verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import StoreError

if TYPE_CHECKING:
    from tierwise.domain import EvalSummary
    from tierwise.evals.job import Job
    from tierwise.evals.plan import Plan
    from tierwise.evals.running import TrialResult
    from tierwise.pytest_plugin.state import State
    from tierwise.records import BatchWriter, RunStore, TrialRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRuns:
    """How often a plan has been run; the number is None when nothing is kept."""

    number: int | None = None
    n_unjudged: int = 0
    """How many of those before this run came to no verdict."""


class Keeping:
    """Writes what evals learn; does nothing in a run that is not recorded, such as a dry one."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._is_wanted = state.recording is not None
        self._store: RunStore | None = None
        self._run_id = ""
        self._writer: BatchWriter[TrialRow] | None = None

    def open(self) -> None:
        """Open the store before the first trial, or refuse to run any."""
        from tierwise.records import BatchWriter  # noqa: PLC0415  loaded when evals run

        if not self._is_wanted or self._writer is not None:
            return
        self._store, run_id = self._state.store, self._state.run_id
        if self._store is None or run_id is None:
            complaint = self._state.recording and self._state.recording.complaint
            raise StoreError(
                f"Results cannot be kept, so no trial was run: {complaint or 'there is no store'} "
                "Trials cost time and money, and none is spent on what would be lost."
            )
        self._run_id = run_id
        self._writer = BatchWriter(self._store.add_trials, guard=self._state.sandbox.suspended)

    @property
    def is_kept(self) -> bool:
        """Is there a store that trials go to?"""
        return self._store is not None

    def keep_plan(self, plan: Plan) -> PlanRuns:
        """Keep a plan; return how many runs of it are known, this one included."""
        from tierwise.evals.keeping import plan_row  # noqa: PLC0415  loaded when evals run

        if self._store is None:
            return PlanRuns()
        number = self._store.add_plan(plan_row(plan, self._run_id))
        n_unjudged = self._store.count_unjudged_runs_of_plan(plan.hash, but=self._run_id)
        return PlanRuns(number=number, n_unjudged=n_unjudged)

    def keep_trial(self, job: Job, result: TrialResult) -> None:
        """Hand a trial to the writer, which commits within 50 ms."""
        from tierwise.evals.keeping import trial_row  # noqa: PLC0415  loaded when evals run

        if self._writer is not None:
            self._writer.put(trial_row(job.plan, result, self._run_id))

    def keep_verdicts(self, summary: EvalSummary, plan: Plan) -> None:
        """Keep each verdict of an eval."""
        from tierwise.evals.keeping import verdict_rows  # noqa: PLC0415  loaded when evals run

        for row in verdict_rows(summary, plan, self._run_id) if self._store else ():
            self._store.add_verdict(row)  # type: ignore[union-attr]  # tested one line above

    def close(self) -> None:
        """Write what is left."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            writer.close()
