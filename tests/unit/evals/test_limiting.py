"""How many calls are in flight, and who is next."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tierwise.errors import EvalUsageError
from tierwise.evals.limiting import Limiter

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any


def a_limiter(**options: Any) -> Limiter:
    return Limiter(**({"ceiling": 8, "clock": lambda: 0.0, "chance": lambda: 0.5} | options))


def fill(limiter: Limiter) -> list[int]:
    """Take all places that are free."""
    slots = []
    while (slot := limiter.try_enter()) is not None:
        slots.append(slot)
    return slots


def test_calls_enter_up_to_the_limit() -> None:
    """It starts at the ceiling, or lower where that is asked."""
    assert len(fill(a_limiter())) == 8
    assert len(fill(a_limiter(start=3))) == 3


def test_a_burst_of_busy_answers_halves_the_limit_once() -> None:
    """Fifty calls that were refused together are one piece of news."""
    limiter = a_limiter(ceiling=50)
    for slot in fill(limiter):
        limiter.leave(slot, busy=True)
    assert limiter.limit == 25
    limiter.leave(fill(limiter)[0], busy=True)
    assert limiter.limit == 12


def test_the_limit_never_falls_below_one() -> None:
    """A vendor that is busy for an hour is still asked, one call at a time."""
    limiter = a_limiter()
    for _ in range(20):
        limiter.leave(limiter.try_enter() or 0, busy=True)
    assert limiter.limit == 1


def answer(limiter: Limiter, n: int) -> None:
    """Let `n` calls be answered, one after the other."""
    for _ in range(n):
        slot = limiter.try_enter()
        assert slot is not None
        limiter.leave(slot, answered=True)


def test_a_window_of_answers_adds_one() -> None:
    """From 4 it takes about four answers to reach 5, five more to reach 6, and 8 is the end."""
    limiter = a_limiter(start=4)
    answer(limiter, 3)
    assert limiter.limit == 4
    answer(limiter, 2)
    assert limiter.limit == 5
    answer(limiter, 100)
    assert limiter.limit == 8


def test_answers_to_calls_from_before_a_cut_add_nothing() -> None:
    """That they came through says nothing about the vendor's mood since."""
    limiter = a_limiter(start=4)
    first, *others = fill(limiter)
    limiter.leave(first, busy=True)
    for slot in others:
        limiter.leave(slot, answered=True)
    answer(limiter, 1)
    assert limiter.limit == 2


def test_what_ends_neither_way_changes_nothing() -> None:
    """A call that was cancelled or hung is no news about the rate."""
    limiter = a_limiter(start=4)
    for slot in fill(limiter):
        limiter.leave(slot)
    assert (limiter.limit, limiter.n_in_flight) == (4, 0)


def test_retry_after_closes_the_gate_for_all(jumping: Run) -> None:
    """Until then, for the longest that any answer asked for."""

    async def scenario(clock: Callable[[], float]) -> list[float]:
        limiter = a_limiter(clock=clock)
        first, second = fill(limiter)[:2]
        limiter.leave(first, busy=True, retry_after_s=30.0)
        limiter.leave(second, busy=True, retry_after_s=5.0)
        seen = [limiter.closed_for_s()]
        await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        over = loop.create_future()
        loop.call_later(29.0, over.set_result, None)
        await over
        seen.append(limiter.closed_for_s())
        loop.call_later(2.0, (later := loop.create_future()).set_result, None)
        await later
        return [*seen, limiter.closed_for_s(), limiter.spread_s()]

    assert jumping(scenario) == [30.0, 1.0, 0.0, pytest.approx(1.5)]


def test_places_go_to_those_who_waited_longest(jumping: Run) -> None:
    """And nobody who comes later takes one from under their nose."""
    order: list[str] = []

    async def scenario(clock: Callable[[], float]) -> None:
        limiter = a_limiter(ceiling=1, clock=clock)
        held = await limiter.enter()

        async def call(name: str) -> None:
            slot = await limiter.enter()
            order.append(name)
            limiter.leave(slot)

        waiting = [asyncio.create_task(call(name)) for name in "abc"]
        await asyncio.sleep(0)
        limiter.leave(held)
        assert limiter.try_enter() is None
        await asyncio.gather(*waiting)

    jumping(scenario)
    assert order == ["a", "b", "c"]


