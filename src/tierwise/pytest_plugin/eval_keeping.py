"""The evals' side of the run store: plans, what they go on with, trials as they land, verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tierwise.domain import Spending
from tierwise.errors import EvalUsageError, StoreError
from tierwise.records.sqlite import NotKeptError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import EvalSummary, Listener, Reused
    from tierwise.evals.baseline import Baseline
    from tierwise.evals.baseline_reading import BaselineRun
    from tierwise.evals.job import Job
    from tierwise.evals.plan import Plan
    from tierwise.evals.running import TrialResult
    from tierwise.pytest_plugin.eval_state import InputState
    from tierwise.pytest_plugin.state import State
    from tierwise.records import BatchWriter, RunStore, TrialRow
    from tierwise.records.scores import Shared


_PATIENT_S = 3.0
"""Trials that wait longer than this to be written hold up those that have not begun."""
_LOOK_EVERY_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRuns:
    """How often a plan was measured, and what this run goes on with; empty if nothing is kept."""

    number: int | None = None
    n_unjudged: int = 0
    """How many measurements before this one came to no verdict."""
    reused: tuple[Reused, ...] = ()
    reasons: tuple[tuple[str, int], ...] = ()
    """Why the other trials run."""
    remarks: tuple[str, ...] = ()
    """What else to know of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What the trials of this run took of a model, and those that it took over."""

    now: Spending = field(default_factory=Spending)
    before: Spending = field(default_factory=Spending)
    n_cached: int = 0
    """How many trials, of both, were answered from the reply cache alone."""
    number: int | None = None
    """How often the plan was measured, where this run turned out to measure nothing."""


class Keeping:
    """Writes what evals learn; does nothing in a run that is not recorded, such as a dry one."""

    def __init__(self, state: State, *, is_fresh: bool, listen: Listener) -> None:
        self._state = state
        self._listen = listen
        self._is_fresh = is_fresh
        self._is_wanted = state.recording is not None
        self._store: RunStore | None = None
        self._run_id = ""
        self._inputs: InputState | None = None
        self._baselines: set[str] = set()
        self._told: set[str] = set()
        self._shared: dict[str, Mapping[tuple[str, str], Shared]] = {}
        self._writer: BatchWriter[TrialRow] | None = None

    def open(self) -> None:
        """Open the store before the first trial, or refuse to run any."""
        from tierwise.pytest_plugin.eval_state import InputState  # noqa: PLC0415  takes a while
        from tierwise.records import BatchWriter  # noqa: PLC0415  loaded when evals run

        if not self._is_wanted or self._writer is not None:
            return
        store = self._open_store()
        self._inputs = InputState(self._state.config, store, self._run_id)
        self._writer = BatchWriter(
            store.add_trials, size_of=weigh_trial, guard=self._state.sandbox.suspended
        )

    @property
    def is_kept(self) -> bool:
        """Is there a store that trials go to?"""
        return self._store is not None

    def read_baseline(self, name: str) -> BaselineRun:
        """Read the earlier run that is meant, before any trial is spent on a comparison."""
        from tierwise.evals.baseline_reading import BaselineRun  # noqa: PLC0415

        if not self._is_wanted:
            raise EvalUsageError(
                f"--baseline {name}: this run is not recorded, and neither was one before it. Use "
                "`tierwise eval run`, or pytest in a project with a [tool.tierwise] table."
            )
        with self._state.sandbox.suspended():
            store = self._open_store()
            found = BaselineRun.read(store, name, but=self._run_id)
        self._baselines.add(found.run.run_id)
        return found

    def begin(self, job: Job) -> PlanRuns:
        """Keep the job's plan with what it takes over from earlier runs, and count that."""
        from tierwise.evals.keeping import plan_row  # noqa: PLC0415  loaded when evals run
        from tierwise.evals.resuming import choose_source, take_over  # noqa: PLC0415
        from tierwise.evals.unreadable import say_unreadable  # noqa: PLC0415

        store, plan, inputs = self._store, job.plan, self._inputs
        if store is None or inputs is None:
            return PlanRuns()
        self._shared.clear()
        earlier = store.runs_of_eval(plan.eval_id)
        choice = choose_source(
            plan,
            earlier,
            inputs_hash=inputs.hash,
            find_changed=inputs.find_changed,
            is_fresh=self._is_fresh,
            baselines=self._baselines,
        )
        source = choice.source
        rows = () if source is None else store.each_kept_trial(source.run_id, source.plan_hash)
        reuse = take_over(plan, choice, rows)
        row = plan_row(
            plan,
            self._run_id,
            inputs_hash=inputs.hash,
            measurement=reuse.measurement,
        )
        number = store.add_plan(row, reused=reuse.trials)
        remark = say_unreadable(plan)
        self._explain(f"trials run {choice.reason}" if choice.has_changed else "", remark)
        job.is_done = reuse.is_done
        for kept in store.each_kept_trial(self._run_id, plan.hash):
            job.reuse(kept)
        return PlanRuns(
            number=number,
            n_unjudged=store.count_unjudged_runs_of_plan(plan.hash, but=self._run_id),
            reused=reuse.sources(earlier),
            reasons=reuse.reasons,
            remarks=(remark,) if remark else (),
        )

    def _explain(self, *texts: str) -> None:
        """Tell before the trials what is to be known of them, each thing once."""
        from tierwise.domain import RunExplained  # noqa: PLC0415  loaded when evals run

        for text in texts:
            if text and text not in self._told:
                self._told.add(text)
                self._listen(RunExplained(text=text))

    def keep_trial(self, job: Job, result: TrialResult) -> None:
        """Hand a trial to the writer, which commits within 50 ms."""
        from tierwise.evals.keeping import trial_row  # noqa: PLC0415  loaded when evals run

        if self._writer is not None:
            self._writer.put(trial_row(job.plan, result, self._run_id))

    def find_hold(self) -> str:
        """Return why no trial is to start: those that ended could not be written for a while."""
        writer = self._writer
        if writer is None or (behind_s := writer.behind_s) < _PATIENT_S:
            return ""
        cause = "is slow or locked" if writer.hindrance is None else "is locked"
        return (
            f"waiting for the run store {self._state.config.store_path}, which {cause}: for "
            f"{behind_s:.0f} s now {writer.n_unwritten} trials could not be written, and "
            "no other one starts before. Who else uses it?"
        )

    def flush(self) -> None:
        """Wait until each trial that landed is written."""
        from tierwise.evals.holding import Notices  # noqa: PLC0415  loaded when evals run

        if self._writer is not None:
            notices = Notices(self._listen)
            while not self._writer.flush(timeout_s=_LOOK_EVERY_S):
                notices.say(self.find_hold())

    def settle(self, problem: StoreError | None) -> str:
        """Write what is left, once more, after `problem`; return what came of it.

        Without a problem nothing is to be said but what could not be kept.
        """
        writer = self._writer
        try:
            self.close()
        except StoreError as error:
            problem = error
        if problem is None or writer is None or self._store is None:
            return "" if problem is None else str(problem)
        if not isinstance(problem, NotKeptError):
            return str(problem)
        kept = self._store.say_kept("trials", writer.n_unwritten)
        return str(StoreError(f"{problem.problem} {kept}"))

    def recount(self, job: Job) -> Took:
        """Have the job's trials counted anew from the store; return what they took."""
        if self._store is None:
            return Took(now=job.spending.total, n_cached=job.n_cached)
        self.flush()
        job.recount(self._store.each_kept_trial(self._run_id, job.plan.hash))
        now, before = self._store.spending(self._run_id, job.plan.hash)
        if not (now.cached or before.cached):
            return Took(now=now, before=before)
        n_cached = self._store.count_cached(self._run_id, job.plan.hash)
        n_landed = sum(case.n_landed for case in job.tally.of_arm("trial"))
        is_copied = bool(n_cached) and n_cached == n_landed
        number = self._store.mark_copied(self._run_id, job.plan.hash) if is_copied else None
        return Took(now=now, before=before, n_cached=n_cached, number=number)

    def find_shared(self, baseline: Baseline | None, run_id: str, job: Job) -> Baseline | None:
        """Return the baseline with what is one observation there and in this run."""
        if baseline is None or self._store is None:
            return baseline
        if run_id not in self._shared:  # until other trials begin
            self._shared[run_id] = self._store.evals.find_shared(run_id, self._run_id)
        shared = self._shared[run_id].get((baseline.plan_hash, job.plan.hash))
        return baseline if shared is None else replace(baseline, shared=shared)

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

    def _open_store(self) -> RunStore:
        self._store, run_id = self._state.store, self._state.run_id
        if self._store is None or run_id is None:
            complaint = self._state.recording and self._state.recording.complaint
            raise StoreError(
                f"Results cannot be kept, so no trial was run: {complaint or 'there is no store'} "
                "Trials cost time and money, and none is spent on what would be lost."
            )
        self._run_id = run_id
        return self._store


def weigh_trial(row: TrialRow) -> int:
    """Return about how many characters a trial takes in the store."""
    return sum(len(said.prompt_text) + len(said.reply) for said in row.exchanges)
