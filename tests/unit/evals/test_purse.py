"""A budget is checked before each call and kept, whatever calls turn out to cost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tierwise.errors import EvalUsageError
from tierwise.evals.budget import Budget, BudgetReached, Cost
from tierwise.evals.purse import Purse
from tierwise.evals.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any


async def pay(purse: Purse, wanted: Cost, real: Cost | None, eval_id: str = "e") -> None:
    """Make one call."""
    lease = await purse.reserve(eval_id, wanted)
    lease.settle(real)


def tokens(n: int) -> Cost:
    return Cost(tokens=n, calls=1)


def stopped(purse: Purse, cost: Cost, eval_id: str = "e", *, is_guess: bool = False) -> str:
    """Return with which words a call is refused."""
    with pytest.raises(BudgetReached) as caught:
        asyncio.run(purse.reserve(eval_id, cost, is_guess=is_guess))
    return str(caught.value)


@pytest.mark.parametrize("value", [0, -1, float("inf"), True, "5"])
@pytest.mark.parametrize("name", ["usd", "tokens", "calls", "seconds"])
def test_a_budget_that_is_none_is_refused(name: str, value: Any) -> None:
    """Zero would run nothing, and infinity limits nothing."""
    with pytest.raises(EvalUsageError, match=rf"Budget\({name}=.*above 0"):
        Budget(**{name: value})


def test_without_a_budget_everything_is_counted_and_nothing_stopped() -> None:
    """What a run spent is known anyway."""
    purse = Purse()
    asyncio.run(pay(purse, tokens(5), Cost(usd=0.1, tokens=7, calls=1)))
    assert purse.spent() == Cost(usd=0.1, tokens=7, calls=1)
    assert purse.reached("e") is None


@pytest.mark.parametrize(
    ("budget", "cost", "words"),
    [
        (Budget(calls=2), tokens(1), "2 of 2 calls spent"),
        (Budget(tokens=20), tokens(10), "20 of 20 tokens spent"),
        (Budget(usd=0.5), Cost(usd=0.25, calls=1), "0.5 of 0.5 USD spent"),
    ],
    ids=["calls", "tokens", "usd"],
)
def test_each_measure_stops_calls_when_nothing_is_left(
    budget: Budget, cost: Cost, words: str
) -> None:
    """And the words say which one, how much was spent, and of how much."""
    purse = Purse(budget)
    for _ in range(2):
        assert purse.reached() is None
        asyncio.run(pay(purse, cost, cost))
    assert purse.reached() == f"the budget of the run is reached: {words}"
    assert stopped(purse, cost) == f"stopped by budget: the budget of the run is reached: {words}"


def test_a_rest_that_covers_no_further_call_is_reached() -> None:
    """Rather a little left than too much spent."""
    purse = Purse(Budget(tokens=25))
    for _ in range(2):
        asyncio.run(pay(purse, tokens(10), tokens(10)))
    assert purse.reached() is None
    said = stopped(purse, tokens(10))
    assert said.endswith("20 of 25 tokens spent, and the next call may take 10 tokens")
    assert purse.reached() is not None
    assert stopped(purse, tokens(1)) == said


def test_seconds_end_a_run_by_the_clock() -> None:
    """They begin with the first call, or when the run says so."""
    now = 100.0
    purse = Purse(Budget(seconds=60), clock=lambda: now)
    now = 200.0
    asyncio.run(pay(purse, tokens(1), tokens(1)))
    now = 259.0
    assert purse.reached() is None
    purse.check_wait("e", 0.5)
    with pytest.raises(BudgetReached, match="its 60 s are over"):
        purse.check_wait("e", 2.0)
    now = 261.0
    assert purse.reached() == "the budget of the run is reached: its 60 s are over"
    assert "60 s are over" in stopped(purse, tokens(1))


def test_the_clock_of_a_run_can_be_started_before_its_first_call() -> None:
    """Evals that never call the provider are stopped too."""
    now = 0.0
    purse = Purse(Budget(seconds=5), clock=lambda: now)
    purse.start()
    now = 3.0
    purse.start()
    now = 6.0
    assert purse.reached() is not None


def test_an_eval_s_own_budget_stops_that_eval_alone() -> None:
    """While the run's goes on counting both."""
    purse = Purse(Budget(calls=10), per_eval={"small": Budget(calls=1)})
    asyncio.run(pay(purse, tokens(1), tokens(1), "small"))
    assert purse.reached("small") == "the budget of this eval is reached: 1 of 1 calls spent"
    assert "this eval" in stopped(purse, tokens(1), "small")
    asyncio.run(pay(purse, tokens(1), tokens(1), "other"))
    assert purse.reached("other") is None
    assert purse.reached() is None
    assert (purse.spent().calls, purse.spent("small").calls) == (2, 1)


def test_what_a_call_did_cost_counts_and_the_rest_is_freed() -> None:
    """Ten calls that each might take 30 of 100 tokens all fit when each takes 5."""
    purse = Purse(Budget(tokens=100))
    for _ in range(10):
        asyncio.run(pay(purse, tokens(30), tokens(5)))
    assert purse.spent().tokens == 50


def test_what_nobody_knows_the_cost_of_takes_what_was_reserved() -> None:
    """A call that was cut off may have been billed."""
    purse = Purse(Budget(tokens=100))
    asyncio.run(pay(purse, tokens(30), None))
    assert purse.spent().tokens == 30


def test_a_lease_is_settled_once() -> None:
    """Paying twice would be as wrong as not paying."""

    async def scenario() -> Cost:
        purse = Purse()
        lease = await purse.reserve("e", tokens(1))
        lease.settle(tokens(2))
        lease.settle(tokens(2))
        return purse.spent()

    assert asyncio.run(scenario()) == tokens(2)


