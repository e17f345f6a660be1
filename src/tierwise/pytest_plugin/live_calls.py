"""Around the phases of live tests: what could not be seen is skipped, with its reason."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.pytest_plugin.tally import UNOBSERVABLE_REASON

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from tierwise.pytest_plugin.facts import Facts, LiveFacts
    from tierwise.pytest_plugin.live_marks import LiveMarks

NOTES = pytest.StashKey[list[str]]()
_CONTRACTS = "tierwise.contracts.contract"
_HERE = str(Path(__file__).parent)


class LiveSecrets:
    """Asks for the secrets that marks name; inside of all wrappers, whose tear-down needs them."""

    def __init__(self, marked: Mapping[pytest.Item, LiveMarks]) -> None:
        self._marked = marked

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip a test whose secret is not there before anything is set up for it."""
        marks = self._marked.get(item)
        reason = why_missing(marks) if marks else None
        if reason is not None:
            _skip(reason)


class LiveCalls:
    """Runs where tests run, be it a worker."""

    def __init__(self, marked: Mapping[pytest.Item, LiveMarks]) -> None:
        self._marked = marked

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Translate what a fixture could not see, as in the call."""
        del item
        try:
            return (yield)
        except Exception as error:
            if not is_unobservable(error):
                raise
            reason = str(error)
        _skip(reason)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Show a subject that could not be seen as skipped with its reason, never as passed."""
        del item
        try:
            return (yield)
        except Exception as error:
            if not is_unobservable(error):
                raise
            reason = str(error)
        _skip(reason)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send along whom the test asks and what it used; show a skip where the test is."""
        report = yield
        facts = self._facts_of(item, call.when)
        if facts:
            known: Facts = report.__dict__.get("tierwise", {})
            merged: Facts = {**known, "live": facts}
            report.tierwise = merged  # type: ignore[attr-defined]  # ours
        if isinstance(report.longrepr, tuple):
            path, _, reason = report.longrepr
            if reason.startswith(UNOBSERVABLE_REASON) and path.startswith(_HERE):
                line = (item.location[1] or 0) + 1
                report.longrepr = (str(item.path), line, reason)
        return report

    def _facts_of(self, item: pytest.Item, when: str) -> LiveFacts:
        facts: LiveFacts = {}
        marks = self._marked.get(item) if when == "setup" else None
        if marks is not None and marks.subject is not None:
            facts["subject"] = marks.subject
            if marks.floor is not None:
                facts["floor"] = marks.floor
        notes = item.stash.get(NOTES, None) if when == "call" else None
        if notes:
            facts["notes"] = list(notes)
        return facts


def why_missing(marks: LiveMarks) -> str | None:
    """Return why a secret that a mark asks for is not there; None if all are."""
    if not marks.secrets:
        return None
    from tierwise.live import RequireSecret  # noqa: PLC0415  not for start-up

    reasons = [RequireSecret(name).why_missing() for name in marks.secrets]
    return "; ".join(filter(None, reasons)) or None


def is_unobservable(error: BaseException) -> bool:
    """Tell whether a test said that it could not see its subject."""
    contracts = sys.modules.get(_CONTRACTS)
    return contracts is not None and isinstance(error, contracts.UnobservableError)


def _skip(reason: str) -> None:
    pytest.skip(f"unobservable: {reason}")
