"""Which worker carries out which trial, and what is left to do when one dies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.evals.remote.messages import Ticket


class Assignment:
    """Trials in flight, each at one worker, at most `most` at each.

    A number that landed or was lost is in flight no more, so that nothing counts twice.
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._at: dict[int, dict[int, Ticket]] = {}
        self._worker_of: dict[int, int] = {}

    @property
    def n_in_flight(self) -> int:
        """How many trials are at some worker."""
        return len(self._worker_of)

    def add_worker(self, worker: int) -> None:
        """Let a worker take part."""
        self._at[worker] = {}

    def assign(self, ticket: Ticket) -> int | None:
        """Give a trial to the worker with the fewest; None when all have as many as they may."""
        worker = min(self._at, key=lambda each: len(self._at[each]), default=None)
        if worker is None or len(self._at[worker]) >= self._most:
            return None
        self._at[worker][ticket.number] = ticket
        self._worker_of[ticket.number] = worker
        return worker

    def finish(self, number: int) -> int | None:
        """End a trial; return its worker, or None when it is not in flight: nothing is counted."""
        worker = self._worker_of.pop(number, None)
        if worker is not None:
            del self._at[worker][number]
        return worker

    def lose(self, worker: int) -> tuple[Ticket, ...]:
        """Take a worker out; return the trials that have to run elsewhere, in their order."""
        lost = tuple(self._at.pop(worker, {}).values())
        for ticket in lost:
            del self._worker_of[ticket.number]
        return lost
