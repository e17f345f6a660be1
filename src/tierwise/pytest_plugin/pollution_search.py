"""Order dependence of a project's tests: what `tierwise bisect` and the audit call."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tierwise.errors import ExitCode
from tierwise.pollution.findings import Stop, VictimReport
from tierwise.pollution.naming import name_leaks
from tierwise.pollution.runs import Runs
from tierwise.pollution.victims import VictimPlan, search_victims
from tierwise.pytest_plugin.pollution_host import run_in_host
from tierwise.pytest_plugin.pollution_running import ForkedRunner
from tierwise.pytest_plugin.pollution_witness import ForkedWitness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    import pytest

    from tierwise.pollution.findings import Finding
    from tierwise.pytest_plugin.pollution_session import HeldSession

DEFAULT_TIMEOUT_S = 60.0


def find_victims(
    paths: Sequence[str] = (),
    *,
    seeds: int = 3,
    is_isolated: bool = True,
    budget_s: float | None = None,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    arguments: Sequence[str] = (),
    tell: Callable[[str, int], None] = lambda _doing, _runs: None,
) -> VictimReport:
    """Return which tests depend on order, and on whom, without changing anything.

    The suite is collected in a process of its own, so that it may exit or crash; each run is a
    child of that one. `timeout_s` is for a single test, `budget_s` for the whole search, which
    says how far it got. `tell` hears what is being done and how many runs there were.
    """
    plan = VictimPlan(seeds=tuple(range(1, seeds + 1)), is_isolated=is_isolated)
    deadline = None if budget_s is None else time.monotonic() + budget_s
    found = run_in_host(
        [*paths, *arguments],
        partial(_search_victims, plan=plan, deadline=deadline, timeout_s=timeout_s),
        tell=tell,
    )
    if found.answer is not None:
        return found.answer
    is_interrupted = found.exit_code == ExitCode.INTERRUPTED
    return VictimReport(
        tests=0, trouble=found.said, stopped=Stop.INTERRUPTED if is_interrupted else None
    )


def _search_victims(
    held: HeldSession,
    session: pytest.Session,
    outgoing: Connection,
    *,
    plan: VictimPlan,
    deadline: float | None,
    timeout_s: float,
) -> VictimReport:
    runner = ForkedRunner(session, timeout_s=timeout_s, deadline=deadline, closed=(outgoing,))
    runs = open_runs(runner, outgoing, deadline)
    report = search_victims(runs, runner.tests, plan)
    findings = tuple(
        one if _is_over(deadline) else name_in_project(one, runner, session)
        for one in report.findings
    )
    return replace(report, findings=findings, notes=held.notes())


def _is_over(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def name_in_project(finding: Finding, runner: ForkedRunner, session: pytest.Session) -> Finding:
    """Return the finding with what its culprits leave changed; Ctrl-C costs that alone."""
    try:
        return name_leaks(ForkedWitness(runner, session.config.rootpath), finding)
    except KeyboardInterrupt:
        return finding


def open_runs(runner: ForkedRunner, outgoing: Connection, deadline: float | None) -> Runs:
    """Return the runs of a search that tells its parent what it does."""
    return Runs(
        runner,
        now=time.monotonic,
        deadline=deadline,
        tell=lambda doing, runs: outgoing.send(("tell", doing, runs)),
    )
