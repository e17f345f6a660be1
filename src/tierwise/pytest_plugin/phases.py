"""The policy around each phase of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

    from tierwise.pytest_plugin.state import State


class Phases:
    """Wrap the three phases; innermost, so that other plugins' own I/O is not blamed on a test."""

    def __init__(self, state: State) -> None:
        self._begin = state.begin_item
        self._enter, self._leave = state.sandbox.enter, state.sandbox.leave

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        """Let the item's policy act from here."""
        policy = self._begin(item)
        self._enter(policy)
        try:
            return (yield)
        finally:
            self._leave(policy)

    pytest_runtest_call = pytest_runtest_teardown = pytest_runtest_setup
