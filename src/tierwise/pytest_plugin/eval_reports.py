"""Reports of evals: told apart, shown and counted as what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Mode
from tierwise.errors import MisuseError, StoreError
from tierwise.pytest_plugin.eval_items import SESSION, EvalConclusion, EvalItem

if TYPE_CHECKING:
    from collections.abc import Generator

    from tierwise.pytest_plugin.eval_exit import Endings
    from tierwise.pytest_plugin.state import State

REPORTS = "tierwise-eval-reports"
STORE = "store"
"""The state of an eval that could not be judged, since its trials could not be read."""
_WORDS = {
    "undecided": "UNDECIDED",
    "nothing": "NOTHING OBSERVED",
    "budget": "STOPPED BY BUDGET",
    "refuted": "REFUTED",
}
_UNKNOWN = ("undecided", "nothing", "budget")


class EvalReports:
    """Registered where there are evals, or may be."""

    def __init__(self, state: State, endings: Endings) -> None:
        self._state = state
        self._endings = endings

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Tell the states of an eval apart, and give each eval its own duration."""
        report = yield
        if isinstance(item, EvalItem) and call.when == "setup" and report.outcome == "failed":
            _tell_setup(item, report)
        if isinstance(item, EvalItem) and call.when == "call":
            error = call.excinfo.value if call.excinfo else None
            state = _state_of(error)
            is_enforced = self._state.mode is Mode.ENFORCE
            reason = error.reason if isinstance(error, EvalConclusion) else ""
            facts = {"state": state, "is_enforced": is_enforced, "reason": reason}
            report.tierwise_eval = facts  # type: ignore[attr-defined]  # travels with the report
            if state in _UNKNOWN and hasattr(report, "wasxfail"):
                # An expected failure is one that was seen; what could not be told is none.
                del report.wasxfail
                report.outcome, report.longrepr = "failed", str(error)
            evals = item.config.stash.get(SESSION, None)
            report.duration = (evals and evals.duration_of(item)) or report.duration
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(
        self, report: pytest.CollectReport | pytest.TestReport
    ) -> tuple[str, str, str] | None:
        """Show UNDECIDED as UNDECIDED, not as FAILED."""
        state = state_of_report(report) if report.outcome == "failed" else None
        if state in _UNKNOWN:
            return "undecided", "U", _WORDS[state]
        return ("failed", "F", _WORDS[state]) if state == "refuted" else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what is not a pass."""
        if report.outcome == "failed":
            self._endings.count(state_of_report(report))


def state_of_report(report: pytest.CollectReport | pytest.TestReport) -> str | None:
    """Return the state of an eval's report; None for other tests and for violations."""
    eval_facts = report.__dict__.get("tierwise_eval") or {}
    facts = report.__dict__.get("tierwise") or {}
    if facts.get("violations") and eval_facts.get("is_enforced"):
        return None
    state: str | None = eval_facts.get("state")
    return state


def undecided_message(report: pytest.TestReport) -> str | None:
    """Return why an eval could not be told, in one line; None for whatever else a report says."""
    state = state_of_report(report) if report.outcome == "failed" else None
    if state not in _UNKNOWN:
        return None
    return f"{_WORDS[state].lower()}: {report.__dict__['tierwise_eval']['reason']}"


def _tell_setup(item: EvalItem, report: pytest.TestReport) -> None:
    evals = item.config.stash.get(SESSION, None)
    if evals is None:
        return
    lines = report.longreprtext.splitlines()
    found = [line.removeprefix("E").strip() for line in lines if line.startswith("E  ")]
    evals.tell_error(item, f"its set-up failed: {(found or lines or ['no reason given'])[0]}")


def _state_of(error: BaseException | None) -> str | None:
    if isinstance(error, EvalConclusion):
        return error.state
    if isinstance(error, StoreError):
        return STORE
    return "misuse" if isinstance(error, MisuseError) else None
