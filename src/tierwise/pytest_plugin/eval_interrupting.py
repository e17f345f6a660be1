"""A session that ends before its evals are done, said in one line."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, NoReturn

import pytest

from tierwise.domain import RunAbandoned, RunExplained, RunHeldUp, StopRequested
from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import Event, Listener
    from tierwise.evals.job import Job


_SAID = StopRequested | RunHeldUp | RunExplained | RunAbandoned


class EvalsStopped(pytest.exit.Exception):  # type: ignore[name-defined,misc]  # made at run time
    """Ends the session at once, without a trace through code that is not the user's."""

    def __init__(self, text: str, *, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(text, returncode=code)


class EvalsInterrupted(EvalsStopped):
    """Ends the session as Ctrl-C does."""

    def __init__(self, text: str) -> None:
        super().__init__(text, code=ExitCode.INTERRUPTED)


def tell_stop(config: pytest.Config) -> Listener:
    """Return a listener that says in pytest's own output what keeps a run from going on."""

    def listen(event: Event) -> None:
        from tierwise.evals.interrupting import say_stop  # noqa: PLC0415  loaded when evals run

        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if not isinstance(event, _SAID) or reporter is None:
            return
        said = say_stop(event.n_in_flight) if isinstance(event, StopRequested) else event.text
        capturing = config.pluginmanager.get_plugin("capturemanager")
        shown = (
            contextlib.nullcontext if capturing is None else capturing.global_and_fixture_disabled
        )
        with shown():
            reporter.write_line(f"\n{said}")
            reporter.flush()

    return listen


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


def end_process(listen: Listener, text: str) -> NoReturn:
    """Tell that the run is abandoned, and end the process from whatever thread this is."""
    try:
        listen(RunAbandoned(text=text, exit_code=ExitCode.INTERRUPTED))
    finally:
        os._exit(ExitCode.INTERRUPTED)
