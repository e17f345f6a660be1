"""Where in memory an object has what it holds, as identities."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.sandbox.state.gathered import watch_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tierwise.sandbox.state.checks import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Those of one object, by address. What they identify has to be kept alive while watched."""

    heads: Mapping[int, int]
    """What says where the values lie, or that they do: while it is the same, and only then, the
    values may be read."""
    values: Mapping[int, int] = field(default_factory=dict)

    def only(self, identities: Collection[int]) -> Words:
        """Return those of the values that are one of these."""
        values = {at: value for at, value in self.values.items() if value in identities}
        return Words(heads=self.heads, values=values)


def read_word(address: int) -> int:
    """Return what lies there."""
    return ctypes.c_size_t.from_address(address).value


def read_words(addresses: Iterable[int]) -> dict[int, int]:
    """Return what lies at each."""
    return {address: read_word(address) for address in addresses}


@dataclass(slots=True)
class AllWords:
    """Those of many objects, and what they were at one moment."""

    _heads: list[int] = field(default_factory=list)
    _values: list[int] = field(default_factory=list)
    _in_heads: list[int] = field(default_factory=list)
    """What lies there while nothing has changed."""
    _in_values: list[int] = field(default_factory=list)
    are_same: Check = field(init=False)
    """Tell whether none has changed since."""

    def add(self, words: Words) -> None:
        """Watch one object more."""
        self._heads += words.heads
        self._values += words.values
        self._in_heads += words.heads.values()
        self._in_values += words.values.values()

    def extend(self, others: list[AllWords]) -> None:
        """Watch all that others do."""
        for other in others:
            if other._heads:  # noqa: SLF001  one of its own kind
                self._heads += other._heads  # noqa: SLF001  as above
                self._values += other._values  # noqa: SLF001  as above
                self._in_heads += other._in_heads  # noqa: SLF001  as above
                self._in_values += other._in_values  # noqa: SLF001  as above

    def seal(self) -> None:
        """Make what tells of changes since they were added."""
        # Heads come first, and tell whether there are values to be read: nothing is read here,
        # where a thread may have moved them.
        kept = [*self._in_heads, *self._in_values]
        self.are_same = watch_words([*self._heads, *self._values], kept)

    def __len__(self) -> int:
        return len(self._heads)
