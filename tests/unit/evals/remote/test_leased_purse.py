"""Calls of a worker draw on blocks that the driver has lent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.evals.budget import Budget, BudgetReached, Cost
from tierwise.evals.purse import Purse
from tierwise.evals.remote.leased_purse import LeasedPurse
from tierwise.evals.remote.lending import Lender
from tierwise.evals.remote.messages import AskMoney, GiveBack, Granted, Refused, Settled
from tierwise.evals.waiting import pause

if TYPE_CHECKING:
    from collections.abc import Callable

Scenario = Any
CALL = Cost(tokens=10, calls=1)


class Bank:
    """A driver and its workers without anything between them but a turn of the loop."""

    def __init__(self, budget: Budget, n_workers: int, clock: Callable[[], float]) -> None:
        self.purse = Purse(budget, clock=clock)
        self.purse.start()
        self.news: list[Any] = []
        self.orders: list[Any] = []
        self.lender = Lender(self.purse, self._tell)
        self.workers = {}
        for number in range(n_workers):
            self.lender.add_worker(number)
            self.workers[number] = LeasedPurse(
                lambda news, number=number: self._say(number, news), limits_usd=False, clock=clock
            )

    def _say(self, worker: int, news: AskMoney | Settled) -> None:
        self.news.append(news)
        if isinstance(news, AskMoney):
            self.lender.ask(worker, news)
        else:
            self.lender.settle(worker, news)

    def _tell(self, worker: int | None, order: Any) -> None:
        self.orders.append(order)
        for number in self.workers if worker is None else [worker]:
            if isinstance(order, Granted | Refused):
                self.workers[number].take_answer(order)
            elif isinstance(order, GiveBack):
                self.workers[number].give_back()

    @property
    def n_asked(self) -> int:
        """How many journeys calls have waited for."""
        return sum(isinstance(news, AskMoney) for news in self.news)


async def pay(purse: Purse, cost: Cost | None = CALL, wanted: Cost = CALL, **more: Any) -> None:
    lease = await purse.reserve("e", wanted, **more)
    lease.settle(cost)


def test_one_journey_pays_for_many_calls(jumping: Scenario) -> None:
    """A block of sixteen, where the budget has room for it."""

    async def scenario(clock: Callable[[], float]) -> tuple[int, Cost]:
        bank = Bank(Budget(calls=1000), 1, clock)
        for _ in range(32):
            await pay(bank.workers[0])
        bank.workers[0].give_back()
        return bank.n_asked, bank.purse.spent()

    assert jumping(scenario) == (2, Cost(tokens=320, calls=32))


@pytest.mark.parametrize("n_workers", [1, 2, 5])
def test_all_that_is_allowed_is_spent_and_no_call_more(jumping: Scenario, n_workers: int) -> None:
    """Blocks shrink towards the end, and come back from those who do not need them."""

    async def use_up(purse: Purse) -> int:
        for n in range(1000):
            try:
                await pay(purse)
            except BudgetReached as reached:
                assert "17 of 17 calls spent" in str(reached)  # noqa: PT017
                return n
        return 1000

    async def scenario(clock: Callable[[], float]) -> int:
        bank = Bank(Budget(calls=17), n_workers, clock)
        made = await asyncio.gather(*(use_up(worker) for worker in bank.workers.values()))
        return sum(made)

    assert jumping(scenario) == 17


def test_what_one_worker_holds_and_does_not_use_comes_back(jumping: Scenario) -> None:
    """The other one would wait for ever."""

    async def scenario(clock: Callable[[], float]) -> Cost:
        bank = Bank(Budget(calls=8), 2, clock)
        await pay(bank.workers[0])  # a block of two; one is left
        for _ in range(7):
            await pay(bank.workers[1])
        return bank.purse.spent()

    assert jumping(scenario) == Cost(tokens=80, calls=8)


def test_what_a_dead_worker_held_counts_as_spent(jumping: Scenario) -> None:
    """Nobody knows how far its calls came."""

    async def scenario(clock: Callable[[], float]) -> Cost:
        bank = Bank(Budget(calls=1000), 2, clock)
        await pay(bank.workers[0])
        bank.lender.drop_worker(0)
        return bank.purse.spent()

    assert jumping(scenario) == Cost(tokens=160, calls=16)


def test_a_dead_worker_s_wish_takes_nothing(jumping: Scenario) -> None:
    """It waited for money when it died."""

    async def scenario(clock: Callable[[], float]) -> tuple[Cost, int]:
        bank = Bank(Budget(calls=2), 2, clock)
        await bank.workers[0].reserve("e", Cost(calls=1))
        other = await bank.workers[1].reserve("e", Cost(calls=1))
        waiting = asyncio.ensure_future(bank.workers[0].reserve("e", Cost(calls=1)))
        await pause(0.1)
        bank.lender.drop_worker(0)
        waiting.cancel()
        other.settle(Cost())  # it was never sent
        bank.workers[1].give_back()
        await pause(0.1)
        return bank.purse.spent(), bank.purse.count_fitting("e", Cost(calls=1))

    assert jumping(scenario) == (Cost(calls=1), 1)


def test_a_call_that_nobody_knows_the_cost_of_takes_what_it_reserved(jumping: Scenario) -> None:
    """As it does on one machine."""

    async def scenario(clock: Callable[[], float]) -> Cost:
        bank = Bank(Budget(tokens=10_000), 1, clock)
        await pay(bank.workers[0], None)
        await pay(bank.workers[0], Cost(tokens=3, calls=1))
        bank.workers[0].give_back()
        return bank.purse.spent()

    assert jumping(scenario) == Cost(tokens=13, calls=2)


def test_a_guess_takes_what_is_left(jumping: Scenario) -> None:
    """One call shows what calls cost, and counts as all of it where it does not say."""

    async def scenario(clock: Callable[[], float]) -> tuple[Cost, str | None]:
        bank = Bank(Budget(tokens=100), 1, clock)
        await pay(bank.workers[0], None, Cost(tokens=1000, calls=1), is_guess=True)
        bank.workers[0].give_back()
        return bank.purse.spent(), bank.purse.reached("e")

    spent, reached = jumping(scenario)
    assert spent.tokens == 100
    assert reached is not None


def test_a_dearer_call_gets_a_block_of_its_own(jumping: Scenario) -> None:
    """What is left of the cheaper block goes back."""

    async def scenario(clock: Callable[[], float]) -> tuple[int, Cost]:
        bank = Bank(Budget(tokens=10_000), 1, clock)
        await pay(bank.workers[0])
        await pay(bank.workers[0], Cost(tokens=900, calls=1), Cost(tokens=900, calls=1))
        assert bank.purse.spent() == CALL
        bank.workers[0].give_back()
        return bank.n_asked, bank.purse.spent()

    assert jumping(scenario) == (2, Cost(tokens=910, calls=2))


def test_a_call_that_gave_up_waiting_leaves_its_money(jumping: Scenario) -> None:
    """The grant was on its way when the trial's time was over."""

    async def scenario(clock: Callable[[], float]) -> Cost:
        bank = Bank(Budget(calls=10), 1, clock)
        waiting = asyncio.ensure_future(bank.workers[0].reserve("e", CALL))
        await pause(0)
        waiting.cancel()
        await pause(0.1)
        bank.workers[0].give_back()
        await pause(0.1)
        assert bank.purse.count_fitting("e", CALL) == 10
        return bank.purse.spent()

    assert jumping(scenario) == Cost()


def test_time_ends_the_money_that_is_lent(jumping: Scenario) -> None:
    """A block does not outlive its budget, and nobody waits beyond it."""

    async def scenario(clock: Callable[[], float]) -> None:
        bank = Bank(Budget(seconds=5), 1, clock)
        await pay(bank.workers[0])
        bank.workers[0].check_wait("e", 4)
        with pytest.raises(BudgetReached, match="before the next attempt"):
            bank.workers[0].check_wait("e", 6)
        await pause(6)
        with pytest.raises(BudgetReached, match="its 5 s are over"):
            await pay(bank.workers[0])

    jumping(scenario)


def test_usd_limits_are_known_to_workers() -> None:
    """Prices have to be known there too."""
    assert LeasedPurse(lambda _news: None, limits_usd=True).limits_usd
