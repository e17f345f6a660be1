"""A project's evals run by a pytest session of our own, in this process."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import EvalJudged
from tierwise.domain.suite import EvalListing, EvalRequest, ListedEval, SuiteResult
from tierwise.errors import ExitCode
from tierwise.pytest_plugin.eval_choosing import RUN, EvalRun
from tierwise.pytest_plugin.eval_exit import settle_exit
from tierwise.pytest_plugin.eval_interrupting import EvalsStopped
from tierwise.pytest_plugin.eval_items import SESSION, EvalItem
from tierwise.pytest_plugin.eval_reports import STORE, state_of_report
from tierwise.pytest_plugin.state import STATE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tierwise.domain import Event, Listener
    from tierwise.pytest_plugin.state import State

_SHOWN = frozenset({"passed", "undecided", "nothing", "budget", "refuted", STORE})
# The command that calls pytest is part of the plugin's package.
ALREADY_IMPORTED = (
    "ignore:Module already imported so cannot be rewritten; tierwise:"
    "pytest.PytestAssertRewriteWarning"
)
_MOST_SAID = 500
_SAID_BY_TABLE = frozenset({ExitCode.OK, ExitCode.FAILED, ExitCode.NOTHING_COLLECTED})


class PytestSuite:
    """Implements `domain.suite.Suite` by pytest.

    What pytest prints is kept back, and handed over when something happened that a table of
    verdicts does not show: a file that cannot be imported, a forbidden touch, a broken fixture.
    """

    def run_evals(self, request: EvalRequest, listen: Listener) -> SuiteResult:
        """Run the evals that are asked for and tell each event as it happens."""
        watcher = _Watcher(listen)
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = _run_pytest(arguments_of(request), watcher)
        if not request.is_dry:
            code = settle_exit(
                code, n_selected=len(watcher.waiting) + watcher.n_judged, n_judged=watcher.n_judged
            )
        said = watcher.stopped or "\n".join(watcher.complaints)
        error = said or "\n".join(watcher.troubles)
        is_shown = watcher.has_misuse or is_said_by_table(code)
        if not watcher.stopped and (watcher.has_trouble or not is_shown):
            said = pick_output(output.getvalue(), errors.getvalue())
            error = error or shorten(said)
        not_run = () if request.is_dry else tuple(watcher.waiting.values())
        return SuiteResult(
            exit_code=code,
            output=said,
            error=error,
            store=watcher.store,
            run_id=watcher.run_id,
            not_run=not_run,
        )

    def list_evals(self, request: EvalRequest) -> EvalListing:
        """Collect the evals that are asked for and run nothing."""
        collector = _Collector()
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            arguments = [*arguments_of(request), "--collect-only", "-q"]
            code = int(pytest.main(arguments, plugins=[collector]))
        said = "" if code == ExitCode.OK else pick_output(output.getvalue(), errors.getvalue())
        return EvalListing(exit_code=code, evals=collector.evals, output=said)


class _Collector:
    """A plugin of one session: asks for evals alone, and lists what was collected."""

    tierwise_asks_for_evals = True

    def __init__(self) -> None:
        self.evals: tuple[ListedEval, ...] = ()

    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        early_config.stash[RUN] = EvalRun()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        state = session.config.stash[STATE]
        self.evals = tuple(
            list_item(item, state) for item in session.items if isinstance(item, EvalItem)
        )


class _Watcher:
    """A plugin of one session: asks for evals alone, and notices what else goes wrong."""

    tierwise_asks_for_evals = True

    def __init__(self, listen: Listener) -> None:
        self._tell = listen
        self.waiting: dict[str, str] = {}
        """Selected evals that no verdict came from so far."""
        self.n_judged = 0
        self.has_trouble = False
        self.has_misuse = False
        self.complaints: list[str] = []
        """What was used wrongly and no table shows."""
        self.troubles: list[str] = []
        """Whatever else failed, a line for each."""
        self.store: Path | None = None
        self.run_id = ""
        self.stopped = ""

    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        # Before anybody's pytest_configure, which asks for it.
        early_config.stash[RUN] = EvalRun(listen=self._listen)

    def _listen(self, event: Event) -> None:
        if isinstance(event, EvalJudged) and self.waiting.pop(event.summary.eval_id, ""):
            self.n_judged += 1
        self._tell(event)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.waiting = {item.nodeid: f"{item.nodeid}: not reached" for item in session.items}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome == "failed":
            self._take(report, is_misuse=report.__dict__.get("tierwise") == {"misuse": True})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == "skipped" and report.nodeid in self.waiting:
            self.waiting[report.nodeid] = f"{report.nodeid}: {reason_of_skip(report)}"
        state = state_of_report(report) if report.outcome == "failed" else "passed"
        if state == STORE:
            self.troubles.append(say_crash(report))
        if state not in _SHOWN:
            self._take(report, is_misuse=state == "misuse")

    def _take(self, report: pytest.CollectReport | pytest.TestReport, *, is_misuse: bool) -> None:
        self.has_misuse |= is_misuse
        self.has_trouble |= not is_misuse
        if not is_misuse:
            self.troubles.append(f"{report.nodeid}: {say_crash(report)}")
        # An eval that was told of stands in the table, with its error.
        if is_misuse and (
            not isinstance(report, pytest.TestReport) or report.nodeid in self.waiting
        ):
            self.complaints.append(report.longreprtext)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if isinstance(excinfo.value, EvalsStopped):
            self.stopped = str(excinfo.value)
        elif type(excinfo.value) is KeyboardInterrupt:  # pytest's own are errors of collecting
            self.stopped = self._say_interrupted()

    def _say_interrupted(self) -> str:
        return (
            f"interrupted while no trial ran: {self.n_judged} of "
            f"{self.n_judged + len(self.waiting)} evals were judged. Each trial that had ended is "
            "kept in the store; the same command goes on from there (without --fresh)"
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        recording = session.config.stash[STATE].recording
        evals = session.config.stash.get(SESSION, None)
        if evals is not None and evals.has_store_failed:
            return  # nothing is to be looked for there
        if recording is not None and recording.run_id is not None:
            self.store, self.run_id = recording.path, recording.run_id


def _run_pytest(arguments: Sequence[str], watcher: _Watcher) -> int:
    try:
        return int(pytest.main(list(arguments), plugins=[watcher]))
    except KeyboardInterrupt:  # before its session began, or once more while it cleaned up
        watcher.stopped = watcher.stopped or "interrupted"
        return ExitCode.INTERRUPTED


def list_item(item: EvalItem, state: State) -> ListedEval:
    """Return an eval as it was collected."""
    tier = state.tier_of_item(item)
    return ListedEval(
        eval_id=item.nodeid,
        tier=None if tier is None else tier.name,
        declaration=item.declaration,
        wants_provider="provider" in item.wants,
    )


def is_said_by_table(code: int) -> bool:
    """Tell whether a table of verdicts shows why a run ended with this code."""
    return code in _SAID_BY_TABLE or code >= ExitCode.UNDECIDED


def reason_of_skip(report: pytest.TestReport) -> str:
    """Return why an eval was skipped, in one line."""
    said = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    return said.strip().partition("\n")[0]


def say_crash(report: pytest.CollectReport | pytest.TestReport) -> str:
    """Return why something failed, in one line."""
    lines = [line for line in report.longreprtext.splitlines() if line.strip()]
    found = [line.removeprefix("E").strip() for line in lines if line.startswith("E  ")]
    return shorten((found or lines[-1:] or ["no reason given"])[0])


def shorten(text: str) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= _MOST_SAID else f"{text[:_MOST_SAID]} ..."


def pick_output(output: str, errors: str) -> str:
    """Return pytest's own complaint if it has one, or else all that it said."""
    complaints = [line for line in errors.splitlines() if line.startswith("ERROR: ")]
    return "\n".join(complaints) or f"{output}{errors}".strip()


def arguments_of(request: EvalRequest) -> list[str]:
    """Return pytest's arguments for a request."""
    # By the entry point's name, so that it is loaded once, with or without autoloading.
    arguments = ["-p", "tierwise", "-W", ALREADY_IMPORTED, *request.paths]
    for tier in request.tiers:
        arguments += ["--tier", tier]
    for provider in request.providers:
        arguments += ["--eval-provider", provider]
    options = {
        "-k": request.keyword,
        "--eval-trials": request.trials,
        "--eval-concurrency": request.concurrency,
        "--eval-baseline": request.baseline,
        "--eval-executor": request.executor,
        "--eval-workers": request.workers,
        **{f"--eval-max-{name}": limit for name, limit in request.limits.items()},
    }
    for name, value in options.items():
        if value is not None:
            arguments += [name, str(value)]
    flags = {
        "--eval-fresh": request.is_fresh,
        "--eval-cache": request.is_cached,
        "--eval-dry-run": request.is_dry,
    }
    return [*arguments, *(name for name, is_set in flags.items() if is_set)]
