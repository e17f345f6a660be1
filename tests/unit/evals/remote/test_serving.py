"""The worker: trials by their names, and nothing that the driver did not mean."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Capability, Outcome, Violation
from tierwise.evals.planned_trials import trials_of
from tierwise.evals.remote.executor import _ticket
from tierwise.evals.remote.leased_limiter import LeasedLimiter
from tierwise.evals.remote.mailbox import Mailbox
from tierwise.evals.remote.messages import (
    Cancel,
    CloseGate,
    Landed,
    News,
    Order,
    Raised,
    Share,
    Stop,
    Unfit,
)
from tierwise.evals.remote.returning import unpack, unpack_error
from tierwise.evals.remote.serving import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.evals.job import Job

    Made = Callable[..., Job]
    Desks = Callable[..., "Desk"]

TOUCH = Violation(
    capability=Capability.NETWORK, target="x:1", subject="e", tier="t", stack=(), event="connect"
)


class Desk:
    """A worker with its two boxes."""

    def __init__(self, *jobs: Job, **more: Any) -> None:
        self.inbox: Mailbox[Order] = Mailbox()
        self.outbox: Mailbox[News] = Mailbox()
        settings: dict[str, Any] = {"limiters": {}, "purse": None, **more}
        self.server = Server(self.inbox, self.outbox, **settings)
        self.server.add(jobs)

    def serve(self, *orders: Order) -> tuple[str | None, list[News]]:
        """Give orders; return which eval is wanted next, and what was said."""
        self.inbox.put_all(orders)
        wanted = self.server.serve()
        said = list(self.outbox._letters)
        self.outbox._letters.clear()
        return wanted, said


@pytest.fixture
def make_desk() -> Iterator[Callable[..., Desk]]:
    """Make workers whose loops end with the test."""
    desks: list[Desk] = []

    def make(*jobs: Job, **more: Any) -> Desk:
        desks.append(Desk(*jobs, **more))
        return desks[-1]

    yield make
    for desk in desks:
        desk.server.close()


def test_a_trial_is_carried_out_and_sent_back(make_job: Made, make_desk: Desks) -> None:
    """With its number, its scores and what it touched."""

    async def body(trial: Any) -> None:
        trial.score(leak=trial.index == 1)
        if trial.index == 1:
            desk.inbox.put(Stop())

    job = make_job(function=body)
    planned = list(trials_of(job.plan))
    desk = make_desk(job, take_violations=lambda _id: (TOUCH,))
    tickets = [_ticket(number, job, planned[number]) for number in (0, 1)]
    wanted, said = desk.serve(*tickets)
    landed = [news for news in said if isinstance(news, Landed)]
    assert wanted is None
    result, violations = unpack(planned[0], landed[0].packed)
    assert (landed[0].number, result.conclusion.scores["leak"], violations) == (0, False, (TOUCH,))


@pytest.mark.parametrize("change", [{"source": "old"}, {"trials": 7}], ids=["code", "trials"])
def test_a_trial_of_another_version_of_the_code_is_refused(
    make_job: Made, make_desk: Desks, change: dict[str, Any]
) -> None:
    """Both hashes are named, and nothing is carried out."""
    here, there = make_job(), make_job(**change)
    ticket = _ticket(7, there, next(trials_of(there.plan)))
    _, said = make_desk(here).serve(ticket, Stop())
    (unfit,) = said
    assert isinstance(unfit, Unfit)
    assert unfit.number == 7
    assert there.plan.hash[:12] in unfit.reason
    assert here.plan.hash[:12] in unfit.reason
    assert "another version of the code" in unfit.reason


def test_a_trial_of_another_eval_ends_the_turn_and_is_kept_for_later(
    make_job: Made, make_desk: Desks
) -> None:
    """What that eval needs is set up first, and then it is carried out."""

    async def body(trial: Any) -> None:
        trial.score(leak=False)
        desk.inbox.put(Stop())

    job = make_job(function=body)
    ticket = _ticket(3, job, next(trials_of(job.plan)))
    desk = make_desk()
    assert desk.serve(ticket) == ("e", [])
    desk.server.add([job])
    wanted, said = desk.serve()
    assert (wanted, [type(news) for news in said]) == (None, [Landed])


def test_what_is_held_at_the_end_is_refused_in_words(make_job: Made, make_desk: Desks) -> None:
    """Its fixtures failed here, or it was skipped: the driver must not wait for ever."""
    job = make_job()
    desk = make_desk()
    desk.serve(_ticket(3, job, next(trials_of(job.plan))))
    desk.server.refuse_held("its fixture failed")
    assert desk.outbox._letters == [Unfit(number=3, reason="its fixture failed")]


def test_a_cancelled_trial_ends_without_a_word(make_job: Made, make_desk: Desks) -> None:
    """Nobody waits for it any more."""

    async def body(trial: Any) -> None:
        desk.inbox.put(Cancel(number=0))
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            desk.inbox.put(Stop())

    job = make_job(function=body)
    desk = make_desk(job)
    _, said = desk.serve(_ticket(0, job, next(trials_of(job.plan))))
    assert said == []


def test_what_has_to_stop_a_run_travels(make_job: Made, make_desk: Desks) -> None:
    """Such as `pytest.exit`, which the plugin lets through."""

    class Exit(BaseException):
        pass

    def explain(error: BaseException) -> Any:
        desk.inbox.put(Stop())
        raise KeyError(str(error))

    async def body(trial: Any) -> None:
        raise Exit("enough")

    job = make_job(function=body)
    job = replace(job, setting=replace(job.setting, explain=explain))
    desk = make_desk(job)
    _, said = desk.serve(_ticket(0, job, next(trials_of(job.plan))))
    (raised,) = said
    assert isinstance(raised, Raised)
    assert repr(unpack_error(raised.packed)) == "KeyError('enough')"


def test_shares_and_gates_reach_the_limiter_that_they_are_for(make_desk: Desks) -> None:
    """And an unknown one is nobody's."""
    limiters: dict[str, LeasedLimiter] = {}
    limiter = LeasedLimiter("v", lambda _rate: None, limiters, clock=lambda: 0.0)
    orders = [
        Share(provider="v", limit=3, epoch=0),
        Share(provider="w", limit=9, epoch=0),
        CloseGate(provider="v", seconds=2.0),
        CloseGate(provider="w", seconds=9.0),
    ]
    make_desk(limiters=limiters).serve(*orders, Stop())
    assert (limiter.limit, limiter.closed_for_s()) == (3, 2.0)


def test_outcomes_are_those_of_a_local_trial(make_job: Made, make_desk: Desks) -> None:
    """An assertion that does not hold is a failure there too."""

    async def body(trial: Any) -> None:
        desk.inbox.put(Stop())
        assert trial.index, "the first one fails"

    job = make_job(function=body)
    planned = next(trials_of(job.plan))
    desk = make_desk(job)
    _, said = desk.serve(_ticket(0, job, planned))
    assert isinstance(said[0], Landed)
    assert unpack(planned, said[0].packed)[0].conclusion.outcome is Outcome.FAILED
