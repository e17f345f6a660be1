"""The policy around each phase of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.pytest_plugin.judging import Judging
from tierwise.pytest_plugin.violating import violations_in

if TYPE_CHECKING:
    from collections.abc import Generator

    from tierwise.pytest_plugin.state import State

__tracebackhide__ = True  # a failing test shows lines of its own

_JUDGING = "tierwise-judging"


class Phases:
    """Wrap the three phases; innermost, so that other plugins' own I/O is not blamed on a test."""

    def __init__(self, state: State, plugins: pytest.PytestPluginManager) -> None:
        self._state, self._plugins = state, plugins
        self._begin = state.begin_item
        self._sandbox, self._by_fixtures = state.sandbox, state.phase_violations

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        """Let the item's policy act from here."""
        policy = self._begin(item)
        self._sandbox.enter(policy)
        try:
            return (yield)
        except BaseException as error:
            if violations_in(error):
                self._judge()
            raise
        finally:
            self._sandbox.leave(policy)
            if self._by_fixtures or not self._sandbox.is_clean:
                self._judge()

    pytest_runtest_call = pytest_runtest_teardown = pytest_runtest_setup

    def _judge(self) -> None:
        judge_reports(self._state, self._plugins)


def judge_reports(state: State, plugins: pytest.PytestPluginManager) -> None:
    """Have reports judged from the next one on.

    A wrapper around each report costs as much as all three around the phases, and most suites
    never touch what they may not.
    """
    if not plugins.has_plugin(_JUDGING):
        plugins.register(Judging(state), _JUDGING)
