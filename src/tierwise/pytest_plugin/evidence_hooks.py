"""Requirements and known gaps of a session, put on reports where some test has such marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import MisuseError
from tierwise.pytest_plugin.evidence_marks import find_marked, gap_of, requirements_of

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from tierwise.pytest_plugin.facts import Facts
    from tierwise.pytest_plugin.state import State

_REPORTS = "tierwise-evidence-reports"
DECLARED_REQUIREMENTS = "tierwise_requirements"
"""Where a worker leaves which test it has collected for which requirements."""


def register(config: pytest.Config, state: State) -> None:
    """Put the hooks in place."""
    config.pluginmanager.register(EvidenceHooks(config, state), "tierwise-evidence")


class EvidenceHooks:
    """Decides once, when all tests are known; gathers what workers know."""

    def __init__(self, config: pytest.Config, state: State) -> None:
        self._config, self._state = config, state

    # Before any test is left out: a requirement whose test did not run is not verified.
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read the marks of all that was collected."""
        marked = find_marked(items)
        if not marked:
            return
        try:
            ids = {item: requirements_of(item) for item in marked}
        except MisuseError as error:
            raise pytest.UsageError(str(error)) from None
        self._declare({item.nodeid: list(names) for item, names in ids.items() if names})
        if not self._config.option.collectonly:
            self._config.pluginmanager.register(EvidenceReports(ids), _REPORTS)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:  # noqa: ANN401  xdist's own type
        """Take what a worker has collected."""
        output = getattr(node, "workeroutput", None) or {}
        self._declare(output.get(DECLARED_REQUIREMENTS, {}))

    def _declare(self, links: dict[str, list[str]]) -> None:
        if self._state.is_worker:
            output: dict[str, Any] = self._config.workeroutput  # type: ignore[attr-defined]  # xdist's
            output[DECLARED_REQUIREMENTS] = links
        elif self._state.recording is not None:
            self._state.recording.declare_requirements(links)


class EvidenceReports:
    """Adds the facts to the reports of tests that have the marks."""

    def __init__(self, requirements: Mapping[pytest.Item, tuple[str, ...]]) -> None:
        self._requirements = requirements

    # Outside of pytest's own: an xfail mark has been applied by then.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Say which requirements a test is for, and which known gap it shows."""
        del call
        report = yield
        if item in self._requirements:
            _add_facts(item, report, self._requirements[item])
        return report


def _add_facts(item: pytest.Item, report: pytest.TestReport, ids: tuple[str, ...]) -> None:
    more: Facts = {}
    if ids and report.when == "setup":
        more["requirements"] = list(ids)
    gap = gap_of(item, report) if report.when in ("setup", "call") else None
    if gap is not None:
        more["gap"] = gap
    if more:
        known: Facts = report.__dict__.get("tierwise", {})
        report.tierwise = known | more  # type: ignore[attr-defined]  # ours
