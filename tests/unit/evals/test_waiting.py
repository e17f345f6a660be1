"""Waiting for limits is not working: a trial's time-out leaves it out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Outcome
from tierwise.evals.cutting import await_ending
from tierwise.evals.outcomes import Ending
from tierwise.evals.waiting import Waiting, pause

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any


def test_waits_that_overlap_count_once(jumping: Run) -> None:
    """A trial of three calls that wait for the same minute waited a minute."""

    async def scenario(clock: Callable[[], float]) -> float:
        waiting = Waiting(clock)

        async def wait(after_s: float, for_s: float) -> None:
            await pause(after_s)
            with waiting.counted():
                await pause(for_s)

        await asyncio.gather(wait(0, 10), wait(5, 10), wait(100, 1))
        return waiting.waited_s

    assert jumping(scenario) == 16.0


def test_a_wait_counts_while_it_goes_on(jumping: Run) -> None:
    """Or the time-out would fire in the middle of it."""

    async def scenario(clock: Callable[[], float]) -> float:
        waiting = Waiting(clock)
        with waiting.counted():
            await pause(7)
            return waiting.waited_s

    assert jumping(scenario) == 7.0


def test_a_wait_that_is_cancelled_ends(jumping: Run) -> None:
    """What comes after it is work again."""

    async def scenario(clock: Callable[[], float]) -> float:
        waiting = Waiting(clock)

        async def wait() -> None:
            with waiting.counted():
                await pause(100)

        task = asyncio.create_task(wait())
        await pause(3)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await pause(50)
        return waiting.waited_s

    assert jumping(scenario) == 3.0


def test_a_pause_is_no_sleep_of_the_trial(jumping: Run) -> None:
    """This tier may not sleep, and a pause of an hour is no violation of it."""

    async def scenario(clock: Callable[[], float]) -> float:
        await pause(3600)
        return clock()

    assert jumping(scenario) == 3600


@pytest.mark.parametrize(
    ("waits_s", "works_s", "is_cut"),
    [(0, 2, False), (0, 4, True), (5, 2, False), (500, 2, False), (5, 4, True)],
)
def test_the_time_out_cuts_work_and_not_waiting(
    jumping: Run, waits_s: float, works_s: float, *, is_cut: bool
) -> None:
    """A model that is kept waiting for 500 s has its 3 s of work all the same."""

    async def scenario(clock: Callable[[], float]) -> tuple[Ending, float]:
        waiting = Waiting(clock)

        async def body() -> Ending:
            await pause(works_s / 2)
            with waiting.counted():
                await pause(waits_s)
            await pause(works_s / 2)
            return Ending()

        task = asyncio.create_task(body())
        ending = await await_ending(task, 3.0, waited_s=lambda: waiting.waited_s, clock=clock)
        return ending, clock()

    ending, now = jumping(scenario)
    if is_cut:
        assert ending.outcome is Outcome.ERROR
        assert ending.message == "time-out: cut off after 3 s"
        assert now == waits_s + 3
    else:
        assert ending == Ending()


def test_a_wait_that_begins_after_the_time_saves_nobody(jumping: Run) -> None:
    """What was over stays over: the cut comes when the work's time is up."""

    async def scenario(clock: Callable[[], float]) -> float:
        waiting = Waiting(clock)

        async def body() -> Ending:
            await pause(3.5)
            with waiting.counted():
                await pause(100)
            return Ending()

        await await_ending(
            asyncio.create_task(body()), 3.0, waited_s=lambda: waiting.waited_s, clock=clock
        )
        return clock()

    assert jumping(scenario) == 3.0
