"""The limiter of a worker: its places are a share of the run's, its gate is everybody's."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from tierwise.evals.limiting import Limiter, Slot
from tierwise.evals.remote.messages import UNTOLD, Rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.evals.remote.messages import CloseGate, Share


class LeasedLimiter(Limiter):
    """Lets as many calls in as the driver said last, and tells it how they go.

    No call asks the driver: the share is there before it. A busy vendor halves the share at once,
    before the driver has said so for all.
    """

    def __init__(
        self,
        provider: str,
        say: Callable[[Rate], None],
        known: dict[str, LeasedLimiter],
        *,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(ceiling=1, clock=clock, chance=chance)
        self._provider = provider
        self._say = say
        self._known = known
        self._limit = 0.0
        self._epoch = UNTOLD
        self._n_answered = 0
        self._is_dirty = True
        known[provider] = self

    def make_another(self, name: str = "") -> Limiter:
        """Return the limiter of another provider, which has a share of its own."""
        found = self._known.get(name)
        if found is None:
            found = LeasedLimiter(
                name, self._say, self._known, clock=self._clock, chance=self._chance
            )
            found.flush()
        return found

    def take_share(self, share: Share) -> None:
        """Let as many calls in as the driver says."""
        self._epoch = share.epoch
        self.allow(share.limit)
        # Places that are taken or wanted have to be told anew, now that others look at them.
        self._is_dirty = True

    def take_gate(self, order: CloseGate) -> None:
        """Let nobody call for a while: the vendor said so to another worker."""
        self.close_gate(order.seconds)

    def flush(self) -> None:
        """Tell the driver how calls went since the last time, if any did."""
        if self._is_dirty:
            self._tell()

    async def enter(self) -> Slot:
        """Take a place, after all who came before; say so where there is none."""
        slot = self.try_enter()
        if slot is not None:
            return slot
        self._is_dirty = True
        return await super().enter()

    def try_enter(self) -> Slot | None:
        """Take a place if one is free."""
        slot = super().try_enter()
        self._is_dirty = True
        return slot

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
        super().leave(
            slot, answered=answered, busy=busy, failed=failed, retry_after_s=retry_after_s
        )
        self._n_answered += answered
        self._is_dirty = True
        if busy or retry_after_s is not None:
            self._tell(is_busy=busy, retry_after_s=retry_after_s)

    def _tell(self, *, is_busy: bool = False, retry_after_s: float | None = None) -> None:
        answered, self._n_answered, self._is_dirty = self._n_answered, 0, False
        self._say(
            Rate(
                provider=self._provider,
                epoch=self._epoch,
                in_flight=self.n_in_flight,
                waiting=self.n_waiting,
                answered=answered,
                is_busy=is_busy,
                retry_after_s=retry_after_s,
            )
        )

    def _adapt(self, *, answered: bool, busy: bool) -> None:
        del answered  # the driver alone raises the limit, for all
        if busy:
            self._limit = min(self._limit, max(1.0, self._limit / 2))
            self._n_cuts += 1
