"""What is expected of the process, kept up to date while tests come and go."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import partial
from itertools import compress
from operator import call, not_
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import LeftBehind, Watching
from tierwise.sandbox.state.rebasing import Life, rebase
from tierwise.sandbox.state.watchers import make_watchers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from tierwise.domain.watching import Change
    from tierwise.sandbox.state.watcher import Watcher


_BETWEEN = frozenset({"environ", "signals", "event_loop", "threads", "tasks", "files"})
"""Watchers of what plugins of pytest do between two tests."""
Owner = tuple[str, str]
"""A watcher's name, and what it calls a piece of state."""


class Baseline:
    """The state that a test found, against which it is looked at when the test has ended."""

    def __init__(
        self,
        words: Mapping[str, Watching],
        packages: Sequence[str],
        *,
        thorough: bool = False,
        ignore: Sequence[str] = (),
    ) -> None:
        self._words, self._ignore = words, tuple(ignore)
        wanted = [name for name, word in words.items() if word is not Watching.OFF]
        self._watchers = make_watchers(wanted, packages, thorough=thorough)
        self._by_name = {watcher.name: watcher for watcher in self._watchers}
        self._taken = {watcher.name: watcher.take() for watcher in self._watchers}
        self._between = [each for each in self._watchers if each.name in _BETWEEN]
        self._arrange()

    def find_different(self) -> list[Watcher]:
        """Return the watchers that have to look closely; nearly always none."""
        return _failing(self._watchers, self._checks)

    def absorb_between(self) -> None:
        """Expect what came between two tests, as far as plugins of pytest bring such things."""
        different = _failing(self._between, self._checks_between)
        if different:
            self._expect(self.look(different))

    def look(self, different: Iterable[Watcher]) -> dict[str, Any]:
        """Return what these watchers see, by name; what is expected stays as it is."""
        return {watcher.name: watcher.take() for watcher in different}

    def absorb_since(
        self, seen: Mapping[str, Any]
    ) -> tuple[tuple[Change, ...], Mapping[str, Any]]:
        """Expect what has changed since a look, and nothing that had changed before it.

        `seen` is what the watchers saw then that did not see what was expected. Returns the
        changes, and what the watchers see now that differ.
        """
        now = self.look(self.find_different())
        changes: list[Change] = []
        for name, taken in now.items():
            found = self._compare(name, seen.get(name, self._taken[name]), taken)
            changes += found
            if name not in seen:
                self._expect({name: taken})
            elif found:  # beside what is the test's own
                own = Life(found=self._taken[name], made=seen[name], met=taken, left=taken)
                self._expect({name: rebase(own, taken)})
        return tuple(changes), now

    def settle(
        self, different: Iterable[Watcher], allowed: Collection[str] = ()
    ) -> tuple[LeftBehind, ...]:
        """Do what is to be done about what these watchers see, and expect what is then.

        Returns what a test has to answer for: all but what watchers saw that are `allowed`.
        """
        left: list[LeftBehind] = []
        for watcher in different:
            word = self._words[watcher.name]
            now = watcher.take()
            changes = self._compare(watcher.name, self._taken[watcher.name], now)
            if watcher.name in allowed:
                changes = ()
            elif word is Watching.RESTORE and watcher.restore is not None:
                watcher.restore(self._taken[watcher.name])
                now = watcher.take()
            self._taken[watcher.name] = now
            left += [LeftBehind(change=change, action=word) for change in changes]
        self._arrange()
        return tuple(left)

    def left_since(
        self, before: Mapping[str, Any], owners: Collection[Owner]
    ) -> tuple[Change, ...]:
        """Return which of these owners are not as they were in `before`."""
        names = {name for name, _ in owners}
        now = self.look(watcher for watcher in self._watchers if watcher.name in names)
        return self._left_since(before, now, owners)

    def left_by(
        self,
        found: Mapping[str, Any],
        made: Mapping[str, Any],
        met: Mapping[str, Any],
        owners: Collection[Owner],
    ) -> tuple[Change, ...]:
        """Return which of these owners are not as a fixture found them, by its own doing.

        The three are what was there before and after its set-up, and before its tear-down.
        """
        now = self.look(
            each for each in self._watchers if each.name in {name for name, _ in owners}
        )
        before = {
            name: rebase(
                Life(found=found[name], made=made[name], met=met[name], left=left), found[name]
            )
            for name, left in now.items()
        }
        return self._left_since(before, now, owners)

    def word_of(self, watcher: str) -> Watching:
        """Return what is done about this watcher's findings."""
        return self._words[watcher]

    @property
    def expected(self) -> Mapping[str, Any]:
        """What is expected now, by watcher."""
        return dict(self._taken)

    def _expect(self, taken: Mapping[str, Any]) -> None:
        if taken:
            self._taken.update(taken)
            self._arrange()

    def _arrange(self) -> None:
        self._checks = self._checks_of(self._watchers)
        self._checks_between = self._checks_of(self._between)

    def _checks_of(self, watchers: Iterable[Watcher]) -> list[Callable[[], bool]]:
        return [partial(each.is_same, self._taken[each.name]) for each in watchers]

    def _compare(self, name: str, before: Any, now: Any) -> tuple[Change, ...]:  # noqa: ANN401
        return tuple(filter(self._is_told, self._by_name[name].compare(before, now)))

    def _left_since(
        self, before: Mapping[str, Any], now: Mapping[str, Any], owners: Collection[Owner]
    ) -> tuple[Change, ...]:
        return tuple(
            change
            for name, taken in now.items()
            for change in self._compare(name, before[name], taken)
            if (change.watcher, change.owner) in owners
        )

    def _is_told(self, change: Change) -> bool:
        return not any(fnmatchcase(change.owner, pattern) for pattern in self._ignore)


def _failing(watchers: Iterable[Watcher], checks: Iterable[Callable[[], bool]]) -> list[Watcher]:
    # Around each test: a loop in Python takes as long as what it calls.
    return [*compress(watchers, map(not_, map(call, checks)))]
