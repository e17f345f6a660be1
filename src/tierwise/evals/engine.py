"""All trials of all evals of a session, in one event loop and under one limit."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from tierwise.domain import EvalStarted, StopRequested
from tierwise.evals.collector import calm_collector
from tierwise.evals.executing import LocalExecutor
from tierwise.evals.interrupting import Interrupts
from tierwise.evals.queueing import TrialQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tierwise.domain import Listener
    from tierwise.evals.executing import Executor
    from tierwise.evals.job import Job
    from tierwise.evals.purse import Purse
    from tierwise.evals.running import TrialResult

_CLOSING_S = 1.0


class Engine:
    """Runs jobs, up to `concurrency` trials at once across all of them.

    `land` is called in this thread for each trial as it ends, before the next one starts; what it
    raises stops the run. No trial starts of an eval whose budget in `purse` is reached, nor after
    the first Ctrl-C: those in flight end, and `is_interrupted` says so. The second one raises.
    """

    def __init__(
        self,
        *,
        concurrency: int,
        land: Callable[[Job, TrialResult], None],
        listen: Listener = lambda _event: None,
        executor: Executor | None = None,
        purse: Purse | None = None,
    ) -> None:
        self.is_interrupted = False
        self._concurrency = concurrency
        self._land = land
        self._listen = listen
        self._executor = LocalExecutor() if executor is None else executor
        self._purse = purse
        self._n_in_flight = 0
        # The factory keeps the runner from setting the thread's current event loop.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)

    def run(self, jobs: Iterable[Job]) -> None:
        """Run what is to be run of these jobs."""
        running = tuple(jobs)
        queue = TrialQueue(running, find_cut=self._find_cut)
        if self._purse is not None:
            self._purse.start()
        with calm_collector(), _first_of_group(), Interrupts(lambda: self._let_end(queue)):
            self._runner.run(self._run(running, queue))

    def close(self) -> None:
        """End the event loop; a task that does not end by then is left behind."""
        loop = self._runner.get_loop()
        loop.run_until_complete(self._executor.close())
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=_CLOSING_S))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    async def _run(self, jobs: tuple[Job, ...], queue: TrialQueue) -> None:
        for job in jobs:
            # What earlier runs have made may settle an eval: then nothing of it is to run.
            planned = job.n_reused if job.is_over else job.plan.n_to_run
            started = EvalStarted(
                eval_id=job.plan.eval_id,
                provider=job.plan.provider,
                planned=planned,
                reused=job.n_reused,
            )
            self._listen(started)
        n_trials = sum(job.n_to_run for job in jobs)
        async with asyncio.TaskGroup() as workers:
            for _ in range(min(self._concurrency, n_trials)):
                workers.create_task(self._work(queue))

    async def _work(self, queue: TrialQueue) -> None:
        # The queue is shared by all workers: each takes the next trial that nobody has.
        while (found := queue.next()) is not None:
            job, planned = found
            self._n_in_flight += 1
            try:
                result = await self._executor.run(job, planned)
            finally:
                self._n_in_flight -= 1
            job.land(result)
            self._land(job, result)

    def _find_cut(self, job: Job) -> str | None:
        return None if self._purse is None else self._purse.reached(job.plan.eval_id)

    def _let_end(self, queue: TrialQueue) -> None:
        queue.close()
        self.is_interrupted = True
        # Told by the loop: the signal may have come in the middle of a line that is printed.
        stop = StopRequested(n_in_flight=self._n_in_flight)
        self._runner.get_loop().call_soon_threadsafe(self._listen, stop)


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
