"""The worker's side of the purse: calls draw on blocks that the driver has lent."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.evals.budget import Amount, BudgetReached, Cost
from tierwise.evals.purse import Lease, Purse
from tierwise.evals.remote.messages import AskMoney, Granted, Refused, Settled
from tierwise.evals.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable

_CALLS_AT_ONCE = 16
"""How many calls one block pays for at most."""
_TOO_LATE = "stopped by budget: its seconds would be over before the next attempt"


@dataclass(slots=True, eq=False)
class Block:
    """Money for several calls, until all of them are paid."""

    lease: int
    total: Amount
    taken: Amount = field(default_factory=Amount)
    """What calls under way have reserved, and what those that ended have cost."""
    paid: Amount = field(default_factory=Amount)
    n_open: int = 0
    is_unknown: bool = False
    """Was one call all that it was for, and nobody knows what that cost?"""
    is_closing: bool = False

    @property
    def is_used_up(self) -> bool:
        """Are all the calls made that it was for?"""
        return self.taken.calls >= self.total.calls

    def draw(self, amount: Amount) -> bool:
        """Reserve this much, if it is there."""
        for name in ("pico_usd", "tokens", "calls"):
            left = getattr(self.total, name) - getattr(self.taken, name)
            if getattr(amount, name) > left:
                return False
        self.open(amount)
        return True

    def open(self, amount: Amount) -> None:
        """Reserve this much."""
        self.taken.add(amount)
        self.n_open += 1

    def pay(self, reserved: Amount, cost: Amount | None) -> None:
        """Pay for one call; what nobody knows the cost of takes all that it had reserved."""
        self.n_open -= 1
        self.taken.add(reserved, -1)
        self.taken.add(reserved if cost is None else cost)
        self.paid.add(reserved if cost is None else cost)
        self.is_unknown = cost is None and self.total.calls == 1


class LeasedPurse(Purse):
    """Grants what the driver has lent, and asks it for more only when that is used up.

    A block that no longer suffices for a call is settled when the calls that drew on it have
    ended; what is left of it goes back.
    """

    def __init__(
        self,
        say: Callable[[AskMoney | Settled], None],
        *,
        limits_usd: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(clock=clock)
        self._say = say
        self._limits = limits_usd
        self._mutex = threading.Lock()
        self._asks = itertools.count()
        self._blocks: dict[str, list[Block]] = {}
        self._wanted: dict[int, tuple[str, Amount, _Turn]] = {}
        self._ends: dict[str, float] = {}

    @property
    def limits_usd(self) -> bool:
        """Does a limit in USD stand anywhere, so that prices have to be known?"""
        return self._limits

    def check_wait(self, eval_id: str, seconds: float) -> None:
        """Raise `BudgetReached` at once where waiting so long would outlast a budget's time."""
        ends = self._ends.get(eval_id)
        if ends is not None and self._clock() + seconds >= ends:
            raise BudgetReached(_TOO_LATE)

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
        block = None if is_guess else self._draw(eval_id, amount)
        if block is None:
            with (waiting or Waiting()).counted():
                block = await self._borrow(eval_id, cost, is_guess=is_guess)
        return _Draft(self, eval_id, block, amount)

    def take_answer(self, answer: Granted | Refused) -> None:
        """Pass the driver's answer on to the call that asked."""
        with self._mutex:
            eval_id, amount, turn = self._wanted.pop(answer.ask)
        if isinstance(answer, Refused):
            turn.end(answer.reason)
            return
        if answer.seconds_left is not None:
            self._ends[eval_id] = self._clock() + answer.seconds_left
        each = Amount.of(answer.each)
        n = answer.calls
        block = Block(answer.lease, Amount(each.pico_usd * n, each.tokens * n, each.calls * n))
        block.open(amount)
        with self._mutex:
            self._blocks.setdefault(eval_id, []).append(block)
        turn.end(block, otherwise=lambda: self.pay(eval_id, block, amount, Cost()))

    def give_back(self) -> None:
        """Give back what no call has taken; what calls have taken comes when they end."""
        with self._mutex:
            for eval_id in self._blocks:
                self._close(eval_id)

    def pay(self, eval_id: str, block: Block, reserved: Amount, cost: Cost | None) -> None:
        """Pay for one call of a block."""
        with self._mutex:
            block.pay(reserved, None if cost is None else Amount.of(cost))
            self._settle_if_done(eval_id, block)

    def _close(self, eval_id: str) -> None:
        for block in tuple(self._blocks.get(eval_id, ())):
            block.is_closing = True
            self._settle_if_done(eval_id, block)

    def _settle_if_done(self, eval_id: str, block: Block) -> None:
        if not block.n_open and (block.is_closing or block.is_used_up):
            self._blocks[eval_id].remove(block)
            cost = None if block.is_unknown else block.paid.as_cost()
            self._say(Settled(lease=block.lease, cost=cost))

    def _draw(self, eval_id: str, amount: Amount) -> Block | None:
        with self._mutex:
            ends = self._ends.get(eval_id)
            if ends is not None and self._clock() >= ends:
                return None  # the driver says in words what is over
            blocks = self._blocks.get(eval_id, ())
            drawn = (block for block in blocks if not block.is_closing and block.draw(amount))
            return next(drawn, None)

    async def _borrow(self, eval_id: str, cost: Cost, *, is_guess: bool) -> Block:
        turn = _Turn()
        with self._mutex:
            self._close(eval_id)
            ask = next(self._asks)
            self._wanted[ask] = (eval_id, Amount.of(cost), turn)
        calls = 1 if is_guess else _CALLS_AT_ONCE
        self._say(AskMoney(ask=ask, eval_id=eval_id, each=cost, calls=calls, is_guess=is_guess))
        answer = await turn.wait()
        if isinstance(answer, str):
            raise BudgetReached(answer)
        return answer


class _Draft(Lease):
    """What one attempt has taken of a block, until it is settled."""

    __slots__ = ("_block", "_from", "_reserved")

    def __init__(self, purse: LeasedPurse, eval_id: str, block: Block, reserved: Amount) -> None:
        super().__init__(purse, eval_id, ())
        self._from = purse
        self._block: Block | None = block
        self._reserved = reserved

    def settle(self, cost: Cost | None) -> None:
        """Pay; None when nobody knows what it cost, which counts as all that was reserved."""
        block, self._block = self._block, None
        if block is not None:
            self._from.pay(self.eval_id, block, self._reserved, cost)


class _Turn:
    """A wait for the driver's answer, in whatever loop the call runs."""

    __slots__ = ("_answer", "_loop")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[Block | str] = self._loop.create_future()

    async def wait(self) -> Block | str:
        """Return what the driver said."""
        return await self._answer

    def end(self, answer: Block | str, otherwise: Callable[[], None] = lambda: None) -> None:
        """Hand the answer over; `otherwise` is called where nobody waits for it any more."""

        def hand_over() -> None:
            if self._answer.done():
                otherwise()
            else:
                self._answer.set_result(answer)

        try:
            self._loop.call_soon_threadsafe(hand_over)
        except RuntimeError:  # the loop of a body in a thread has ended
            otherwise()
