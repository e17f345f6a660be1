"""The driver's side of the purse: blocks of calls lent to workers, and what came of them."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

from tierwise.evals.budget import BudgetReached, Cost
from tierwise.evals.remote.messages import GiveBack, Granted, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.evals.purse import Lease, Purse
    from tierwise.evals.remote.messages import AskMoney, Order, Settled

_PATIENCE_S = 0.02
"""For how long a wish waits before all workers are asked for what they do not use."""


class Lender:
    """Lends each worker money for several calls at a time.

    A block is reserved in the run's purse like a call of that size. While more workers want money
    than there is, blocks shrink down to one call, and all are asked to give back what they do
    not use. What a dead worker held counts as spent, since nobody knows how far its calls came.
    """

    def __init__(self, purse: Purse | None, tell: Callable[[int | None, Order], None]) -> None:
        """Lend from `purse`; `tell` gives an order to one worker, or to all for None."""
        self._purse = purse
        self._tell = tell
        self._numbers = itertools.count()
        self._lent: dict[int, dict[int, Lease]] = {}
        self._asking: dict[int, set[asyncio.Task[None]]] = {}

    def add_worker(self, worker: int) -> None:
        """Let a worker take part."""
        self._lent[worker], self._asking[worker] = {}, set()

    def drop_worker(self, worker: int) -> None:
        """Count as spent what a dead worker held, and forget what it wanted."""
        for task in self._asking.pop(worker, ()):
            task.cancel()
        for lease in self._lent.pop(worker, {}).values():
            lease.settle(None)

    def ask(self, worker: int, wish: AskMoney) -> None:
        """Answer a worker's wish, once there is money for it."""
        if worker not in self._asking:
            return
        task = asyncio.get_running_loop().create_task(self._lend(worker, wish))
        self._asking[worker].add(task)
        task.add_done_callback(lambda done: self._asking.get(worker, set()).discard(done))

    def settle(self, worker: int, settled: Settled) -> None:
        """Pay what the calls of a block cost."""
        lease = self._lent.get(worker, {}).pop(settled.lease, None)
        if lease is not None:
            lease.settle(settled.cost)

    async def _lend(self, worker: int, wish: AskMoney) -> None:
        purse = self._purse
        assert purse is not None  # noqa: S101  workers ask only under a budget
        calls = 1 if wish.is_guess else self._size(purse, wish)
        reserving = asyncio.ensure_future(
            purse.reserve(wish.eval_id, _times(wish.each, calls), is_guess=wish.is_guess)
        )
        try:
            while not (await asyncio.wait({reserving}, timeout=_PATIENCE_S))[0]:
                self._tell(None, GiveBack())
            lease = reserving.result()
        except BudgetReached as reached:
            self._tell(worker, Refused(ask=wish.ask, reason=str(reached)))
            return
        except asyncio.CancelledError:
            reserving.cancel()
            raise
        number = next(self._numbers)
        self._lent[worker][number] = lease
        self._tell(
            worker,
            Granted(
                ask=wish.ask,
                lease=number,
                calls=calls,
                each=wish.each,
                seconds_left=purse.seconds_left(wish.eval_id),
            ),
        )

    def _size(self, purse: Purse, wish: AskMoney) -> int:
        """Return how many calls to lend at once: a fair part of what is left, at least one."""
        fair = purse.count_fitting(wish.eval_id, wish.each) // (2 * len(self._lent))
        return max(min(wish.calls, fair), 1)


def _times(each: Cost, calls: int) -> Cost:
    return Cost(usd=each.usd * calls, tokens=each.tokens * calls, calls=each.calls * calls)
