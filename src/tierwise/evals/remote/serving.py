"""The worker: takes trials by their names, carries them out, and sends back what they came to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tierwise.evals.exiting import run_past_exits
from tierwise.evals.planned_trials import TrialMaker
from tierwise.evals.remote.messages import (
    Cancel,
    CloseGate,
    GiveBack,
    Granted,
    Landed,
    Raised,
    Refused,
    Share,
    Stop,
    Ticket,
    Unfit,
)
from tierwise.evals.remote.returning import pack, pack_error
from tierwise.evals.running import run_trial
from tierwise.evals.waiting import pause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tierwise.domain import Violation
    from tierwise.evals.job import Job
    from tierwise.evals.plan import Plan
    from tierwise.evals.planned_trials import PlannedTrial
    from tierwise.evals.remote.leased_limiter import LeasedLimiter
    from tierwise.evals.remote.leased_purse import LeasedPurse
    from tierwise.evals.remote.mailbox import Mailbox
    from tierwise.evals.remote.messages import News, Order

_TICK_S = 0.02
"""How often a worker says how its calls went; a busy vendor is told at once."""


class Server:
    """Carries out the trials of those evals whose jobs it was given, on one event loop."""

    def __init__(
        self,
        inbox: Mailbox[Order],
        outbox: Mailbox[News],
        *,
        limiters: dict[str, LeasedLimiter],
        purse: LeasedPurse | None,
        take_violations: Callable[[str], tuple[Violation, ...]] = lambda _id: (),
    ) -> None:
        self.is_stopped = False
        self._inbox, self._outbox = inbox, outbox
        self._limiters, self._purse = limiters, purse
        self._take_violations = take_violations
        self._jobs: dict[tuple[str, str], _Known] = {}
        self._evals: set[str] = set()
        self._running: dict[int, asyncio.Task[None]] = {}
        self._held: list[Ticket] = []
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)

    def add(self, jobs: Iterable[Job]) -> None:
        """Take the trials of these jobs too from now on."""
        for job in jobs:
            self._jobs[job.plan.eval_id, job.plan.provider] = _Known(job)
            self._evals.add(job.plan.eval_id)

    def serve(self) -> str | None:
        """Carry trials out until one of another eval comes; return that, or None at the end."""
        return run_past_exits(self._runner, self._serve())

    def close(self) -> None:
        """End the event loop."""
        self._runner.close()

    def refuse_held(self, reason: str) -> None:
        """Say that trials of other evals, which have come already, cannot be carried out."""
        held, self._held = self._held, []
        self._outbox.put_all(Unfit(number=ticket.number, reason=reason) for ticket in held)

    async def _serve(self) -> str | None:
        ticking = asyncio.create_task(self._tick())
        try:
            held, self._held = self._held, []
            self._act_all(held)
            while not self.is_stopped and not (self._held and not self._running):
                self._act_all(await self._inbox.take())
        finally:
            ticking.cancel()
        return None if self.is_stopped else self._held[0].eval_id

    def _act_all(self, orders: Sequence[Order]) -> None:
        for order in orders:
            self._act(order)

    def _act(self, order: Order) -> None:
        match order:
            case Ticket():
                self._begin(order)
            case Cancel():
                if task := self._running.get(order.number):
                    task.cancel()
            case Stop():
                self.is_stopped = True
            case _:
                self._act_on_lease(order)

    def _act_on_lease(self, order: Order) -> None:
        match order:
            case Granted() | Refused():
                if self._purse is not None:
                    self._purse.take_answer(order)
            case GiveBack():
                if self._purse is not None:
                    self._purse.give_back()
            case Share():
                if limiter := self._limiters.get(order.provider):
                    limiter.take_share(order)
            case CloseGate():
                if limiter := self._limiters.get(order.provider):
                    limiter.take_gate(order)

    def _begin(self, ticket: Ticket) -> None:
        if ticket.eval_id not in self._evals:
            self._held.append(ticket)
            return
        known = self._jobs.get((ticket.eval_id, ticket.provider))
        planned = None if known is None else known.find(ticket)
        if known is None or planned is None:
            plan = None if known is None else known.job.plan
            self._outbox.put(Unfit(number=ticket.number, reason=_explain(ticket, plan)))
            return
        task = asyncio.get_running_loop().create_task(self._carry_out(ticket, known.job, planned))
        self._running[ticket.number] = task

    async def _carry_out(self, ticket: Ticket, job: Job, planned: PlannedTrial) -> None:
        try:
            result = await run_trial(job.body, job.setting, planned)
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  the driver decides what becomes of the run
            self._outbox.put(Raised(number=ticket.number, packed=pack_error(error)))
        else:
            packed = pack(result, self._take_violations(ticket.eval_id))
            self._outbox.put(Landed(number=ticket.number, packed=packed))
        finally:
            del self._running[ticket.number]
            if self._held and not self._running:
                self._inbox.put(Cancel(number=ticket.number))  # wakes the loop, and nothing else

    async def _tick(self) -> None:
        """Say now and then how calls went, for many of them at once."""
        while True:
            for limiter in tuple(self._limiters.values()):
                limiter.flush()
            await pause(_TICK_S)


def _explain(ticket: Ticket, plan: Plan | None) -> str:
    here = "no plan of it" if plan is None else f"plan {plan.hash[:12]}"
    if plan is not None and plan.hash == ticket.plan_hash:
        here = f"the same, with another trial {ticket.index} of case {ticket.case_id!r}"
    return (
        f"A worker sees another version of the code: the driver's plan of {ticket.eval_id} with "
        f"{ticket.provider} is {ticket.plan_hash[:12]}, the worker has {here}. Nothing is mixed; "
        "give all machines the same code."
    )


class _Known:
    """A job with its cases by their labels."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._makers = {
            (str(planned.arm), planned.label): TrialMaker(job.plan, planned)
            for planned in job.plan.cases
        }

    def find(self, ticket: Ticket) -> PlannedTrial | None:
        """Return the trial that is meant; None when the plan here is another one."""
        maker = self._makers.get((ticket.arm, ticket.case_id))
        if maker is None or self.job.plan.hash != ticket.plan_hash:
            return None
        planned = maker.make(ticket.index)
        return planned if (planned.key, planned.seed) == (ticket.key, ticket.seed) else None
