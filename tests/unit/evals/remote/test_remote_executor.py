"""The driver: what it hands out, what it counts, and what it does when workers die."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import WorkerError
from tierwise.evals.budget import Budget, Cost
from tierwise.evals.planned_trials import trials_of
from tierwise.evals.purse import Purse
from tierwise.evals.remote.executor import RemoteExecutor
from tierwise.evals.remote.messages import (
    AskMoney,
    Cancel,
    CloseGate,
    Ended,
    Granted,
    Raised,
    Rate,
    Ready,
    Share,
    Stop,
    Ticket,
    Unfit,
)
from tierwise.evals.remote.returning import pack_error
from tierwise.evals.waiting import pause

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.evals.job import Job
    from tierwise.evals.running import TrialResult

    Made = Callable[..., Any]


async def run_all(executor: RemoteExecutor, job: Job) -> list[TrialResult]:
    """Run all trials at once, then end the workers."""
    try:
        running = (executor.run(job, planned) for planned in trials_of(job.plan))
        return list(await asyncio.gather(*running))
    finally:
        await executor.close()


@pytest.fixture
def drive(make_fleet: Made, make_job: Made, here: Ready) -> Callable[..., Any]:
    """Run a job's trials on fake workers; return the results and the fleet."""

    def run(act: Any, *, trials: int = 6, ready: Ready = here, **more: Any) -> Any:
        job = make_job(trials)
        fleet = make_fleet(lambda link, order: act(job, link, order), ready=ready)
        settings: dict[str, Any] = {"concurrency": 4, "here": here, **more}
        executor = RemoteExecutor(fleet, **settings)
        return asyncio.run(run_all(executor, job)), fleet, executor

    return run


def land(job: Job, link: Any, order: Any) -> None:
    """Carry out what is asked for."""
    if isinstance(order, Ticket):
        link.land(order, job)


def test_each_trial_is_carried_out_once_and_all_workers_take_part(drive: Made) -> None:
    """Results belong to the trial that they were asked for; workers end in order."""
    results, fleet, _ = drive(land)
    assert [result.planned.index for result in results] == list(range(6))
    taken = [len(link.taken) for link in fleet.links]
    assert (len(taken), sum(taken), all(taken)) == (2, 6, True)
    assert all(isinstance(link.orders[-1], Stop) for link in fleet.links)
    assert fleet.is_closed


def test_no_worker_has_more_than_its_part_of_the_concurrency(
    make_fleet: Made, make_job: Made, here: Ready
) -> None:
    """The first one that is ready leaves the part of the other for it."""

    async def scenario() -> tuple[int, int]:
        job = make_job(4)
        late = asyncio.Event()
        fleet = make_fleet(lambda _link, _order: None)
        start = fleet.start

        async def start_in_turn(number: int) -> Any:
            if fleet.links:
                await late.wait()
            return await start(number)

        fleet.start = start_in_turn
        executor = RemoteExecutor(fleet, concurrency=4, here=here)
        running = [asyncio.ensure_future(executor.run(job, each)) for each in trials_of(job.plan)]
        await pause(0.01)
        taken = len(fleet.links[0].taken)
        late.set()
        await pause(0.01)
        for task in running:
            task.cancel()
        await asyncio.wait(running)
        await executor.close()
        return taken, len(fleet.links[1].taken)

    assert asyncio.run(scenario()) == (2, 2)


def test_the_trials_of_a_dead_worker_run_again_and_count_once(drive: Made) -> None:
    """One of them had landed before: that one is not repeated."""
    died: list[int] = []

    def act(job: Job, link: Any, order: Any) -> None:
        if not died:
            link.land(order, job)
            died.append(order.index)
            link.die()
        elif not link.is_dead:
            link.land(order, job)

    results, fleet, executor = drive(act)
    assert sorted(result.planned.index for result in results) == list(range(6))
    assert (executor.n_lost, len(fleet.links)) == (1, 3)


def test_too_many_deaths_stop_the_run_with_the_number(drive: Made) -> None:
    """A trial that kills its process would go on killing."""

    def act(_job: Job, link: Any, _order: Any) -> None:
        link.die()

    with pytest.raises(WorkerError, match=r"3 workers died in this run.*it died"):
        drive(act, most_lost=2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"versions": {"Python": "3.12.1"}}, "it has Python 3.12.1, the driver has 3.11.0"),
        ({"evals": frozenset()}, "without the eval e"),
    ],
)
def test_a_worker_that_sees_something_else_is_refused(
    drive: Made, here: Ready, change: dict[str, Any], said: str
) -> None:
    """Its trials would be others."""
    with pytest.raises(WorkerError, match=said):
        drive(land, ready=replace(here, **change))


