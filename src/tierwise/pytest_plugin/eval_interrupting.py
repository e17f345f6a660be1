"""A session that ends before its evals are done, said in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.evals.job import Job


class EvalsStopped(pytest.exit.Exception):  # type: ignore[name-defined,misc]  # made at run time
    """Ends the session at once, without a trace through code that is not the user's."""

    def __init__(self, text: str, *, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(text, returncode=code)


class EvalsInterrupted(EvalsStopped):
    """Ends the session as Ctrl-C does."""

    def __init__(self, text: str) -> None:
        super().__init__(text, code=ExitCode.INTERRUPTED)


def say_interrupted(jobs: Iterable[Job], *, is_kept: bool) -> str:
    """Return how far the trials were, and that they show nothing."""
    running = tuple(jobs)
    n_done = sum(job.counted.n for job in running)
    n_planned = sum(job.plan.n_to_run for job in running)
    fate = (
        "kept in the store; the same command goes on from there (without --fresh)"
        if is_kept
        else "not kept"
    )
    return (
        f"interrupted after {n_done} of {n_planned} trials: {fate}. What is not whole is not "
        "judged, and nothing is proven by it"
    )
