"""The limiter of a worker: a share of the run's places, a gate that is everybody's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tierwise.evals.remote.leased_limiter import LeasedLimiter
from tierwise.evals.remote.messages import UNTOLD, CloseGate, Rate, Share
from tierwise.evals.waiting import pause

if TYPE_CHECKING:
    from collections.abc import Callable


def share(limit: int, epoch: int = 0) -> Share:
    return Share(provider="v", limit=limit, epoch=epoch)


def make(clock: Callable[[], float] = lambda: 0.0) -> tuple[LeasedLimiter, list[Rate]]:
    said: list[Rate] = []
    return LeasedLimiter("v", said.append, {}, clock=clock), said


def test_without_a_share_nobody_calls() -> None:
    """The driver has not said yet how many the vendor bears."""
    assert make()[0].try_enter() is None


def test_a_share_lets_as_many_in_and_no_journey_is_made() -> None:
    """Those who wait are let in when it grows."""

    async def scenario() -> tuple[int, int]:
        limiter, said = make()
        limiter.take_share(share(2))
        waiting = [asyncio.ensure_future(limiter.enter()) for _ in range(5)]
        await pause(0)
        before = limiter.n_in_flight
        limiter.take_share(share(4))
        await pause(0)
        assert said == []
        for task in waiting:
            task.cancel()
        return before, limiter.n_in_flight

    assert asyncio.run(scenario()) == (2, 4)


def test_how_calls_went_is_said_in_one_line_and_once() -> None:
    """Answers since the last time, places taken, calls that wait."""
    limiter, said = make()
    limiter.flush()
    limiter.take_share(share(3, epoch=2))
    slots = [limiter.try_enter() for _ in range(3)]
    for slot in slots[:2]:
        assert slot is not None
        limiter.leave(slot, answered=True)
    limiter.flush()
    limiter.flush()
    first, second = said
    assert first.epoch == UNTOLD
    assert (second.epoch, second.in_flight, second.answered) == (2, 1, 2)


def test_a_busy_vendor_is_told_at_once_and_halves_the_share_here() -> None:
    """No tick is waited for: each call more would be refused."""
    limiter, said = make()
    limiter.take_share(share(8))
    slot = limiter.try_enter()
    assert slot is not None
    limiter.leave(slot, busy=True, retry_after_s=7.0)
    assert (limiter.limit, said[0].is_busy, said[0].retry_after_s) == (4, True, 7.0)
    assert limiter.closed_for_s() == 7.0


def test_answers_raise_nothing_here() -> None:
    """The driver alone raises the limit, or each worker would."""
    limiter, _ = make()
    limiter.take_share(share(1))
    for _ in range(5):
        slot = limiter.try_enter()
        assert slot is not None
        limiter.leave(slot, answered=True)
    assert limiter.limit == 1


def test_a_busy_vendor_leaves_no_place_that_was_never_given() -> None:
    """A share of nothing stays nothing, even when a late call comes back busy."""
    limiter, _ = make()
    limiter.take_share(share(1))
    slot = limiter.try_enter()
    assert slot is not None
    limiter.take_share(share(0))
    limiter.leave(slot, busy=True)
    assert limiter.limit == 0


def test_a_gate_that_others_saw_closed_is_closed_here() -> None:
    """No call of this worker finds it out for itself."""
    limiter, _ = make()
    limiter.take_gate(CloseGate(provider="v", seconds=5.0))
    assert limiter.closed_for_s() == 5.0


def test_another_provider_has_a_share_of_its_own() -> None:
    """A judge asked beside it: its limiter says at once that it is there, and is found again."""
    limiter, said = make()
    judge = limiter.make_another("judge")
    assert judge is limiter.make_another("judge")
    assert [(rate.provider, rate.epoch) for rate in said] == [("judge", UNTOLD)]
