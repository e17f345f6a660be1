"""What collecting made lives as long as the session: the garbage collector need not look at it."""

from __future__ import annotations

import gc

import pytest

_FEWEST_ITEMS = 500
"""A smaller suite ends before the collector has cost it anything."""


class Lasting:
    """Spare the collector the items, modules and fixtures of a large suite while its tests run.

    Each full collection walks all of them and frees none: in a suite of thousands of small tests
    that costs more than all that tierwise does around them. What tests make is collected as ever.
    """

    def __init__(self) -> None:
        self._is_ours = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Set aside what is there."""
        if len(session.items) >= _FEWEST_ITEMS and gc.isenabled():
            gc.freeze()
            self._is_ours = True

    def add(self) -> None:
        """Set aside what has come since, if anything was: it lives as long as the session."""
        if self._is_ours:
            gc.freeze()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Give it back: what is to be found as garbage at the end is found."""
        if self._is_ours:
            gc.unfreeze()
            self._is_ours = False
