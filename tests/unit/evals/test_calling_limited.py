"""Calls under a limit: they wait for a place, for the vendor, and not for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from plain_vendor import ASK, BUSY, FINE, Vendor, tick

from tierwise.evals.calling import Called, Caller, Course
from tierwise.evals.limiting import Limiter
from tierwise.evals.retrying import RetryPolicy
from tierwise.evals.waiting import Waiting
from tierwise.providers import Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any


def test_calls_wait_for_a_place_in_flight(jumping: Run) -> None:
    """The wait is kept with the attempt that it held back, and is no working time."""
    vendor = Vendor(FINE, FINE, takes_s=3.0)

    async def scenario(clock: Callable[[], float]) -> tuple[list[float], float]:
        caller = Caller(vendor, limiter=Limiter(ceiling=1, clock=clock), clock=clock)
        course = Course(waiting=Waiting(clock))
        await asyncio.gather(
            caller.call(ASK, eval_id="e", index=0),
            caller.call(ASK, eval_id="e", index=1, course=course),
        )
        return [attempt.waited_s for attempt in course.attempts], course.waiting.waited_s

    assert jumping(scenario) == ([3.0], 3.0)


def test_retry_after_holds_all_calls_back(jumping: Run) -> None:
    """Those that begin later too, and they do not return in one moment."""
    busy = Failure(kind=FailureKind.BUSY, message="later", retry_after_s=20.0)
    vendor = Vendor(busy, FINE, FINE, FINE)
    chances = iter([0.0, 0.1, 0.2, 0.9])

    async def scenario(clock: Callable[[], float]) -> int:
        limiter = Limiter(ceiling=8, clock=clock, chance=lambda: next(chances))
        caller = Caller(
            vendor, limiter=limiter, clock=clock, chance=lambda: 0.0, retry=RetryPolicy()
        )
        first = asyncio.create_task(caller.call(ASK, eval_id="e", index=0))
        await tick(1.0)
        others = [caller.call(ASK, eval_id="e", index=n) for n in (1, 2)]
        await asyncio.gather(first, *others)
        return limiter.n_in_flight

    assert jumping(scenario) == 0
    assert vendor.times == pytest.approx([0.0, 20.0, 20.0, 20.2])


@pytest.mark.parametrize(
    ("reply", "limit"),
    [
        (BUSY, 2),
        (FINE, 5),
        (Failure(kind=FailureKind.REFUSED, message="no", text="no"), 5),
        (Failure(kind=FailureKind.UNAVAILABLE, message="down"), 4),
    ],
    ids=["busy", "answer", "refusal", "down"],
)
def test_the_limit_follows_what_the_vendor_says(jumping: Run, reply: Any, limit: int) -> None:
    """Busy halves it, whatever the model itself said raises it, and trouble tells nothing."""

    async def scenario(clock: Callable[[], float]) -> int:
        limiter = Limiter(ceiling=8, start=4, clock=clock)
        caller = Caller(Vendor(*[reply] * 5), limiter=limiter, clock=clock)
        for index in range(5 if limit > 4 else 1):
            await caller.call(ASK, eval_id="e", index=index)
        return limiter.limit

    assert jumping(scenario) == limit


def test_a_gate_that_stays_closed_too_long_ends_calls_at_once(jumping: Run) -> None:
    """A thousand trials are not held for an hour each: the vendor was busy."""
    busy = Failure(kind=FailureKind.BUSY, message="later", retry_after_s=3600.0)
    vendor = Vendor(busy)

    async def scenario(clock: Callable[[], float]) -> tuple[Called[Any], float, int]:
        limiter = Limiter(ceiling=8, clock=clock)
        caller = Caller(vendor, limiter=limiter, clock=clock, retry=RetryPolicy())
        await caller.call(ASK, eval_id="e", index=0)
        return await caller.call(ASK, eval_id="e", index=1), clock(), limiter.n_in_flight

    found, time_s, n_in_flight = jumping(scenario)
    assert isinstance(found.reply, Failure)
    assert (found.reply.kind, found.reply.attempts) == (FailureKind.BUSY, 0)
    assert found.reply.message == (
        "the vendor asked to be left alone, for longer than the 180 s for which one call is held "
        "back"
    )
    assert (found.attempts, time_s, n_in_flight) == ((), 0.0, 0)


@pytest.mark.parametrize(
    "failure",
    [
        Failure(kind=FailureKind.BUSY, message="later", retry_after_s=60.0),
        BUSY,
        Failure(kind=FailureKind.UNAVAILABLE, message="down"),
    ],
    ids=["busy for a minute", "busy", "down"],
)
@pytest.mark.parametrize("retries", [0, 8])
def test_a_vendor_that_answers_nobody_is_not_waited_for_by_each_trial_in_turn(
    jumping: Run, failure: Failure, retries: int
) -> None:
    """200 trials end within minutes, each with its reason, and not after 200 times a minute."""

    async def scenario(clock: Callable[[], float]) -> tuple[list[Called[Any]], float]:
        caller = Caller(
            Vendor(*[failure] * 5000),
            limiter=Limiter(ceiling=10, clock=clock),
            retry=RetryPolicy(retries=retries),
            clock=clock,
        )
        at_once = asyncio.Semaphore(10)

        async def trial(index: int) -> Called[Any]:
            async with at_once:
                return await caller.call(ASK, eval_id="e", index=index)

        found = await asyncio.gather(*[trial(index) for index in range(200)])
        return found, clock()

    found, took_s = jumping(scenario)
    kinds = {each.reply.kind for each in found if isinstance(each.reply, Failure)}
    assert kinds == {failure.kind}
    assert len(found) == 200
    assert took_s < 180 + 120
    if took_s > 180:
        assert "answered no call for more than 180 s" in found[-1].reply.message


def test_one_answer_ends_a_vendor_s_silence(jumping: Run) -> None:
    """From then on calls are held back for as long as ever."""
    down = Failure(kind=FailureKind.UNAVAILABLE, message="down")
    vendor = Vendor(down, FINE, down, FINE)

    async def scenario(clock: Callable[[], float]) -> list[int]:
        limiter = Limiter(ceiling=1, clock=clock)
        caller = Caller(vendor, limiter=limiter, retry=RetryPolicy(), clock=clock)
        found = []
        for index in range(2):
            found.append(await caller.call(ASK, eval_id="e", index=index))
            await tick(200.0)
        return [len(each.attempts) for each in found]

    assert jumping(scenario) == [2, 2]