def test_a_call_that_does_not_fit_beside_others_waits_for_them(jumping: Run) -> None:
    """Reserved is not spent: calls with a high ceiling do not end a run early."""

    async def scenario(clock: Callable[[], float]) -> tuple[Any, ...]:
        purse = Purse(Budget(tokens=100))
        first = await purse.reserve("e", tokens(60))
        waiting = Waiting(clock)
        second = asyncio.create_task(purse.reserve("e", tokens(60), waiting=waiting))
        await tick(5.0)
        before = second.done(), waiting.waited_s
        first.settle(tokens(10))
        lease = await second
        lease.settle(tokens(10))
        return before, waiting.waited_s, purse.spent().tokens, purse.reached()

    assert jumping(scenario) == ((False, 5.0), 5.0, 20, None)


def test_calls_that_wait_are_told_when_the_budget_is_reached(jumping: Run) -> None:
    """Nobody waits for money that will not come."""

    async def scenario(_clock: Callable[[], float]) -> list[Any]:
        purse = Purse(Budget(tokens=100))
        first = await purse.reserve("e", tokens(60))
        waiting = [asyncio.create_task(purse.reserve("e", tokens(60))) for _ in range(3)]
        await tick(1.0)
        first.settle(tokens(60))
        return await asyncio.gather(*waiting, return_exceptions=True)

    assert [type(found) for found in jumping(scenario)] == [BudgetReached] * 3


def test_a_guess_refuses_no_call_and_lets_one_find_out(jumping: Run) -> None:
    """A budget below the guess runs its first call alone; the others wait for what it costs."""

    async def scenario(_clock: Callable[[], float]) -> tuple[bool, int]:
        purse = Purse(Budget(tokens=100))
        guess = tokens(1000)
        first = await purse.reserve("e", guess, is_guess=True)
        second = asyncio.create_task(purse.reserve("e", guess, is_guess=True))
        await tick(1.0)
        is_waiting = not second.done()
        first.settle(tokens(7))
        (await second).settle(tokens(7))
        return is_waiting, purse.spent().tokens

    assert jumping(scenario) == (True, 14)


def test_a_guess_that_is_never_settled_takes_what_was_left() -> None:
    """And not the thousand tokens that nobody had."""

    async def scenario() -> Cost:
        purse = Purse(Budget(tokens=100))
        (await purse.reserve("e", tokens(1000), is_guess=True)).settle(None)
        return purse.spent()

    assert asyncio.run(scenario()) == tokens(100)


def test_a_guess_is_refused_when_nothing_is_left() -> None:
    """It is a guess of what a call costs, not of what there is."""
    purse = Purse(Budget(tokens=10))
    asyncio.run(pay(purse, tokens(10), tokens(12)))
    assert "12 of 10 tokens spent" in stopped(purse, tokens(5), is_guess=True)


def test_a_call_that_is_cancelled_while_it_waits_reserves_nothing(jumping: Run) -> None:
    """Its trial was cut off; the next call gets the money."""

    async def scenario(_clock: Callable[[], float]) -> str | None:
        purse = Purse(Budget(tokens=100))
        first = await purse.reserve("e", tokens(60))
        second = asyncio.create_task(purse.reserve("e", tokens(60)))
        await tick(1.0)
        second.cancel()
        first.settle(tokens(0))
        await asyncio.gather(second, return_exceptions=True)
        (await purse.reserve("e", tokens(100))).settle(tokens(0))
        return purse.reached()

    assert jumping(scenario) is None


def test_money_adds_up_exactly() -> None:
    """A thousand times a tenth of a cent is a dollar, not a hair less."""
    purse = Purse(Budget(usd=1.0))
    for _ in range(1000):
        asyncio.run(pay(purse, Cost(usd=0.001, calls=1), Cost(usd=0.001, calls=1)))
    assert purse.spent().usd == 1.0
    assert purse.reached() is not None


CALL = st.tuples(st.integers(1, 40), st.integers(0, 60), st.floats(0.1, 5.0), st.booleans())


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(calls=st.lists(CALL, min_size=1, max_size=30), limit=st.integers(10, 400))
def test_no_more_is_overspent_than_calls_in_flight_cost_above_their_estimate(
    jumping: Run, calls: list[tuple[int, int, float, bool]], limit: int
) -> None:
    """The sum of all leases is what is spent, and the limit holds but for estimates' errors."""
    paid: list[int] = []
    errors: list[int] = []

    async def scenario(_clock: Callable[[], float]) -> Purse:
        purse = Purse(Budget(tokens=limit))

        async def call(wanted: int, real: int, takes_s: float, *, is_cancelled: bool) -> None:
            lease = await purse.reserve("e", tokens(wanted))
            try:
                await tick(takes_s)
            finally:
                lease.settle(None if is_cancelled else tokens(real))
                paid.append(wanted if is_cancelled else real)
                errors.append(0 if is_cancelled else max(0, real - wanted))

        tasks = []
        for wanted, real, takes_s, is_cancelled in calls:
            task = asyncio.create_task(call(wanted, real, takes_s, is_cancelled=is_cancelled))
            if is_cancelled:
                asyncio.get_running_loop().call_later(takes_s / 2, task.cancel)
            tasks.append(task)
        await asyncio.gather(*tasks, return_exceptions=True)
        return purse

    purse = jumping(scenario)
    assert purse.spent() == Cost(tokens=sum(paid), calls=len(paid))
    assert purse.spent().tokens <= limit + sum(errors)


async def tick(seconds: float) -> None:
    """Let time pass without sleeping."""
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    loop.call_later(seconds, lambda: over.done() or over.set_result(None))
    await over
