"""All trials of all evals of a session, in one event loop and under one limit."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.domain import EvalStarted
from tierwise.errors import EvalUsageError
from tierwise.evals.metrics import MetricWatch, explain_unscored
from tierwise.evals.plan import Plan, trials_of
from tierwise.evals.running import Body, Setting, TrialResult, run_trial
from tierwise.evals.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tierwise.domain import Listener
    from tierwise.evals.plan import PlannedTrial

_CLOSING_S = 1.0


@dataclass(slots=True, kw_only=True)
class Job:
    """One eval on its way through the engine."""

    plan: Plan
    body: Body
    setting: Setting
    tally: Tally = field(init=False)
    watch: MetricWatch = field(init=False)
    stopped_by: BaseException | None = None
    """What ended the eval before its plan was done; its other trials are not run."""
    started_at: float | None = None
    duration_s: float = 0.0

    def __post_init__(self) -> None:
        self.tally = Tally(self.plan.cases)
        self.watch = MetricWatch(entry.metric for entry in self.plan.expectations)

    def stop(self, error: BaseException) -> None:
        """End the eval; the first reason stands, since trials in flight may bring more."""
        if self.stopped_by is None:
            self.stopped_by = error

    def count(self, result: TrialResult) -> None:
        """Add a trial that landed."""
        exchanges = result.exchanges
        self.tally.add(
            result.planned.planned.label,
            result.conclusion.outcome,
            result.conclusion.scores,
            message=result.conclusion.message,
            reply=hash(tuple(said.reply for said in exchanges)) if exchanges else None,
        )
        if result.planned.planned.arm == "trial":
            unscored = self.watch.take(result.conclusion.outcome, result.conclusion.scores)
            if unscored is not None:
                self._stop_unscored(unscored)

    def _stop_unscored(self, metric: str) -> None:
        scored = {name for case in self.tally.of_arm("trial") for name in case.metrics}
        is_early = self.tally.n_landed < self.plan.n_to_run
        saved = " The eval was stopped there: its other trials were not run." if is_early else ""
        self.stop(EvalUsageError(explain_unscored(metric, scored) + saved))


class Engine:
    """Runs jobs, up to `concurrency` trials at once across all of them.

    `land` is called in this thread for each trial as it ends, before the next one starts; what it
    raises stops the run. `is_fatal` tells which exceptions of a body end their whole eval.
    """

    def __init__(
        self,
        *,
        concurrency: int,
        land: Callable[[Job, TrialResult], None],
        listen: Listener = lambda _event: None,
        is_fatal: Callable[[BaseException], bool] = lambda _error: False,
    ) -> None:
        self._concurrency = concurrency
        self._land = land
        self._listen = listen
        self._is_fatal = is_fatal
        # The factory keeps the runner from setting the thread's current event loop.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)

    def run(self, jobs: Iterable[Job]) -> None:
        """Run all trials of these jobs; Ctrl-C raises once what is in flight is cancelled."""
        with _first_of_group():
            self._runner.run(self._run(tuple(jobs)))

    def close(self) -> None:
        """End the event loop; a task that does not end by then is left behind."""
        loop = self._runner.get_loop()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=_CLOSING_S))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    async def _run(self, jobs: tuple[Job, ...]) -> None:
        for job in jobs:
            self._listen(EvalStarted(eval_id=job.plan.eval_id, planned=job.plan.n_to_run))
        queue = _trials_of_all(jobs)
        n_trials = sum(job.plan.n_to_run for job in jobs)
        async with asyncio.TaskGroup() as workers:
            for _ in range(min(self._concurrency, n_trials)):
                workers.create_task(self._work(queue))

    async def _work(self, queue: Iterator[tuple[Job, PlannedTrial]]) -> None:
        # The iterator is shared by all workers: each takes the next trial that nobody has.
        for job, planned in queue:
            if job.stopped_by is not None:
                continue
            if job.started_at is None:
                job.started_at = time.perf_counter()
            result = await run_trial(job.body, job.setting, planned)
            job.duration_s = time.perf_counter() - job.started_at
            if result.error is not None and self._is_fatal(result.error):
                job.stop(result.error)
            job.count(result)
            self._land(job, result)


def _trials_of_all(jobs: tuple[Job, ...]) -> Iterator[tuple[Job, PlannedTrial]]:
    for job in jobs:
        for planned in trials_of(job.plan):
            yield job, planned


@contextlib.contextmanager
def _first_of_group() -> Iterator[None]:
    # A task group wraps what stopped it; whoever called wants the cause.
    try:
        yield
    except BaseExceptionGroup as group:
        first: BaseException = group
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from None
