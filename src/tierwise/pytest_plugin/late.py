"""Threads of ended tests: what they did is reported when all tests have ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Mode
from tierwise.pytest_plugin.facts import violations_to_json
from tierwise.pytest_plugin.violating import describe
from tierwise.pytest_plugin.workers import send_late

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tierwise.domain import Violation
    from tierwise.pytest_plugin.state import State


class LateViolations:
    """Fail the session for what came after its test's own report."""

    def __init__(self, state: State) -> None:
        self._state = state

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Report what is left; a worker hands it to its controller."""
        result = yield
        late = self._state.sandbox.pending()
        for violation in late:
            self._state.sandbox.take(violation.subject)
        if late and self._state.is_worker:
            send_late(session.config, late)
        else:
            report_late(session.config, self._state, late)
        return result


def report_late(config: pytest.Config, state: State, late: Sequence[Violation]) -> None:
    """Publish an error for each test that something of was still going on."""
    by_subject: dict[str, list[Violation]] = {}
    for violation in late:
        by_subject.setdefault(violation.subject, []).append(violation)
    for subject, violations in by_subject.items():
        report = _report_of(subject, violations, state)
        config.hook.pytest_runtest_logreport(report=report)


def _report_of(subject: str, violations: Sequence[Violation], state: State) -> pytest.TestReport:
    enforced = state.mode is Mode.ENFORCE
    path, _, name = subject.partition("::")
    text = describe(violations, state.config)
    return pytest.TestReport(
        nodeid=subject,
        location=(path, None, name or subject),
        keywords={},
        outcome="failed" if enforced else "passed",
        longrepr=f"{_LATE}\n{text}" if enforced else None,
        when="teardown",
        tierwise={"tier": violations[0].tier, "violations": violations_to_json(violations)},
    )


_LATE = "After the test had ended, a thread that it started went on:"
