"""The driver: hands trials to workers, counts what comes back, and outlives workers that die."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import WorkerError
from tierwise.evals.remote.agreeing import find_difference
from tierwise.evals.remote.assigning import Assignment
from tierwise.evals.remote.crew import Crew
from tierwise.evals.remote.lending import Lender
from tierwise.evals.remote.messages import (
    AskMoney,
    Cancel,
    CloseGate,
    Ended,
    Landed,
    Raised,
    Rate,
    Ready,
    Settled,
    Ticket,
    Unfit,
)
from tierwise.evals.remote.returning import unpack, unpack_error
from tierwise.evals.remote.sharing import RatePool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.domain import Violation
    from tierwise.evals.job import Job
    from tierwise.evals.planned_trials import PlannedTrial
    from tierwise.evals.purse import Purse
    from tierwise.evals.remote.fleet import Fleet
    from tierwise.evals.remote.messages import News, Share
    from tierwise.evals.running import TrialResult


@dataclass(frozen=True, slots=True, kw_only=True)
class _Awaited:
    """A trial that somebody waits for."""

    planned: PlannedTrial
    future: asyncio.Future[TrialResult]


class RemoteExecutor:
    """Carries trials out on workers, each with its part of the concurrency.

    A worker that dies is replaced and its trials run again, until `most_lost` have died. What a
    worker cannot carry out as the driver would stops the run with a `WorkerError`.
    """

    def __init__(
        self,
        fleet: Fleet,
        *,
        concurrency: int,
        here: Ready,
        purse: Purse | None = None,
        most_lost: int = 3,
        on_violations: Callable[[str, tuple[Violation, ...]], None] = lambda _id, _found: None,
    ) -> None:
        self.complaint = ""
        """What workers said when they ended in another way than well."""
        self._fleet = fleet
        self._concurrency = concurrency
        self._here = here
        self._on_violations = on_violations
        self._assignment = Assignment(most=concurrency)
        self._crew = Crew(
            fleet, most_lost=most_lost, take=self._take, forget=self._forget, fail=self._fail
        )
        self._lender = Lender(purse, self._crew.tell)
        self._pools: dict[str, RatePool] = {}
        self._numbers = itertools.count()
        self._awaited: dict[int, _Awaited] = {}
        self._backlog: deque[Ticket] = deque()
        self._failure: BaseException | None = None

    @property
    def n_lost(self) -> int:
        """How many workers have died so far."""
        return self._crew.n_lost

    async def run(self, job: Job, planned: PlannedTrial) -> TrialResult:
        """Return how the trial ended; cancelling this call ends the trial."""
        if self._failure is not None:
            raise self._failure
        if not self._crew.is_open:
            try:
                self._start()
            except BaseException as error:
                self._failure = error
                raise
        number = next(self._numbers)
        future = asyncio.get_running_loop().create_future()
        self._awaited[number] = _Awaited(planned=planned, future=future)
        self._backlog.append(_ticket(number, job, planned))
        self._hand_out()
        try:
            result: TrialResult = await future
        except asyncio.CancelledError:
            self._give_up(number)
            raise
        return result

    async def close(self) -> None:
        """End the workers: in order when nothing is in flight, else at once."""
        await self._crew.close(at_once=self._failure is not None or bool(self._awaited))

    def _start(self) -> None:
        # Nothing runs yet that would have to wait: workers are reached when the first trial comes.
        n_workers = min(self._fleet.open(), self._concurrency)
        self._assignment = Assignment(most=math.ceil(self._concurrency / n_workers))
        self._crew.start(n_workers)

    def _give_up(self, number: int) -> None:
        self._awaited.pop(number, None)
        worker = self._assignment.finish(number)
        if worker is not None:
            self._crew.tell(worker, Cancel(number=number))
        else:
            self._backlog = deque(each for each in self._backlog if each.number != number)

    def _hand_out(self) -> None:
        while self._backlog:
            worker = self._assignment.assign(self._backlog[0])
            if worker is None:
                return
            self._crew.tell(worker, self._backlog.popleft())

    def _tell_shares(self, shares: Mapping[int, Share]) -> None:
        for worker, share in shares.items():
            self._crew.tell(worker, share)

    def _fail(self, error: BaseException) -> None:
        self._failure = self._failure or error
        for awaited in self._awaited.values():
            if not awaited.future.done():
                awaited.future.set_exception(self._failure)

    def _forget(self, worker: int) -> None:
        """Have the trials of a worker that is gone run elsewhere, before all others."""
        self._lender.drop_worker(worker)
        for pool in self._pools.values():
            self._tell_shares(pool.drop_worker(worker))
        self._backlog.extendleft(reversed(self._assignment.lose(worker)))
        self._hand_out()

    def _take(self, worker: int, news: News) -> bool:
        """Act on what a worker says; return whether it has ended."""
        match news:
            case Landed():
                self._land(news)
            case Rate():
                self._rate(worker, news)
            case AskMoney():
                self._lender.ask(worker, news)
            case Settled():
                self._lender.settle(worker, news)
            case Ready():
                self._welcome(worker, news)
            case Raised():
                self._fail(unpack_error(news.packed))
            case Unfit():
                self._fail(WorkerError(news.reason))
            case Ended():
                self._end(news)
                return True
        return False

    def _welcome(self, worker: int, there: Ready) -> None:
        difference = find_difference(self._here, there)
        if difference:
            self._fail(
                WorkerError(
                    f"The worker at {there.place} cannot take part: {difference}. Its trials "
                    "would not be those of this plan. Give all machines the same code, packages "
                    "and Python."
                )
            )
            return
        self._lender.add_worker(worker)
        self._assignment.add_worker(worker)
        for pool in self._pools.values():
            self._tell_shares(pool.add_worker(worker))
        self._hand_out()

    def _land(self, landed: Landed) -> None:
        if self._assignment.finish(landed.number) is None:
            return
        awaited = self._awaited.pop(landed.number)
        result, violations = unpack(awaited.planned, landed.packed)
        if violations:
            self._on_violations(violations[0].subject, violations)
        if not awaited.future.done():
            awaited.future.set_result(result)
        self._hand_out()

    def _rate(self, worker: int, rate: Rate) -> None:
        pool = self._pools.get(rate.provider)
        if pool is None:
            pool = self._pools[rate.provider] = RatePool(rate.provider, ceiling=self._concurrency)
            for each in self._crew.workers:
                self._tell_shares(pool.add_worker(each))
        if rate.retry_after_s is not None:
            self._crew.tell(None, CloseGate(provider=rate.provider, seconds=rate.retry_after_s))
        self._tell_shares(pool.take(worker, rate))

    def _end(self, ended: Ended) -> None:
        if not self._crew.is_stopping:
            said = f":\n{ended.output}" if ended.output else "."
            self._fail(
                WorkerError(
                    f"A worker could not carry out evals; its pytest session ended with exit code "
                    f"{ended.exit_code}{said}"
                )
            )
        elif ended.exit_code:
            self.complaint = (
                f"A worker's session ended with exit code {ended.exit_code}:\n{ended.output}"
            )


def _ticket(number: int, job: Job, planned: PlannedTrial) -> Ticket:
    return Ticket(
        number=number,
        eval_id=job.plan.eval_id,
        provider=job.plan.provider,
        plan_hash=job.plan.hash,
        arm=planned.planned.arm,
        case_id=planned.planned.label,
        index=planned.index,
        key=planned.key,
        seed=planned.seed,
    )
