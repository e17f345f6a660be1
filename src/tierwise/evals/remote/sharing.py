"""How many calls of one provider each worker may have in flight: the vendor's word, divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.evals.remote.messages import UNTOLD, Share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.evals.remote.messages import Rate

_CUT = 2.0


def share_out(limit: int, wanted: Mapping[int, int]) -> dict[int, int]:
    """Divide `limit` places: nobody who wants more gets less than another, none is left over.

    Places that nobody wants are dealt out evenly, so that who begins a call need not ask first.
    """
    shares = dict.fromkeys(wanted, 0)
    left = limit
    hungry = sorted(wanted, key=lambda each: (wanted[each], each))
    while hungry and left:
        each = max(left // len(hungry), 1)
        first = hungry[0]
        given = min(wanted[first], each)
        if given == wanted[first]:
            shares[first] = given
            left -= given
            hungry.pop(0)
            continue
        for position, worker in enumerate(hungry):
            shares[worker] = left // len(hungry) + (position < left % len(hungry))
        left = 0
    for position, worker in enumerate(sorted(shares)):
        shares[worker] += left // len(shares) + (position < left % len(shares))
    return shares


@dataclass(slots=True)
class _Side:
    """What is known of one worker."""

    wanted: int = 0
    in_flight: int = 0
    share: int = 0


class RatePool:
    """One provider's limit for the whole run: additive increase, multiplicative decrease.

    Workers say how their calls went; each then gets its share. A vendor that is busy halves the
    limit once for all calls that were in flight together, as it does on one machine.
    """

    def __init__(self, provider: str, *, ceiling: int) -> None:
        self._provider = provider
        self._ceiling = ceiling
        self._limit = float(ceiling)
        self._epoch = 0
        self._sides: dict[int, _Side] = {}

    @property
    def limit(self) -> int:
        """How many calls all workers together may have in flight."""
        return int(self._limit)

    def add_worker(self, worker: int) -> dict[int, Share]:
        """Let a worker take part; return what each is to be told."""
        self._sides.setdefault(worker, _Side())
        return self._share(anew=worker)

    def drop_worker(self, worker: int) -> dict[int, Share]:
        """Take a worker out, its calls with it; return what the others are to be told."""
        self._sides.pop(worker, None)
        return self._share()

    def take(self, worker: int, rate: Rate) -> dict[int, Share]:
        """Learn how a worker's calls went; return what has to be told to whom."""
        side = self._sides.get(worker)
        if side is None:
            return {}
        side.in_flight, side.wanted = rate.in_flight, rate.in_flight + rate.waiting
        if rate.epoch == self._epoch:  # what was in flight before the last cut tells nothing new
            for _ in range(rate.answered):
                self._limit = min(float(self._ceiling), self._limit + 1 / self._limit)
            if rate.is_busy:
                self._limit = max(1.0, self._limit / _CUT)
                self._epoch += 1
                return self._share(is_cut=True)
        return self._share(anew=worker if rate.epoch == UNTOLD else None)

    def _share(self, *, anew: int | None = None, is_cut: bool = False) -> dict[int, Share]:
        shares = share_out(
            self.limit, {worker: side.wanted for worker, side in self._sides.items()}
        )
        # Who has to give places up still has calls in them: they are given away when it says so.
        free = self.limit - sum(
            max(side.in_flight, min(shares[worker], side.share))
            for worker, side in self._sides.items()
        )
        told = {}
        for worker, side in self._sides.items():
            share = min(shares[worker], side.share)
            more = min(shares[worker] - share, max(free, 0))
            share, free = share + more, free - more
            if share != side.share or worker == anew or is_cut:
                side.share = share
                told[worker] = Share(provider=self._provider, limit=share, epoch=self._epoch)
        return told
