"""How many calls of one provider may be in flight at once: what the vendor bears decides."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError

if TYPE_CHECKING:
    from collections.abc import Callable

_CUT = 2.0
_SPREAD = 0.1
"""Calls that a closed gate held back return over this share of the time that it was closed."""

Slot = int
"""A place in flight; its number counts the cuts before it was taken."""


class Limiter:
    """Adapts the number of calls in flight: additive increase, multiplicative decrease.

    It starts at `start` (the ceiling unless said). A window of as many answers as may be in flight
    adds one, up to `ceiling`; a busy vendor halves it, once for all calls that were in flight
    together, down to one. `Retry-After` closes the gate for all calls until then. Waiting calls
    are served in the order in which they came; one that is cancelled gives its place back. Each
    step takes constant time. Safe to use from several threads, each with its own event loop.
    """

    def __init__(
        self,
        *,
        ceiling: int,
        start: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        start = ceiling if start is None else start
        if not 1 <= start <= ceiling:
            raise EvalUsageError(
                f"A limiter starts at {start} calls in flight with a ceiling of {ceiling}; "
                "expected 1 <= start <= ceiling."
            )
        self._ceiling = ceiling
        self._start = start
        self._limit = float(start)
        self._clock = clock
        self._chance = chance
        self._lock = threading.Lock()
        self._n_in_flight = 0
        self._n_cuts = 0
        self._open_at = clock()
        self._closed_s = 0.0
        self._silent_since: float | None = None
        self._queue: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[Slot]]] = deque()

    def make_another(self, name: str = "") -> Limiter:
        """Return a limiter for another provider, `name`, which starts where this one did."""
        del name  # of use where limits are shared between processes
        return Limiter(
            ceiling=self._ceiling, start=self._start, clock=self._clock, chance=self._chance
        )

    @property
    def limit(self) -> int:
        """How many calls may be in flight now."""
        return int(self._limit)

    @property
    def n_in_flight(self) -> int:
        """How many places are taken."""
        return self._n_in_flight

    @property
    def n_waiting(self) -> int:
        """How many calls wait for a place; one that was just cancelled may still be among them."""
        return len(self._queue)

    def allow(self, limit: int) -> None:
        """Let so many calls be in flight from now on, whatever was learnt before."""
        with self._lock:
            self._limit = float(limit)
            served = self._serve()
        _wake(served, self.leave)

    def close_gate(self, seconds: float) -> None:
        """Let no call begin for so long."""
        with self._lock:
            self._close(seconds)

    def closed_for_s(self) -> float:
        """Return for how long the vendor still wants to be left alone; 0 when the gate is open."""
        return max(0.0, self._open_at - self._clock())

    def silent_for_s(self) -> float:
        """Return for how long the vendor has answered no call at all; 0 while it answers."""
        since = self._silent_since
        return 0.0 if since is None else self._clock() - since

    def spread_s(self) -> float:
        """Return a random delay after a closed gate, so that those who waited do not rush it."""
        return self._chance() * _SPREAD * self._closed_s

    def try_enter(self) -> Slot | None:
        """Take a place if one is free."""
        with self._lock:
            if self._n_in_flight >= self.limit:  # nobody waits while there is room
                return None
            self._n_in_flight += 1
            return self._n_cuts

    async def enter(self) -> Slot:
        """Take a place, after all who came before."""
        slot = self.try_enter()
        if slot is not None:
            return slot
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[Slot] = loop.create_future()
        with self._lock:
            self._queue.append((loop, turn))
            served = self._serve()
        _wake(served, self.leave)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(turn.result())
            raise

    def leave(
        self,
        slot: Slot,
        *,
        answered: bool = False,
        busy: bool = False,
        failed: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        """Give the place back, with what is to be learnt from how the call ended."""
        with self._lock:
            self._n_in_flight -= 1
            if answered:
                self._silent_since = None
            elif failed and self._silent_since is None:
                self._silent_since = self._clock()
            if retry_after_s is not None:
                self._close(retry_after_s)
            if slot == self._n_cuts:  # what was in flight before the last cut tells nothing new
                self._adapt(answered=answered, busy=busy)
            served = self._serve()
        _wake(served, self.leave)

    def _close(self, seconds: float) -> None:
        opens_at = self._clock() + seconds
        if opens_at > self._open_at:
            self._open_at, self._closed_s = opens_at, seconds

    def _adapt(self, *, answered: bool, busy: bool) -> None:
        if busy:
            self._limit = max(1.0, self._limit / _CUT)
            self._n_cuts += 1
        elif answered:
            self._limit = min(float(self._ceiling), self._limit + 1 / self._limit)

    def _serve(self) -> list[_Served]:
        served = []
        while self._queue and self._n_in_flight < self.limit:
            loop, turn = self._queue.popleft()
            if not turn.done():  # a waiter that was cancelled left its future behind
                self._n_in_flight += 1
                served.append((loop, turn, self._n_cuts))
        return served


_Served = tuple[asyncio.AbstractEventLoop, "asyncio.Future[Slot]", Slot]


def _wake(served: list[_Served], give_back: Callable[[Slot], None]) -> None:
    for loop, turn, slot in served:
        if _is_running_here(loop):
            turn.set_result(slot)
            continue
        try:
            loop.call_soon_threadsafe(_hand_over, turn, slot, give_back)
        except RuntimeError:  # the waiter's loop is closed
            give_back(slot)


def _hand_over(turn: asyncio.Future[Slot], slot: Slot, give_back: Callable[[Slot], None]) -> None:
    if turn.done():
        give_back(slot)
    else:
        turn.set_result(slot)


def _is_running_here(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False
