"""Whether any of some dictionaries has changed, as the interpreter counts it or tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.memory import find_version, has_versions
from tierwise.sandbox.state.tripwires import Tripwires, find_tripwires
from tierwise.sandbox.state.words import AllWords, Words, read_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.sandbox.state.checks import Check


@dataclass(slots=True)
class Told:
    """Those of which the interpreter tells; nothing is read while there is nothing to tell."""

    wires: Tripwires
    addresses: set[int] = field(default_factory=set)
    n_changes: int = field(init=False)
    """So many changes, of whatever dictionary, are known not to be of these."""

    def __post_init__(self) -> None:
        self.n_changes = len(self.wires.changes)

    def add(self, mapping: dict[Any, Any]) -> bool:
        """Watch one more, and tell whether that can be done."""
        if not self.wires.tells_of(mapping):
            return False
        self.wires.watch(mapping)
        self.addresses.add(id(mapping))
        return True

    def extend(self, others: Iterable[Told]) -> None:
        """Watch all that others do, which are as they were."""
        self.addresses.update(*[other.addresses for other in others])

    def are_same(self) -> bool:
        """Tell whether none has changed since."""
        changes = self.wires.changes
        n_now = len(changes)
        if n_now == self.n_changes:
            return True
        if not self.addresses.isdisjoint(changes[self.n_changes : n_now]):
            return False
        self.n_changes = n_now
        return True

    def let_go(self, but: Told | None = None) -> None:
        """Watch none of them any more, but for what another watches too."""
        for address in self.addresses - (but.addresses if but is not None else set()):
            self.wires.let_go(address)


def find_told() -> Told | None:
    """Return what watches dictionaries from now on; None where the interpreter tells nothing."""
    if has_versions():
        return None
    wires = find_tripwires()
    return Told(wires) if wires is not None else None


def watch_changes(mapping: dict[Any, Any], words: AllWords, told: Told | None) -> bool:
    """Watch a dictionary by what counts its changes or tells of them, and say whether one does."""
    if has_versions():
        words.add(Words(heads=read_words([find_version(mapping)])))
        return True
    return told is not None and told.add(mapping)


def watch_mapping(mapping: dict[Any, Any]) -> Check | None:
    """Return what tells whether one has changed since; None where its contents have to tell."""
    words, told = AllWords(), find_told()
    if not watch_changes(mapping, words, told):
        return None
    words.seal()
    return words.are_same if told is None else told.are_same


def watch_keys(mapping: dict[Any, Any]) -> Check:
    """Return what tells whether anything was added or taken out since; by the length at least."""
    return watch_mapping(mapping) or partial(_has_length, mapping, len(mapping))


def _has_length(mapping: dict[Any, Any], length: int) -> bool:
    return len(mapping) == length
