"""Process state around each test: what it leaves behind is found, told, put back or failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain.watching import LeftBehind, Watching
from tierwise.pytest_plugin.eval_items import EvalItem
from tierwise.pytest_plugin.fixtures import name_fixture
from tierwise.pytest_plugin.state_marks import find_allowed
from tierwise.pytest_plugin.state_packages import PackageWatching
from tierwise.pytest_plugin.state_reporting import LEFT, StateReporting, describe_left

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from tierwise.config import StateConfig
    from tierwise.sandbox.state.baseline import Baseline

_REPORTING = "tierwise-state-reporting"


class StateWatching:
    """Looks before the first fixture of a test and after the last one of its own.

    What fixtures wider than a test do is theirs: it is expected while they live, and what they
    have not taken back when they end is told under their name.
    """

    def __init__(
        self,
        config: StateConfig,
        words: Mapping[str, Watching],
        packages: Sequence[str],
        *,
        plugins: pytest.PytestPluginManager,
        guard: Callable[[], AbstractContextManager[object]],
        keep: Callable[[], None],
    ) -> None:
        self._config, self._words, self._packages = config, words, packages
        self._plugins, self._guard, self._keep = plugins, guard, keep
        self._baseline: Baseline | None = None
        self._package_watching = PackageWatching(plugins, self._absorb)
        self._item: pytest.Item | None = None
        """The test that has not been judged yet."""
        self._is_tearing_down = False
        self._left: tuple[LeftBehind, ...] = ()
        self._before: Mapping[str, Any] = {}
        """What was expected before the test was judged, for a second look."""

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Expect what the test finds, before pytest sets up its fixtures."""
        # The first eval runs the trials of all: what their engine keeps open is no eval's own.
        self._item = None if isinstance(item, EvalItem) else item
        self._left, self._is_tearing_down = (), False
        if self._baseline is not None:
            with self._guard():
                self._baseline.absorb_between()
        elif self._item is not None:
            self._baseline = self._begin()
        self._package_watching.expect(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, object, object]:
        """Judge what is left when all is torn down."""
        self._is_tearing_down = True
        try:
            result = yield
        except BaseException:
            self._conclude(item)
            raise
        failing = self._conclude(item)
        if failing:
            pytest.fail(describe_left(item.nodeid, failing), pytrace=False)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        """Let what a wider fixture does be its own."""
        if fixturedef.scope == "function" or self._baseline is None:
            return (yield)
        subject = name_fixture(fixturedef.argname, fixturedef.scope, fixturedef.baseid)
        life = _Life(subject=subject)
        # Finalizers run last in, first out: this pair surrounds the fixture's own.
        fixturedef.addfinalizer(lambda: self._end(life, is_told=fixturedef.scope != "session"))
        life.found = self._look(life)
        try:
            return (yield)
        finally:
            life.made = self._take_change(life)
            fixturedef.addfinalizer(lambda: self._begin_end(life))

    def _absorb(self) -> None:
        if self._baseline is not None:
            with self._guard():
                self._baseline.absorb_since({})

    def _begin(self) -> Baseline:
        from tierwise.sandbox.state.baseline import Baseline  # noqa: PLC0415  once tests run

        with self._guard():
            made = Baseline(
                self._words,
                self._packages,
                thorough=self._config.thorough,
                ignore=self._config.ignore,
            )
        self._keep()
        return made

    def _look(self, life: _Life) -> Mapping[str, Any]:
        """Look before a part of a fixture's life, and return all that is there."""
        if self._baseline is None:
            return {}
        with self._guard():
            life.seen = self._baseline.look(self._baseline.find_different())
        return {**self._baseline.expected, **life.seen}

    def _take_change(self, life: _Life) -> Mapping[str, Any]:
        """Expect what a part of a fixture's life has changed, and return all that is there."""
        if self._baseline is None:
            return {}
        with self._guard():
            changes, now = self._baseline.absorb_since(life.seen)
        life.owners |= {(change.watcher, change.owner) for change in changes}
        return {**self._baseline.expected, **now}

    def _begin_end(self, life: _Life) -> None:
        # The first fixture to end that is wider than the test: all of the test's own are done.
        if self._is_tearing_down:
            with self._guard():  # a fixture's turn: what the watchers read is not the fixture's
                self._judge()
        life.met = self._look(life)

    def _end(self, life: _Life, *, is_told: bool) -> None:
        self._take_change(life)
        if self._baseline is None or not (is_told and life.owners):
            return
        with self._guard():
            changes = self._baseline.left_by(life.found, life.made, life.met, life.owners)
        self._left += tuple(
            LeftBehind(
                change=change,
                action=_for_fixture(self._baseline.word_of(change.watcher)),
                subject=life.subject,
            )
            for change in changes
        )

    def _judge(self) -> None:
        """Find what the test has left, once, when the last of its own fixtures is done."""
        item, self._item = self._item, None
        if item is None or self._baseline is None:
            return
        with self._guard():
            different = self._baseline.find_different()
            if different:
                self._before = self._baseline.expected
                self._left += self._baseline.settle(different, find_allowed(item))

    def _conclude(self, item: pytest.Item) -> tuple[LeftBehind, ...]:
        """Return what fails the test, and have all that is left told with its report."""
        was_judged = self._item is None
        self._judge()
        if was_judged and self._left and self._baseline is not None:
            self._left = self._look_again(self._baseline)
        if not self._left:
            return ()
        if not self._plugins.has_plugin(_REPORTING):
            self._plugins.register(StateReporting(), _REPORTING)
        item.stash[LEFT] = self._left
        return tuple(found for found in self._left if found.action is Watching.FAIL)

    def _look_again(self, baseline: Baseline) -> tuple[LeftBehind, ...]:
        """Leave out what a reset, which runs after all fixtures, has put back since."""
        own = {(f.change.watcher, f.change.owner) for f in self._left if not f.subject}
        if not own:
            return self._left
        with self._guard():
            changes = baseline.left_since(self._before, own)
        still = {(change.watcher, change.owner) for change in changes}
        return tuple(
            found
            for found in self._left
            if found.subject
            or found.action is Watching.RESTORE
            or (found.change.watcher, found.change.owner) in still
        )


@dataclass(slots=True, kw_only=True)
class _Life:
    """A wider fixture from its set-up to its end."""

    subject: str
    found: Mapping[str, Any] = field(default_factory=dict)
    """What was there before its set-up, by watcher."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """What was there after it."""
    met: Mapping[str, Any] = field(default_factory=dict)
    """What was there before its tear-down."""
    owners: set[tuple[str, str]] = field(default_factory=set)
    """What it has changed."""
    seen: Mapping[str, Any] = field(default_factory=dict)


def _for_fixture(word: Watching) -> Watching:
    # It has lived beside tests that were judged: putting all of it back is nobody's wish.
    return Watching.REPORT if word is Watching.RESTORE else word
