"""What the controller says and keeps: head, foot, exit code, run store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.config.folders import find_missing
from tierwise.domain import Mode, Outcome
from tierwise.pytest_plugin.ending import find_complete_tiers
from tierwise.pytest_plugin.eval_reports import undecided_message
from tierwise.pytest_plugin.facts import violations_from_json
from tierwise.pytest_plugin.state_reporting import left_from_json
from tierwise.pytest_plugin.summary import footer, header, report_line
from tierwise.pytest_plugin.tally import Tally, outcome_of_phase

if TYPE_CHECKING:
    from tierwise.pytest_plugin.facts import Facts
    from tierwise.pytest_plugin.state import State
    from tierwise.pytest_plugin.tally import Result


class Counting:
    """Add up each report as it arrives, here or from a worker."""

    def __init__(self, state: State, tally: Tally) -> None:
        self._state, self._tally = state, tally

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one phase; a test is done with its tear-down, or with its worker's death."""
        if is_plain_pass(report):
            self._tally.pass_phase(report.nodeid, report.duration)  # nearly all of them
        else:
            add_report(self._tally.result_of(report.nodeid), report)
        if report.when not in ("setup", "call"):
            result = self._tally.close(report.nodeid)
            result.location = say_location(report)
            self._keep(result)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember misuse of marks: it decides the exit code."""
        facts = report.__dict__.get("tierwise")
        self._state.has_misuse |= bool(facts and facts.get("misuse"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write what is left, also after Ctrl-C; misuse exits as misuse."""
        for result in self._tally.close_all():
            self._keep(result)
        stopped = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.TESTS_FAILED)
        if self._state.has_misuse and session.exitstatus in stopped:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        if self._state.recording is not None:
            self._state.recording.finish(
                exit_code=int(session.exitstatus),
                complete_tiers=find_complete_tiers(session, self._state, self._tally),
            )

    def _keep(self, result: Result) -> None:
        if self._state.recording is not None:
            self._state.recording.add(result)


def is_plain_pass(report: pytest.TestReport) -> bool:
    """Tell whether a report says no more than that its phase passed."""
    known = report.__dict__
    return report.outcome == "passed" and "tierwise" not in known and "wasxfail" not in known


def say_location(report: pytest.TestReport) -> str:
    """Return where a test is written, as `file:line`; "" where its worker died."""
    path, line, _ = report.location
    return f"{path}:{line + 1}" if line is not None else ""


def add_report(result: Result, report: pytest.TestReport) -> None:
    """Add one phase's report to its test."""
    facts: Facts = report.__dict__.get("tierwise", {})
    result.place(facts)
    if str(report.outcome) == "rerun":  # the word of plugins that try tests again
        result.try_again(report.duration)
        return
    result.violations += violations_from_json(facts)
    if "left" in facts:
        result.left += left_from_json(facts)
    message = "" if report.outcome == "passed" else message_of(report)
    outcome = outcome_of_phase(
        report.when, report.outcome, expected=hasattr(report, "wasxfail"), reason=message
    )
    unknown = undecided_message(report) if outcome is Outcome.FAILED else None
    if unknown is not None:
        outcome, message = Outcome.ERROR, unknown
    result.add_phase(outcome, report.duration, message)
    notes = facts.get("live", {}).get("notes")
    if notes and result.outcome is Outcome.PASSED:
        result.message = "; ".join(notes)  # a result is comparable with those of its subject
    if report.outcome == "failed":
        result.is_undecided = unknown is not None


def message_of(report: pytest.TestReport) -> str:
    """Return one line about what went wrong, or why the test did not run."""
    if hasattr(report, "wasxfail"):
        return f"xfail: {report.wasxfail}"
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else report.longreprtext
    return text.strip().partition("\n")[0].removeprefix("Failed: ")


class Telling:
    """The lines at the head and at the foot of the terminal."""

    def __init__(self, state: State, tally: Tally) -> None:
        self._state, self._tally = state, tally

    def pytest_report_header(self) -> str | None:
        """Say mode, tiers and seed; report mode without a table says nothing before the end."""
        state = self._state
        if not state.config.tiers and state.order_seed is None:
            return None
        return header(state.config, order_seed=state.order_seed, order_note=state.order_note)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what each tier came to, quiet under -q; a path that leads nowhere is always told."""
        if self._state.hints:
            terminalreporter.ensure_newline()
            for hint in self._state.hints:
                terminalreporter.write_line(hint)
        missing = find_missing(self._state.config)
        is_told = terminalreporter.config.get_verbosity() >= 0 and self._tell(
            terminalreporter, missing
        )
        if missing and not is_told:
            terminalreporter.ensure_newline()
            terminalreporter.write_line(missing)
        complaint = self._state.recording and self._state.recording.complaint
        if complaint:
            terminalreporter.write_line(f"tierwise: results were not recorded: {complaint}")

    def _tell(self, reporter: pytest.TerminalReporter, missing: str) -> bool:
        """Tell what the mode tells; return whether `missing` was part of it."""
        state = self._state
        if state.mode is Mode.REPORT:
            if self._tally.n_tests:
                reporter.write_line(report_line(state.config, self._tally))
            return False
        left_out = {} if state.wanted else state.left_out
        if not self._tally.n_tests and not left_out:
            return False
        reporter.write_sep("=", "tiers")
        shown = self._tally.in_order(tier.name for tier in state.config.tiers)
        lines = footer(
            shown,
            left_out=left_out,
            order_seed=state.order_seed,
            missing=missing,
            is_recorded=_is_recorded(state),
            width=reporter.config.get_terminal_writer().fullwidth if reporter.isatty else None,
        )
        for line in lines:
            reporter.write_line(line)
        return True


def _is_recorded(state: State) -> bool:
    return bool(state.run_id and state.recording and not state.recording.complaint)
