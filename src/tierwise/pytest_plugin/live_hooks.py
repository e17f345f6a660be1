"""When a session watches live tests: only where there are some, or where workers may have them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tierwise.errors import MisuseError
from tierwise.pytest_plugin.live_calls import LiveCalls, LiveSecrets
from tierwise.pytest_plugin.live_marks import find_marked
from tierwise.pytest_plugin.live_reports import LiveReports
from tierwise.pytest_plugin.selecting import is_selected

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.pytest_plugin.live_marks import LiveMarks
    from tierwise.pytest_plugin.state import State

_ROOM = "tierwise.live"
_CALLS = "tierwise-live-calls"
_SECRETS = "tierwise-live-secrets"
_REPORTS = "tierwise-live-reports"


def register(config: pytest.Config, state: State) -> None:
    """Put the hooks in place; nothing of the live room itself is loaded."""
    config.pluginmanager.register(LiveHooks(config, state), "tierwise-live")


class LiveHooks:
    """Decides once, when all tests are known."""

    def __init__(self, config: pytest.Config, state: State) -> None:
        self._state = state
        if getattr(config.option, "dist", "no") != "no" and not state.is_worker:
            _watch_reports(config, state)  # the controller does not see what workers collected

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Watch where a test is live by its tier, its marks or what it imported."""
        if session.config.option.collectonly:
            return
        try:
            marked = find_marked(session.items)
        except MisuseError as error:
            raise pytest.UsageError(str(error)) from None
        if marked or _ROOM in sys.modules or self._has_live_tier():
            watch(session.config, self._state, marked)

    def _has_live_tier(self) -> bool:
        return any(
            tier.name in self._state.config.live.tiers and is_selected(tier, self._state.wanted)
            for tier in self._state.config.tiers
        )


def watch(
    config: pytest.Config, state: State, marked: Mapping[pytest.Item, LiveMarks] | None = None
) -> None:
    """Watch the phases from here on, and the reports where they all arrive."""
    if not config.pluginmanager.has_plugin(_CALLS):
        config.pluginmanager.register(LiveCalls(marked or {}), _CALLS)
        config.pluginmanager.register(LiveSecrets(marked or {}), _SECRETS)
    if not state.is_worker:
        _watch_reports(config, state)


def _watch_reports(config: pytest.Config, state: State) -> None:
    if not config.pluginmanager.has_plugin(_REPORTS):
        config.pluginmanager.register(LiveReports(state), _REPORTS)
