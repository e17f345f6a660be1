"""The report of each phase, failed when something forbidden was touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Mode
from tierwise.pytest_plugin.facts import violations_to_json
from tierwise.pytest_plugin.violating import describe, fail_report, violations_in

if TYPE_CHECKING:
    from collections.abc import Generator

    from tierwise.domain import Violation
    from tierwise.pytest_plugin.facts import Facts
    from tierwise.pytest_plugin.state import State


class Judging:
    """A violation fails its test, whatever the test made of it; registered at the first one."""

    def __init__(self, state: State) -> None:
        self._state = state

    # Outermost: an xfail mark has been applied by then, and a violation is never expected.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Judge what the phase has left behind, or was ended by."""
        report = yield
        if call.excinfo is None and not self._state.has_touches:
            return report  # nearly all of them
        taken = self._take(item)
        raised = violations_in(call.excinfo.value) if call.excinfo else ()
        if taken or raised:
            self._judge(report, item, taken, raised)
        return report

    def _take(self, item: pytest.Item) -> tuple[Violation, ...]:
        state = self._state
        taken = state.sandbox.take(state.policy_of_item(item).subject)
        if state.phase_violations:
            taken = (*state.phase_violations, *taken)
            state.phase_violations.clear()
        return taken

    def _judge(
        self,
        report: pytest.TestReport,
        item: pytest.Item,
        taken: tuple[Violation, ...],
        raised: tuple[Violation, ...],
    ) -> None:
        known: Facts = report.__dict__.get("tierwise", {})
        facts = known | {"violations": violations_to_json(taken)}
        report.tierwise = facts  # type: ignore[attr-defined]  # ours
        if self._state.mode is Mode.ENFORCE:
            text = describe((*taken, *raised), self._state.config)
            fail_report(report, item, text, replace=bool(raised))
