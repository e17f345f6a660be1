"""Which accepted violations no longer occur, as far as a run can tell."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.config.baseline.entries import without_parameters

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tierwise.config.baseline.entries import Baseline, Entry, Seen

_ALIKE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What one run tells of a baseline."""

    used: Collection[Entry] = ()
    """The entries that accepted something."""
    ended: Mapping[str, bool] = field(default_factory=dict)
    """The tests that were run, and whether they passed: only these have shown all they touch."""
    whole: Collection[str] = ()
    """Tests that ran, of tiers that ran whole."""
    is_whole: bool = False
    """Did every tier that is not deliberate run whole?"""
    new: Collection[Seen] = ()
    """Violations that no entry accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """An entry that accepts what no longer occurs."""

    entry: Entry
    is_gone: bool = False
    """Is there no such test any more?"""
    moved_to: str = ""
    """A test that does the same and is not accepted, or the closest name; "" when none is."""

    def __str__(self) -> str:
        """Return it as a line."""
        if not self.is_gone:
            return f"{self.entry}: it no longer does"
        hint = f"; the closest is {self.moved_to}" if self.moved_to else ""
        return f"{self.entry}: there is no such test{hint}"


def find_stale(baseline: Baseline, observed: Observed) -> tuple[Stale, ...]:
    """Return the entries that accept what no longer occurs.

    A test that failed, was skipped or was left out may still do it: nothing is said of it.
    """
    used = set(observed.used)
    found = (_judge(entry, observed) for entry in baseline.entries if entry not in used)
    return tuple(stale for stale in found if stale is not None)


def say_moved(baseline: Baseline, observed: Observed) -> dict[Seen, Entry]:
    """Return, for new violations, the unused entry of another test that accepts just the same."""
    used = set(observed.used)
    moved = {}
    for seen in observed.new:
        alike = {
            entry.test: entry
            for entry in baseline.entries
            if entry not in used
            and (entry.capability, entry.target) == (seen.capability, seen.target)
        }
        close = difflib.get_close_matches(
            without_parameters(seen.subject), alike, n=1, cutoff=_ALIKE
        )
        if close:
            moved[seen] = alike[close[0]]
    return moved


def _judge(entry: Entry, observed: Observed) -> Stale | None:
    covered = [nodeid for nodeid in observed.ended if entry.covers(nodeid)]
    if covered:
        is_told = all(observed.ended[each] and each in observed.whole for each in covered)
        return Stale(entry=entry) if is_told else None
    if not observed.is_whole:
        return None
    if entry.is_of_test:
        return Stale(entry=entry, is_gone=True, moved_to=_closest(entry, observed))
    # A fixture shows what it does when all that ask for it have ended well.
    return Stale(entry=entry) if all(observed.ended.values()) else None


def _closest(entry: Entry, observed: Observed) -> str:
    same = [
        without_parameters(seen.subject)
        for seen in observed.new
        if (seen.capability, seen.target) == (entry.capability, entry.target)
    ]
    names = same or list(dict.fromkeys(without_parameters(each) for each in observed.ended))
    return next(iter(difflib.get_close_matches(entry.test, names, n=1, cutoff=_ALIKE)), "")
