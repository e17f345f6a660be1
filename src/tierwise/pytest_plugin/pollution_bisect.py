"""One test of a project, bisected."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from tierwise.errors import ExitCode, MisuseError, SuiteError, TierwiseError
from tierwise.pollution.bisecting import bisect_test
from tierwise.pollution.choosing import choose_test, limit_order
from tierwise.pollution.findings import Dependence, Finding, Stop
from tierwise.pollution.orders import Order, plan_around
from tierwise.pytest_plugin.pollution_host import run_in_host
from tierwise.pytest_plugin.pollution_imports import (
    Surroundings,
    bisect_imports,
    may_be_imports,
    surroundings_of,
)
from tierwise.pytest_plugin.pollution_running import ForkedRunner
from tierwise.pytest_plugin.pollution_search import DEFAULT_TIMEOUT_S, name_in_project, open_runs
from tierwise.pytest_plugin.state import STATE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    import pytest

    from tierwise.pytest_plugin.pollution_host import HostResult
    from tierwise.pytest_plugin.pollution_session import HeldSession


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectRequest:
    """Which test is asked about, and how it is searched."""

    test: str
    """Its node id or a part of one."""
    places: tuple[str, ...] = ()
    """Where culprits are looked for; everywhere when empty."""
    order_seed: str | None = None
    seeds: tuple[int, ...] = (1, 2, 3)
    timeout_s: float = DEFAULT_TIMEOUT_S
    budget_s: float | None = None
    arguments: tuple[str, ...] = ()
    """Of pytest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectResult:
    """What is known of the test."""

    finding: Finding
    notes: tuple[str, ...] = ()
    is_random: bool = False
    """Does the project run its tests in random order?"""
    where: Surroundings | None = None


def bisect_in_project(
    request: BisectRequest, *, tell: Callable[[str, int], None] = lambda _doing, _runs: None
) -> BisectResult:
    """Collect the project's suite in a process of its own and bisect one of its tests."""
    deadline = None if request.budget_s is None else time.monotonic() + request.budget_s
    seed = ["--order-seed", request.order_seed] if request.order_seed else []
    found = run_in_host(
        [*seed, *request.arguments],
        partial(_bisect, request=request, deadline=deadline),
        tell=tell,
    )
    if isinstance(found.answer, TierwiseError):
        raise found.answer
    if found.answer is None:
        return _say_trouble(found, request)
    result = found.answer
    if result.where is not None and may_be_imports(result.finding, result.where):
        finding = bisect_imports(result.finding, result.where, deadline=deadline, tell=tell)
        return replace(result, finding=finding)
    return result


def _bisect(
    held: HeldSession,
    session: pytest.Session,
    outgoing: Connection,
    *,
    request: BisectRequest,
    deadline: float | None,
) -> BisectResult | TierwiseError:
    runner = ForkedRunner(
        session, timeout_s=request.timeout_s, deadline=deadline, closed=(outgoing,)
    )
    state = session.config.stash[STATE]
    if not runner.tests:
        return _no_tests(held.notes())
    try:
        test = choose_test(runner.tests, request.test)
        own = Order(name=_name_order(state.order_seed), tests=runner.tests)
        own = limit_order(own, test, request.places)
    except MisuseError as error:
        return MisuseError("\n".join([*error.args, *held.notes()]))
    runs = open_runs(runner, outgoing, deadline)
    finding = bisect_test(runs, test, plan_around(test, own, request.seeds))
    finding = name_in_project(finding, runner, session)
    return BisectResult(
        finding=finding,
        notes=held.notes(),
        is_random=state.config.order == "random",
        where=surroundings_of(session, runner.tests, request.timeout_s, request.arguments),
    )


def _no_tests(notes: Sequence[str]) -> SuiteError:
    error = SuiteError("\n".join(["No tests were collected.", *notes]))
    error.exit_code = ExitCode.NOTHING_COLLECTED
    return error


def _name_order(seed: int | None) -> str:
    return "as collected" if seed is None else f"the random order of seed {seed}"


def _say_trouble(
    found: HostResult[BisectResult | TierwiseError], request: BisectRequest
) -> BisectResult:
    if found.exit_code == ExitCode.INTERRUPTED:
        finding = Finding(
            test=request.test,
            dependence=Dependence.UNDECIDED,
            reason="interrupted while tests were collected: nothing is known yet",
            stopped=Stop.INTERRUPTED,
        )
        return BisectResult(finding=finding)
    if found.exit_code == ExitCode.USAGE:
        raise MisuseError(f"pytest did not start: {found.said}")
    raise SuiteError(f"Nothing was run: {found.said}.")
