"""What is expected of the process, kept up to date while tests come and go."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from itertools import compress
from operator import call, not_
from typing import TYPE_CHECKING, Any, Self

from tierwise.domain.watching import LeftBehind, Watching
from tierwise.sandbox.state.checks import are_all_true
from tierwise.sandbox.state.rebasing import Life, rebase
from tierwise.sandbox.state.watchers import make_watchers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tierwise.domain.watching import Change
    from tierwise.sandbox.state.checks import Check
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
        self._taken: dict[str, Any] = {}
        self._checks: dict[str, Sequence[Check]] = {}
        """What is asked of each watcher around each test."""
        self._expect(self.look(self._watchers))

    def find_different(self) -> list[Watcher]:
        """Return the watchers that have to look closely; nearly always none."""
        failing = self._all.find_failing()
        return self._ask_closely(failing) if failing else failing

    def absorb_between(self) -> None:
        """Expect what came between two tests, as far as plugins of pytest bring such things."""
        failing = self._between.find_failing()
        different = self._ask_closely(failing) if failing else failing
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
            self._expect({watcher.name: now})
            left += [LeftBehind(change=change, action=word) for change in changes]
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
        self._taken.update(taken)
        for name in taken:
            self._renew(self._by_name[name])
        self._arrange()

    def _ask_closely(self, failing: Iterable[Watcher]) -> list[Watcher]:
        """Return those that differ; what the others are told by from now on is taken anew."""
        names = dict.fromkeys(watcher.name for watcher in failing)
        different = [
            each for each in map(self._by_name.__getitem__, names) if not self._renew(each)
        ]
        self._arrange()
        return different

    def _renew(self, watcher: Watcher) -> bool:
        """Take anew what tells of changes, and tell whether nothing is another than expected."""
        kept = self._taken[watcher.name]
        # The witness comes first: what changes from here on is told.
        checks = watcher.witness(kept) if watcher.witness is not None else None
        is_same = watcher.is_same(kept)
        is_told = checks is not None and is_same and are_all_true(checks)
        self._checks[watcher.name] = (
            checks if checks is not None and is_told else (partial(watcher.is_same, kept),)
        )
        return is_same

    def _arrange(self) -> None:
        self._all = _Round.of(self._watchers, self._checks)
        between = [each for each in self._watchers if each.name in _BETWEEN]
        self._between = _Round.of(between, self._checks)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """All checks of some watchers, asked one after another."""

    checks: list[Check]
    watchers: list[Watcher]
    """The watcher of each check."""

    @classmethod
    def of(cls, watchers: Iterable[Watcher], checks: Mapping[str, Sequence[Check]]) -> Self:
        pairs = [(check, each) for each in watchers for check in checks[each.name]]
        return cls(checks=[check for check, _ in pairs], watchers=[each for _, each in pairs])

    def find_failing(self) -> list[Watcher]:
        """Return the watcher of each check that does not hold."""
        # Around each test: a loop in Python takes as long as what it calls.
        try:
            return [*compress(self.watchers, map(not_, map(call, self.checks)))]
        except Exception:  # noqa: BLE001  an entry's own way of comparing
            return self.watchers
