"""Collection: watched, placed, selected, shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Capability, Mode
from tierwise.errors import ConfigError, MisuseError
from tierwise.pytest_plugin.facts import violations_to_json
from tierwise.pytest_plugin.selecting import describe_unplaced, folders_to_add
from tierwise.pytest_plugin.violating import describe
from tierwise.sandbox import Policy

if TYPE_CHECKING:
    from collections.abc import Generator

    from tierwise.pytest_plugin.state import State

_WATCHED = frozenset({Capability.NETWORK, Capability.MODEL})


def policy_of_collection(subject: str, mode: Mode) -> Policy:
    """Return what collecting may touch: all but the network and a model."""
    return Policy(subject=subject, mode=mode, watched=_WATCHED)


class Collecting:
    """No network and no model while collecting; what cannot be placed is a collection error."""

    def __init__(self, state: State) -> None:
        self._state = state

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Watch one collector, then place the tests that it found."""
        policy = policy_of_collection(f"collecting {collector.nodeid}", self._state.mode)
        with self._state.sandbox.acting(policy):
            report = yield
        violations = self._state.sandbox.take(policy.subject)
        if violations:
            facts = {"violations": violations_to_json(violations)}
            report.tierwise = facts  # type: ignore[attr-defined]  # ours
        if violations and self._state.mode is Mode.ENFORCE:
            _fail(report, describe(violations, self._state.config), misuse=False)
        elif report.outcome == "passed" and self._state.config.tiers:
            self._place(report)
        return report

    def _place(self, report: pytest.CollectReport) -> None:
        complaints, unplaced = [], []
        for item in report.result or ():
            if not isinstance(item, pytest.Item):
                continue
            try:
                placement = self._state.places.of(item)
                if placement.tier is None or placement.is_implied:
                    unplaced.append(item.nodeid)
            except MisuseError as error:
                complaints.append(str(error))
        if unplaced and self._state.config.strict:
            complaints.append(str(ConfigError(describe_unplaced(self._state.config, unplaced))))
        if complaints:
            _fail(report, "\n\n".join(dict.fromkeys(complaints)), misuse=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Collect the deliberate tiers too when `testpaths` leaves them out."""
        config = session.config
        if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            collected = [config.invocation_params.dir / argument for argument in config.args]
            folders = folders_to_add(self._state.config, collected)
            config.args.extend(str(folder) for folder in folders if folder.exists())


def _fail(report: pytest.CollectReport, text: str, *, misuse: bool) -> None:
    report.outcome = "failed"
    report.longrepr = text
    report.result = []
    report.tierwise = {"misuse": misuse}  # type: ignore[attr-defined]  # read by the terminal
