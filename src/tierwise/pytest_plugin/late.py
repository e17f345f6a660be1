"""Threads of ended tests: what they did is reported when all tests have ended."""

from __future__ import annotations

import sys
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
        self._session: pytest.Session | None = None
        self._faults_told = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Report what is left when no thread goes on, or when waiting for it has taken enough."""
        result = yield
        self._state.sandbox.wait_for_threads(seconds=_LONGEST_WAIT)
        if not self._state.is_worker:
            report_late(session.config, self._state, *self._take())
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Report what came since, before the summary; a worker hands all to its controller."""
        late, faults = self._take()
        if self._state.is_worker:
            send_late(session.config, late, faults)
            return
        report_late(session.config, self._state, late, faults)
        self._fail(session, late, faults)
        self._session = session

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Say what came when the summary was already printed."""
        session, self._session = self._session, None
        if session is None or self._state.mode is not Mode.ENFORCE:
            return
        late, faults = self._take()
        self._fail(session, late, faults)
        if late:
            sys.stderr.write(f"{_LATE}\n{describe(late, self._state.config)}\n")
        if faults:
            sys.stderr.write("\n".join([_FAULTS, *faults, ""]))

    def _take(self) -> tuple[tuple[Violation, ...], list[str]]:
        """Return what nobody has reported yet."""
        sandbox = self._state.sandbox
        late = [
            v for s in dict.fromkeys(v.subject for v in sandbox.pending()) for v in sandbox.take(s)
        ]
        faults = sandbox.faults()[self._faults_told :]
        self._faults_told += len(faults)
        texts = [f"{fault.event}, which {fault.subject} caused: {fault.error}" for fault in faults]
        return tuple(late), texts

    def _fail(
        self, session: pytest.Session, late: Sequence[Violation], faults: Sequence[str]
    ) -> None:
        is_green = session.exitstatus in _GREEN
        if is_green and (late or faults) and self._state.mode is Mode.ENFORCE:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


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
        said = _SEEN if subject == OUTSIDE else _LATE
        what = f"{said}\n{describe(violations, state.config)}" if enforced else None
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


_LONGEST_WAIT = 1.0
"""Seconds that all threads of tests together get to end."""
_GREEN = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
_LATE = "After the test had ended, a thread that it started went on:"
OUTSIDE = "outside of any test"
"""Whose touches those are of which no test is known."""
_SEEN = "Seen on the wire, and no test is known that it was part of:"
_FAULTS = (
    "tierwise could not judge what was touched, so this run proves nothing about it. "
    "Please report this with the lines below:"
)
