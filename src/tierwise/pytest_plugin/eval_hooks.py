"""Hooks by which evals are collected, run in one scheduler, shown and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Capability
from tierwise.errors import MisuseError, StoreError, WorkerError
from tierwise.pytest_plugin.eval_choosing import RUN, EvalRun, choose_evals, is_for_evals
from tierwise.pytest_plugin.eval_comparing import provider_lines
from tierwise.pytest_plugin.eval_exit import Endings, decide_exit
from tierwise.pytest_plugin.eval_items import SESSION, EvalItem
from tierwise.pytest_plugin.eval_refusals import refuse_in_test_case, refuse_name
from tierwise.pytest_plugin.eval_reports import REPORTS, EvalReports
from tierwise.pytest_plugin.eval_serving import SERVING, begin_serving

if TYPE_CHECKING:
    from collections.abc import Generator

    from tierwise.pytest_plugin.state import State

_DECLARATION = "__tierwise_eval__"  # evals.declaration.DECLARATION, which is not loaded here


def register(config: pytest.Config, state: State) -> None:
    """Put the hooks in place; nothing of the evals themselves is loaded before one is found."""
    config.pluginmanager.register(EvalHooks(config, state), "tierwise-evals")


class EvalHooks:
    """Reads, asks, translates."""

    def __init__(self, config: pytest.Config, state: State) -> None:
        self._state = state
        self._endings = Endings()
        self._complaint = ""
        if config.getoption("tierwise_eval_dry_run"):
            # A dry run is no evidence, so that nothing of it may reach the map.
            state.recording = None
        self._is_undistributed = _stop_distribution(config, state)
        if getattr(config.option, "dist", "no") != "no" and not state.is_worker:
            self._watch_reports(config)  # the controller does not see what workers collected

    def pytest_report_header(self) -> str | None:
        """Say that -n does not hold."""
        if not self._is_undistributed:
            return None
        return "evals: one process schedules all trials, so -n is switched off for this run"

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(
        self, collector: pytest.Module | pytest.Class, name: str, obj: object
    ) -> EvalItem | None:
        """Make an item of our own for what `@evaluate` declared."""
        if not hasattr(obj, _DECLARATION):
            refuse_in_test_case(obj)
            return None
        if collector.istestfunction(obj, name):
            return EvalItem.build(collector, name, obj)
        refuse_name(collector, name, obj)
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Show misuse in a declaration as what it is: where, what, and the way out."""
        report = yield
        call: pytest.CallInfo[Any] | None = report.__dict__.get("call")
        error = call.excinfo.value if call is not None and call.excinfo else None
        if isinstance(error, MisuseError) and call is not None and call.excinfo is not None:
            report.longrepr = f"{_place_of(call.excinfo, collector)}\n{error}"
            report.tierwise = {"misuse": True}  # type: ignore[attr-defined]  # decides the exit
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep evals alone, or leave them out."""
        choose_evals(config, self._state, items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Prepare the session's evals, or refuse to start what could not run."""
        items = [item for item in session.items if isinstance(item, EvalItem)]
        if not items or session.config.option.collectonly:
            return
        self._watch_reports(session.config)
        if self._state.is_worker:
            return
        if SERVING in session.config.stash:
            begin_serving(session, self._state, items)
            return
        from tierwise.pytest_plugin.eval_interrupting import tell_stop  # noqa: PLC0415
        from tierwise.pytest_plugin.eval_session import EvalSession  # noqa: PLC0415

        run = session.config.stash.get(RUN, None) or EvalRun(listen=tell_stop(session.config))
        try:
            evals = EvalSession(session.config, self._state, items, run.listen)
        except MisuseError as error:
            raise pytest.UsageError(str(error)) from None
        session.config.stash[SESSION] = evals

    def _watch_reports(self, config: pytest.Config) -> None:
        # These hooks run for every phase of every test, so that only who has evals pays.
        if not config.pluginmanager.has_plugin(REPORTS):
            config.pluginmanager.register(EvalReports(self._state, self._endings), REPORTS)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count what could not be collected."""
        if report.outcome == "failed":
            self._endings.count(None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write what is left, then let undecided have its own exit code."""
        evals = session.config.stash.get(SESSION, None)
        session.exitstatus = decide_exit(int(session.exitstatus), self._endings)
        try:
            if evals is not None:
                self._complaint = evals.close()
        except StoreError as error:
            self._complaint = f"The last trials were not kept: {error}"
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        except WorkerError as error:
            self._complaint = str(error)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table of all evals that were judged."""
        evals = terminalreporter.config.stash.get(SESSION, None)
        if self._complaint:
            terminalreporter.write_line(self._complaint)
        if evals is None or RUN in terminalreporter.config.stash:
            return
        from tierwise.evals.table import table_lines  # noqa: PLC0415  no eval, no import

        if evals.summaries:
            terminalreporter.section("evals")
            compared = provider_lines(evals.summaries, self._state.recording)
            for line in [*table_lines(evals.summaries), *compared]:
                terminalreporter.write_line(line)
        if evals.is_dry:
            terminalreporter.write_line(
                f"dry run: {evals.n_dry} evals carried out once, offline; no verdict"
            )


def _place_of(excinfo: pytest.ExceptionInfo[BaseException], collector: pytest.Collector) -> str:
    """Return the line of the user's file that the error came from."""
    for entry in reversed(excinfo.traceback):
        if str(entry.path) == str(collector.path):
            return f"{collector.nodeid}:{entry.lineno + 1}"
    return collector.nodeid


def _stop_distribution(config: pytest.Config, state: State) -> bool:
    """Switch pytest-xdist off when evals, or a tier that may call a model, were asked for."""
    is_distributed = getattr(config.option, "dist", "no") != "no" and not state.is_worker
    has_evals = is_for_evals(config) or any(
        tier.name in state.wanted
        and tier.deliberate
        and any(entry.capability is Capability.MODEL for entry in tier.allow)
        for tier in state.config.tiers
    )
    if not (is_distributed and has_evals):
        return False
    config.option.dist, config.option.tx, config.option.numprocesses = "no", [], 0
    return True
