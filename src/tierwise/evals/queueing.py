"""The trials of all jobs in the order in which they start, none made before its turn."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.evals.job import Job
    from tierwise.evals.planned_trials import PlannedTrial

    FindCut = Callable[[Job], str | None]


class TrialQueue:
    """Hands out one trial after another: evals in turn, and within each its own order.

    Where several providers answer, each has a lane and the lanes take turns, so that no provider
    waits for another one's evals. `find_cut` tells why no further trial of a job may start, such
    as a budget that is reached.
    """

    def __init__(self, jobs: Iterable[Job], *, find_cut: FindCut = lambda _job: None) -> None:
        lanes: dict[int, deque[Job]] = {}
        for job in jobs:
            lanes.setdefault(id(job.setting.caller), deque()).append(job)
        self._lanes = deque(lanes.values())
        self._find_cut = find_cut
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Is nothing handed out any more?"""
        return self._is_closed

    def close(self) -> None:
        """Hand out nothing any more."""
        self._is_closed = True

    def next(self) -> tuple[Job, PlannedTrial] | None:
        """Return the next trial with its job; None when there is none."""
        while self._lanes and not self._is_closed:
            lane = self._lanes[0]
            found = self._next_of(lane)
            if found is not None:
                self._lanes.rotate(-1)
                return found
            self._lanes.popleft()
        return None

    def _next_of(self, lane: deque[Job]) -> tuple[Job, PlannedTrial] | None:
        while lane:
            job = lane[0]
            if not job.is_over and (cut := self._find_cut(job)):
                job.cut_by = cut
            trial = job.next_trial()
            if trial is not None:
                return job, trial
            lane.popleft()
        return None