@pytest.mark.parametrize("is_late", [False, True], ids=["still waiting", "place just given"])
def test_a_cancelled_waiter_leaks_no_place(jumping: Run, *, is_late: bool) -> None:
    """Also when the cancellation meets the place half way."""

    async def scenario(clock: Callable[[], float]) -> tuple[int, int | None]:
        limiter = a_limiter(ceiling=1, clock=clock)
        held = await limiter.enter()
        waiter = asyncio.create_task(limiter.enter())
        await asyncio.sleep(0)
        if is_late:
            limiter.leave(held)
        waiter.cancel()
        if not is_late:
            limiter.leave(held)
        await asyncio.gather(waiter, return_exceptions=True)
        return limiter.n_in_flight, limiter.try_enter()

    assert jumping(scenario) == (0, 0)


def test_a_waiter_on_another_loop_is_woken() -> None:
    """A sync body may run an event loop of its own in its thread."""
    limiter = a_limiter(ceiling=1)
    first, second = asyncio.new_event_loop(), asyncio.new_event_loop()

    async def wait() -> int:
        return await asyncio.wait_for(limiter.enter(), 5)

    async def leave(slot: int) -> None:
        limiter.leave(slot)

    held = first.run_until_complete(wait())
    waiter = second.create_task(wait())
    second.run_until_complete(asyncio.sleep(0))
    second.run_until_complete(asyncio.sleep(0))
    first.run_until_complete(leave(held))
    assert second.run_until_complete(waiter) == 0
    first.close()
    second.close()


def test_a_place_given_to_a_loop_that_ended_goes_on() -> None:
    """The body in a thread that was left behind keeps nobody waiting."""
    limiter = a_limiter(ceiling=1)
    ended = asyncio.new_event_loop()

    async def wait() -> int:
        return await limiter.enter()

    held = limiter.try_enter()
    assert held is not None
    waiter = ended.create_task(wait())
    ended.run_until_complete(asyncio.sleep(0))
    ended.close()
    limiter.leave(held)
    assert limiter.n_in_flight == 0
    waiter.get_coro().close()  # type: ignore[union-attr]
    waiter._log_destroy_pending = False  # type: ignore[attr-defined]


@pytest.mark.parametrize("start", [0, 9])
def test_a_start_that_makes_no_sense_is_refused(start: int) -> None:
    """With the numbers that were given."""
    with pytest.raises(EvalUsageError, match=f"starts at {start} calls"):
        a_limiter(start=start)


CALLS = st.tuples(
    st.sampled_from(["answered", "busy", "neither", "cancelled"]),
    st.floats(0.1, 10.0),
    st.one_of(st.none(), st.floats(0.0, 5.0)),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(calls=st.lists(CALLS, min_size=1, max_size=40), ceiling=st.integers(1, 6))
def test_no_more_than_the_ceiling_and_no_place_lost(
    jumping: Run, calls: list[tuple[str, float, float | None]], ceiling: int
) -> None:
    """However calls end, in whatever order, and whoever is cancelled while waiting."""
    most = 0

    async def scenario(clock: Callable[[], float]) -> Limiter:
        limiter = Limiter(ceiling=ceiling, clock=clock)

        async def call(end: str, takes_s: float, retry_after_s: float | None) -> None:
            nonlocal most
            slot = await limiter.enter()
            most = max(most, limiter.n_in_flight)
            try:
                over = asyncio.get_running_loop().create_future()
                asyncio.get_running_loop().call_later(takes_s, _finish, over)
                await over
            finally:
                limiter.leave(
                    slot,
                    answered=end == "answered",
                    busy=end == "busy",
                    retry_after_s=retry_after_s if end == "busy" else None,
                )

        tasks = [asyncio.create_task(call(*each)) for each in calls]
        for task, (end, takes_s, _) in zip(tasks, calls, strict=True):
            if end == "cancelled":
                asyncio.get_running_loop().call_later(takes_s / 2, task.cancel)
        await asyncio.gather(*tasks, return_exceptions=True)
        return limiter

    limiter = jumping(scenario)
    assert most <= ceiling
    assert limiter.n_in_flight == 0
    assert 1 <= limiter.limit <= ceiling
    assert len(fill(limiter)) == limiter.limit
    assert math.isfinite(limiter.closed_for_s())


def _finish(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)
