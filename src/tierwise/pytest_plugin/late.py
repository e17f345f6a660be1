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
        faults = [
            f"{fault.event}, which {fault.subject} caused: {fault.error}"
            for fault in self._state.sandbox.faults()
        ]
        if self._state.is_worker:
            send_late(session.config, late, faults)
        else:
            report_late(session.config, self._state, late, faults)
        return result


def report_late(
    config: pytest.Config, state: State, late: Sequence[Violation], faults: Sequence[str]
) -> None:
    """Publish an error for each test of which something still went on, and for what failed here.

    A touch that could not be judged is no touch that was allowed.
    """
    if faults and state.mode is Mode.ENFORCE:
        text = "\n".join([_FAULTS, *(f"    {fault}" for fault in faults)])
        config.hook.pytest_runtest_logreport(report=_error_of("tierwise", text, None, ()))
    by_subject: dict[str, list[Violation]] = {}
    for violation in late:
        by_subject.setdefault(violation.subject, []).append(violation)
    for subject, violations in by_subject.items():
        enforced = state.mode is Mode.ENFORCE
        what = f"{_LATE}\n{describe(violations, state.config)}" if enforced else None
        report = _error_of(subject, what, violations[0].tier, violations)
        config.hook.pytest_runtest_logreport(report=report)


def _error_of(
    subject: str, text: str | None, tier: str | None, violations: Sequence[Violation]
) -> pytest.TestReport:
    path, _, name = subject.partition("::")
    return pytest.TestReport(
        nodeid=subject,
        location=(path, None, name or subject),
        keywords={},
        outcome="passed" if text is None else "failed",
        longrepr=text,
        when="teardown",
        tierwise={"tier": tier, "violations": violations_to_json(violations)},
    )


_LATE = "After the test had ended, a thread that it started went on:"
_FAULTS = (
    "tierwise could not judge what was touched, so this run proves nothing about it. "
    "Please report this with the lines below:"
)
