"""Accepted violations, and which of them covers one that was seen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tierwise.domain import Capability

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_NO_TEST = re.compile(
    r"(?:(?:the \w+ fixture '.*?'|setup_module|setup_class|setUpClass|setUpModule)"
    r"(?: of (?P<place>.*))?|(?:collecting|importing) (?P<file>.*)|outside of any test)"
)
"""How whatever touches and is no test is called: fixtures, and collecting."""


class Seen(NamedTuple):
    """A violation without what changes from run to run."""

    subject: str
    """Node id of the test, or the name of the fixture, that it belongs to."""
    capability: Capability
    target: str
    """What stays of the target: without temporary folders, ports and numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One accepted violation."""

    test: str
    """A test with all its parameters, or what holds tests: a class, a file, a folder; or a
    fixture by its name."""
    capability: Capability
    target: str
    reason: str = ""
    """Why it was taken in when there was a baseline already; "" for what was there at first."""

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.test}: {self.capability} {self.target}"

    @property
    def is_of_test(self) -> bool:
        """Is it a test's, and not a fixture's or one of collecting?"""
        return _NO_TEST.fullmatch(self.test) is None

    @property
    def path(self) -> str:
        """Return the file or folder that it belongs to; "" when none is told."""
        other = _NO_TEST.fullmatch(self.test)
        place = self.test if other is None else other["place"] or other["file"] or ""
        return place.partition("::")[0]

    def covers(self, subject: str) -> bool:
        """Tell whether a test is this one, one of its parameters, or lies in it."""
        if subject == self.test:
            return True
        if not subject.startswith(self.test):
            return False
        return self.test.endswith("/") or subject[len(self.test)] in "[/" or self._holds(subject)

    def _holds(self, subject: str) -> bool:
        return subject.startswith(f"{self.test}::")


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """All that is accepted."""

    entries: tuple[Entry, ...] = ()

    @cached_property
    def _by_touch(self) -> Mapping[tuple[Capability, str], Sequence[Entry]]:
        found: dict[tuple[Capability, str], list[Entry]] = {}
        for entry in self.entries:
            found.setdefault((entry.capability, entry.target), []).append(entry)
        for entry in self.entries:
            host, _, port = entry.target.rpartition(":")
            if host and port and entry.capability is Capability.NETWORK:
                # Whoever may connect to a host looks it up first; an air gap sees that alone.
                found.setdefault((entry.capability, host), []).append(entry)
        return found

    def find(self, seen: Seen) -> Entry | None:
        """Return the entry that accepts a violation; None when it is a new one."""
        for entry in self._by_touch.get((seen.capability, seen.target), ()):
            if entry.covers(seen.subject):
                return entry
        return None

    def without(self, entries: Iterable[Entry]) -> Baseline:
        """Return a baseline that accepts fewer."""
        gone = set(entries)
        return Baseline(entries=tuple(each for each in self.entries if each not in gone))

    def with_new(self, entries: Iterable[Entry]) -> Baseline:
        """Return a baseline that accepts more."""
        return Baseline(entries=tuple(sorted({*self.entries, *entries}, key=order_of)))


def make_entries(seen: Iterable[Seen], reason: str = "") -> tuple[Entry, ...]:
    """Return the entries that accept what was seen: one for a test, capability and target.

    Parameters of one test share their entries: they come and go, and their names hold anything.
    """
    return tuple(
        sorted(
            {
                Entry(
                    test=without_parameters(each.subject),
                    capability=each.capability,
                    target=each.target,
                    reason=reason,
                )
                for each in seen
            },
            key=order_of,
        )
    )


def order_of(entry: Entry) -> tuple[str, str, str]:
    """Return the place of an entry in the file."""
    return (entry.test, str(entry.capability), entry.target)


def without_parameters(subject: str) -> str:
    """Return a test's name as its function is called; a fixture's stays as it is."""
    if _NO_TEST.fullmatch(subject):
        return subject
    path, separator, rest = subject.partition("::")
    return f"{path}{separator}{rest.partition('[')[0]}"