def test_a_file_that_differs_is_named(drive: Made, here: Ready) -> None:
    """With both hashes; one that only one side has loaded is no difference."""
    ours = replace(here, modules={"a.py": "1" * 64, "b.py": "2" * 64})
    theirs = replace(here, modules={"a.py": "3" * 64, "c.py": "4" * 64})
    with pytest.raises(WorkerError, match=r"a\.py is 3{12} there and 1{12} here"):
        drive(land, ready=theirs, here=ours)
    drive(land, ready=replace(theirs, modules={"c.py": "4" * 64}), here=ours)


@pytest.mark.parametrize(
    ("say", "error", "said"),
    [
        (
            lambda order: Unfit(number=order.number, reason="another plan"),
            WorkerError,
            "another plan",
        ),
        (
            lambda _order: Ended(exit_code=4, output="ImportError: gone"),
            WorkerError,
            "(?s)exit code 4:.*ImportError: gone",
        ),
        (
            lambda order: Raised(number=order.number, packed=pack_error(KeyboardInterrupt())),
            KeyboardInterrupt,
            "^$",
        ),
    ],
    ids=["unfit", "ended", "raised"],
)
def test_what_no_other_worker_can_mend_stops_the_run(
    drive: Made, say: Any, error: type[BaseException], said: str
) -> None:
    """At once, and nobody waits any longer."""

    def act(_job: Job, link: Any, order: Any) -> None:
        if isinstance(order, Ticket):
            link.news.put(say(order))

    with pytest.raises(error, match=said):
        drive(act)


def test_a_trial_that_nobody_waits_for_is_cancelled_there(
    make_fleet: Made, make_job: Made, here: Ready
) -> None:
    """Its worker is told, and a result that comes all the same counts for nothing."""

    async def scenario() -> Any:
        job = make_job()
        fleet = make_fleet(lambda _link, _order: None, n_workers=1)
        executor = RemoteExecutor(fleet, concurrency=4, here=here)
        running = asyncio.ensure_future(executor.run(job, next(trials_of(job.plan))))
        while not (fleet.links and fleet.links[0].taken):  # noqa: ASYNC110  turns of the loop
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait([running])
        link = fleet.links[0]
        link.land(link.taken[0], job)
        await executor.close()
        return link.orders

    assert [type(order) for order in asyncio.run(scenario())] == [Ticket, Cancel, Stop]


def test_a_gate_that_one_worker_sees_closed_is_closed_for_all(drive: Made) -> None:
    """And both get their shares of the provider's limit."""
    told: dict[int, list[Any]] = {}

    def act(job: Job, link: Any, order: Any) -> None:
        told.setdefault(link.number, []).append(order)
        if isinstance(order, Ticket) and order.index == 0:
            link.news.put(
                Rate(
                    provider="v",
                    epoch=0,
                    in_flight=1,
                    waiting=0,
                    is_busy=True,
                    retry_after_s=9.0,
                )
            )
        land(job, link, order)

    drive(act)
    last = []
    for orders in told.values():
        assert CloseGate(provider="v", seconds=9.0) in orders
        last.append([order for order in orders if isinstance(order, Share)][-1])
    assert sum(share.limit for share in last) == 2
    assert {share.epoch for share in last} == {1}


def test_money_of_a_dead_worker_counts_as_spent(drive: Made) -> None:
    """A block was lent and its calls are nobody's knowledge any more."""
    purse = Purse(Budget(calls=100))
    died: list[int] = []

    def act(job: Job, link: Any, order: Any) -> None:
        if isinstance(order, Ticket) and not died:
            died.append(link.number)
            each = Cost(calls=1)
            link.news.put(AskMoney(ask=1, eval_id="e", each=each, calls=8, is_guess=False))
        elif isinstance(order, Granted):
            link.die()
        elif link.number not in died:
            land(job, link, order)

    drive(act, purse=purse)
    assert purse.spent() == Cost(calls=8)
