"""What pytest does to set a package up, with the first test in it, is no doing of that test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_NAME = "tierwise-state-packages"


class PackageWatching:
    """Expects what setting packages up changes: it puts their folder in front on sys.path.

    pytest does so in the set-up of the first test of each, before that test's fixtures.
    """

    def __init__(self, plugins: pytest.PytestPluginManager, absorb: Callable[[], object]) -> None:
        self._plugins, self._absorb = plugins, absorb
        self._seen: set[pytest.Package] = set()
        self._last: pytest.Collector | None = None

    def expect(self, item: pytest.Item) -> None:
        """Absorb once pytest has set up the packages that this test is the first one of."""
        if item.parent is self._last:  # nearly always
            return
        self._last = item.parent if isinstance(item.parent, pytest.Collector) else None
        packages = {node for node in item.listchain() if isinstance(node, pytest.Package)}
        if packages <= self._seen:
            return
        self._seen |= packages
        waiting = self._plugins.get_plugin(_NAME)
        if waiting is not None:  # the set-up of the one before failed
            self._plugins.unregister(waiting)
        self._plugins.register(_Waiting(self._absorb, self._plugins), _NAME)


class _Waiting:
    """Absorbs before the first fixture of a test, or before its call, and is gone."""

    def __init__(self, absorb: Callable[[], object], plugins: pytest.PytestPluginManager) -> None:
        self._absorb, self._plugins = absorb, plugins

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self) -> Generator[None, Any, Any]:
        """Absorb, when the test has a fixture."""
        self._end()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, None, None]:
        """Absorb, when it has none."""
        self._end()
        return (yield)

    def _end(self) -> None:
        if self._plugins.is_registered(self):
            self._plugins.unregister(self)
            self._absorb()
