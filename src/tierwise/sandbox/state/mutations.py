"""Whether any of some dictionaries has changed, as the interpreter counts it or tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.gathered import watch_words
from tierwise.sandbox.state.memory import find_version, has_versions
from tierwise.sandbox.state.tripwires import Tripwires, find_tripwires

if TYPE_CHECKING:
    from tierwise.sandbox.state.checks import Check


@dataclass(slots=True)
class Counted:
    """By the versions that the interpreter counts."""

    addresses: list[int] = field(default_factory=list)
    are_same: Check = field(init=False)
    """Tell whether none has changed since."""

    def add(self, mapping: dict[Any, Any]) -> bool:
        """Watch one more, and tell whether that can be done."""
        self.addresses.append(find_version(mapping))
        return True

    def extend(self, others: list[Any]) -> None:
        """Watch all that others of this kind do, which are as they were."""
        self.addresses += chain.from_iterable([other.addresses for other in others])

    def seal(self) -> None:
        """Take them all as they are now."""
        self.are_same = watch_words(self.addresses)

    def let_go(self, but: Any = None) -> None:  # noqa: ANN401  one of its own kind
        """Watch none of them any more, but for what another watches too."""


@dataclass(slots=True)
class Told:
    """By what the interpreter tells; nothing is read while there is nothing to tell."""

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

    def extend(self, others: list[Any]) -> None:
        """Watch all that others of this kind do, which are as they were."""
        self.addresses.update(*[other.addresses for other in others])

    def seal(self) -> None:
        """Take them all as they were when this was made: a change since then is told."""

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

    def let_go(self, but: Any = None) -> None:  # noqa: ANN401  one of its own kind
        """Watch none of them any more, but for what another watches too."""
        for address in self.addresses - (but.addresses if but is not None else set()):
            self.wires.let_go(address)


Mutations = Counted | Told


def find_mutations() -> Mutations | None:
    """Return a way to watch dictionaries; None where their contents have to be compared."""
    if has_versions():
        return Counted()
    wires = find_tripwires()
    return Told(wires) if wires is not None else None


def watch_mapping(mapping: dict[Any, Any]) -> Check | None:
    """Return what tells whether one has changed since; None where its contents have to tell."""
    mutations = find_mutations()
    if mutations is None or not mutations.add(mapping):
        return None
    mutations.seal()
    return mutations.are_same


def watch_keys(mapping: dict[Any, Any]) -> Check:
    """Return what tells whether anything was added or taken out since; by the length at least."""
    return watch_mapping(mapping) or partial(_has_length, mapping, len(mapping))


def _has_length(mapping: dict[Any, Any], length: int) -> bool:
    return len(mapping) == length
