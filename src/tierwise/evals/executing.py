"""Where trials are carried out: in this process, or wherever another executor takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tierwise.evals.running import run_trial

if TYPE_CHECKING:
    from tierwise.evals.job import Job
    from tierwise.evals.planned_trials import PlannedTrial
    from tierwise.evals.running import TrialResult


class Executor(Protocol):
    """Carries out trials that the engine hands over, any number of them at once.

    One that works elsewhere sends the plan's case, index and seed there and fills `planned` in
    when the result comes back. What comes back can be pickled, apart from the case itself.
    """

    async def run(self, job: Job, planned: PlannedTrial) -> TrialResult:
        """Return how the trial ended; cancelling this call ends the trial."""
        ...

    async def close(self) -> None:
        """End what was started for it; no trial comes any more."""
        ...


class LocalExecutor:
    """Runs each trial as a task of the engine's own loop."""

    async def run(self, job: Job, planned: PlannedTrial) -> TrialResult:
        """Return how the trial ended."""
        return await run_trial(job.body, job.setting, planned)

    async def close(self) -> None:
        """End nothing: trials are tasks of the engine."""
