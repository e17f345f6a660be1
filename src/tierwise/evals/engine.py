"""All trials of all evals of a session, in one event loop and under one limit."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from tierwise.domain import EvalStarted, StopRequested
from tierwise.evals.blocking import BlockWatch, keep_alive
from tierwise.evals.collector import calm_collector
from tierwise.evals.executing import LocalExecutor
from tierwise.evals.exiting import run_past_endings, run_past_exits
from tierwise.evals.holding import Notices
from tierwise.evals.interrupting import Interrupts, start_deadline
from tierwise.evals.queueing import TrialQueue
from tierwise.evals.waiting import pause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tierwise.domain import Listener
    from tierwise.evals.calling import Caller
    from tierwise.evals.executing import Executor
    from tierwise.evals.job import Job
    from tierwise.evals.planned_trials import PlannedTrial
    from tierwise.evals.purse import Purse
    from tierwise.evals.running import TrialResult

_CLOSING_S = 1.0
_LOOK_EVERY_S = 1.0
_LOOK_AGAIN_S = 0.1


class Engine:
    """Runs jobs, up to `concurrency` trials at once across all of them.

    `land` is called in this thread for each trial as it ends, before the next one starts; what it
    raises stops the run. No trial starts of an eval whose budget in `purse` is reached, nor after
    the first Ctrl-C: those in flight end, and `is_interrupted` says so. The second one raises.
    None starts either while `find_hold` names something that has to pass first. `give_up` is
    called from another thread where a trial lets even the second Ctrl-C not end it.
    """

    def __init__(
        self,
        *,
        concurrency: int,
        land: Callable[[Job, TrialResult], None],
        listen: Listener = lambda _event: None,
        executor: Executor | None = None,
        purse: Purse | None = None,
        find_hold: Callable[[], str] = lambda: "",
        give_up: Callable[[], None] = lambda: None,
    ) -> None:
        self.is_interrupted = False
        self._give_up = give_up
        self._is_broken_off = False
        self._find_hold = find_hold
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
        interrupts = Interrupts(lambda: self._let_end(queue), give_up=self._give_up)
        with calm_collector(), _first_of_group(), interrupts:
            try:
                run_past_exits(self._runner, self._run(running, queue))
            except KeyboardInterrupt:
                self._is_broken_off = True
                raise

    def close(self) -> None:
        """End the event loop; a task that does not end by then is left behind."""
        loop = self._runner.get_loop()
        # What was broken off may block as soon as the loop turns again.
        deadline = start_deadline(self._give_up) if self._is_broken_off else None
        left = asyncio.all_tasks(loop)
        run_past_endings(loop, self._executor.close(), left)
        for task in (left := asyncio.all_tasks(loop)):
            task.cancel()
        if left:
            waiting = asyncio.wait(left, timeout=_CLOSING_S)
            _, left = run_past_endings(loop, waiting, left)
        if left:
            keep_alive(left)
        loop.run_until_complete(loop.shutdown_asyncgens())
        if deadline is not None:
            deadline.cancel()
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
        notices = Notices(self._listen)
        telling = asyncio.create_task(self._tell_holds(jobs, notices))
        root = next((job.setting.root for job in jobs), None)
        try:
            with BlockWatch(notices.say, root=root):
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(self._concurrency, n_trials)):
                        workers.create_task(self._work(queue))
        finally:
            telling.cancel()

    async def _tell_holds(self, jobs: tuple[Job, ...], notices: Notices) -> None:
        n_before = -1
        callers = {id(job.setting.caller): job.setting.caller for job in jobs}.values()
        while True:
            await pause(_LOOK_EVERY_S)
            n_landed = sum(job.n_landed for job in jobs)
            # While trials end, calls that are tried again now and then are no news.
            held = "" if n_landed > n_before else "; ".join(say_held(callers))
            n_before = n_landed
            notices.say(self._find_hold() or held)

    async def _next(self, queue: TrialQueue) -> tuple[Job, PlannedTrial] | None:
        while not queue.is_closed and self._find_hold():
            await pause(_LOOK_AGAIN_S)
        return queue.next()

    async def _work(self, queue: TrialQueue) -> None:
        # The queue is shared by all workers: each takes the next trial that nobody has.
        while (found := await self._next(queue)) is not None:
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


def say_held(callers: Iterable[Caller | None]) -> Iterator[str]:
    """Yield what calls wait for, a line for each provider, those asked beside it included."""
    for caller in callers:
        if caller is not None:
            yield from caller.say_held()


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
