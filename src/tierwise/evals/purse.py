"""The purse of a run: each call reserves what it may cost and settles what it did cost."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from typing import TYPE_CHECKING

from tierwise.evals.budget import Amount, Budget, BudgetReached, Cost, Pot
from tierwise.evals.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_STOPPED = "stopped by budget: "


class Lease:
    """What one attempt has reserved, until it is settled."""

    __slots__ = ("_purse", "amounts", "eval_id")

    def __init__(
        self, purse: Purse, eval_id: str, amounts: tuple[tuple[Pot, Amount], ...]
    ) -> None:
        self._purse = purse
        self.eval_id = eval_id
        self.amounts = amounts

    def settle(self, cost: Cost | None) -> None:
        """Pay; None when nobody knows what it cost, which counts as all that was reserved."""
        self._purse.settle(self, cost)


class Purse:
    """What a run spends, and each eval of it, under a budget each.

    A call that does not fit beside what others have reserved waits until they settle; one that
    would not fit even then reaches the budget, for good. So the budget is overspent by at most
    what calls in flight cost above what was reserved for them. Safe to use from several threads.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        per_eval: Mapping[str, Budget] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._run = Pot(budget or Budget(), whose="the budget of the run")
        self._evals = {
            eval_id: Pot(own, whose="the budget of this eval")
            for eval_id, own in (per_eval or {}).items()
        }
        self._started: dict[Pot, float] = {}
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._lock = threading.Lock()

    @property
    def limits_usd(self) -> bool:
        """Does a limit in USD stand anywhere, so that prices have to be known?"""
        pots = (self._run, *self._evals.values())
        return any(pot.budget.usd is not None for pot in pots)

    def spent(self, eval_id: str | None = None) -> Cost:
        """Return what the run has spent, or one eval that has a budget of its own."""
        with self._lock:
            pot = self._run if eval_id is None else self._evals[eval_id]
            return pot.spent.as_cost()

    def start(self, eval_id: str | None = None) -> None:
        """Let the seconds of the run begin, and those of an eval; later calls change nothing."""
        with self._lock:
            self._start(self._pots(eval_id))

    def reached(self, eval_id: str | None = None) -> str | None:
        """Say which budget is reached, of the run or of this eval; None while calls go on."""
        with self._lock:
            return self._reached(self._pots(eval_id))

    def check_wait(self, eval_id: str, seconds: float) -> None:
        """Raise `BudgetReached` at once where waiting so long would outlast a budget's time."""
        with self._lock:
            pots = self._pots(eval_id)
            reason = self._reached(pots, later_s=seconds)
        if reason is not None:
            raise BudgetReached(f"{_STOPPED}{reason}")

    async def reserve(
        self,
        eval_id: str,
        cost: Cost,
        *,
        is_guess: bool = False,
        waiting: Waiting | None = None,
    ) -> Lease:
        """Reserve what an attempt may cost, or raise `BudgetReached`."""
        amount = Amount.of(cost)
        lease = self._try_reserve(eval_id, amount, is_guess=is_guess)
        if lease is not None:
            return lease
        with (waiting or Waiting()).counted():
            while lease is None:
                turn = self._queue_up()
                lease = self._try_reserve(eval_id, amount, is_guess=is_guess)
                if lease is None:
                    await turn
        return lease

    def count_fitting(self, eval_id: str, cost: Cost) -> int:
        """Return how many calls of this cost could be reserved now; very many without a limit."""
        amount = Amount.of(cost)
        with self._lock:
            return min(pot.count_fitting(amount) for pot in self._pots(eval_id))

    def seconds_left(self, eval_id: str) -> float | None:
        """Return for how long budgets of time still last; None where there is none."""
        with self._lock:
            lasting = [
                pot.budget.seconds - (self._clock() - self._started[pot])
                for pot in self._pots(eval_id)
                if pot.budget.seconds is not None and pot in self._started
            ]
        return min(lasting, default=None)

    def settle(self, lease: Lease, cost: Cost | None) -> None:
        """Pay what an attempt cost and free the rest; a second time changes nothing."""
        paid = None if cost is None else Amount.of(cost)
        with self._lock:
            amounts, lease.amounts = lease.amounts, ()
            for pot, reserved in amounts:
                pot.reserved.add(reserved, -1)
                pot.spent.add(reserved if paid is None else paid)
                pot.check_spent()
            woken, self._waiting = self._waiting, []
        _wake(woken)

    def _try_reserve(self, eval_id: str, amount: Amount, *, is_guess: bool) -> Lease | None:
        with self._lock:
            pots = self._pots(eval_id)
            self._start(pots)
            granted = (
                [] if self._reached(pots) else [p.fit(amount, is_guess=is_guess) for p in pots]
            )
            reason = self._reached(pots)
            if reason is not None:
                woken, self._waiting = self._waiting, []
                _wake(woken)
                raise BudgetReached(f"{_STOPPED}{reason}")
            if None in granted:
                return None
            amounts = tuple((pot, got) for pot, got in zip(pots, granted, strict=True) if got)
            for pot, got in amounts:
                pot.reserved.add(got)
        return Lease(self, eval_id, amounts)

    def _queue_up(self) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        with self._lock:
            self._waiting.append((loop, turn))
        return turn

    def _pots(self, eval_id: str | None) -> tuple[Pot, ...]:
        own = None if eval_id is None else self._evals.get(eval_id)
        return (self._run,) if own is None else (self._run, own)

    def _start(self, pots: tuple[Pot, ...]) -> None:
        for pot in pots:
            if pot not in self._started:
                self._started[pot] = self._clock()

    def _reached(self, pots: tuple[Pot, ...], *, later_s: float = 0.0) -> str | None:
        for pot in pots:
            if pot.budget.seconds is not None and pot in self._started:
                pot.check_time(self._clock() - self._started[pot] + later_s)
            if pot.reached:
                return pot.reached
        return None


def _wake(waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]]) -> None:
    for loop, turn in waiting:
        with contextlib.suppress(RuntimeError):  # the loop of a body in a thread has ended
            loop.call_soon_threadsafe(_end, turn)


def _end(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
