"""Attributes of an object, without its namespace.

Whoever asks an object for its `__dict__` has one made, and each later look-up of an attribute, by
whatever code, goes the long way through it (CPython 3.11 and 3.12). There are hundreds of loggers,
and pytest looks at each of them in each phase of each test.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tierwise.sandbox.state.gathered import WORD, Gathered

_HEAD_BYTES = 1 if sys.version_info >= (3, 13) else WORD
_MANAGED, _INLINE = 1 << 4, 1 << 2
"""Flags of a type: the interpreter looks after its instances' dictionaries, or values."""
_MOST_VALUES = 30
"""So many attributes lie outside a dictionary at most."""


class Attributes(MutableMapping[str, Any]):
    """Those of an object that have these names and that it has."""

    __slots__ = ("_names", "holder")

    def __init__(self, holder: object, names: frozenset[str]) -> None:
        self.holder, self._names = holder, names

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  any value
        try:
            return object.__getattribute__(self.holder, name)
        except AttributeError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, value: object) -> None:
        object.__setattr__(self.holder, name, value)

    def __delitem__(self, name: str) -> None:
        object.__delattr__(self.holder, name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in sorted(self._names) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def are_all_there(self) -> bool:
        """Tell whether it has an attribute of each name."""
        return len(self) == len(self._names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Where in memory an object has its values, as identities."""

    head: int
    """Address of what says where they lie, or that they do: while it is the same they may be
    read."""
    start: int
    n_values: int
    """So many words from there on."""

    def holds(self, value: object) -> bool:
        """Tell whether this is one of the values."""
        return id(value) in self.read()

    def read(self) -> list[int]:
        """Return the values."""
        return [*(ctypes.c_size_t * self.n_values).from_address(self.start)]


@dataclass(slots=True)
class AllWords:
    """Those of many objects, and what they were at one moment."""

    _heads: list[int] = field(default_factory=list)
    _starts: dict[int, list[int]] = field(default_factory=dict)
    """By the number of values that lie there."""
    _kept: tuple[Gathered, ...] = ()

    def add(self, words: Words) -> None:
        """Watch one object more."""
        self._heads.append(words.head)
        self._starts.setdefault(words.n_values, []).append(words.start)

    def extend(self, others: list[AllWords]) -> None:
        """Watch all that others do, which are as they were."""
        for other in others:
            self._heads += other._heads  # noqa: SLF001  one of its own kind
            for n_values, starts in other._starts.items():  # noqa: SLF001  as above
                self._starts.setdefault(n_values, []).extend(starts)

    def seal(self) -> None:
        """Take them all as they are now."""
        # The heads come first: they tell whether there are values to be read.
        self._kept = (
            Gathered(self._heads, _HEAD_BYTES),
            *(Gathered(starts, n * WORD) for n, starts in self._starts.items()),
        )

    def __len__(self) -> int:
        return len(self._heads)

    def are_same(self) -> bool:
        """Tell whether none has changed since."""
        return all(map(Gathered.are_same, self._kept))


def view_words(attributes: Attributes) -> Words | None:
    """Return the views; None where the values are not all there, and have to be asked for."""
    if not _is_understood():
        return None
    words = _find_words(attributes.holder)
    if words is None or not attributes.are_all_there:
        return None
    return words if all(map(words.holds, attributes.values())) else None


def _find_words(holder: object) -> Words | None:
    flags = type(holder).__flags__
    if sys.version_info >= (3, 13):
        return _find_inline(holder) if flags & _INLINE else None
    return _find_apart(holder) if flags & _MANAGED else None


def _find_inline(holder: object) -> Words | None:
    """As in 3.13: right behind the object, with their number and a sign that they are in use."""
    start = id(holder) + type(holder).__basicsize__
    _, n_used, _, is_in_use = ctypes.string_at(start, 4)
    if not is_in_use:
        return None
    return _words(head=start + 3, start=start + WORD, n_used=n_used)


def _find_apart(holder: object) -> Words | None:
    """As in 3.11 and 3.12: a pointer before the object leads there, unless it has a namespace."""
    is_tagged = sys.version_info >= (3, 12)
    at = id(holder) - (3 if is_tagged else 4) * WORD
    found = ctypes.c_size_t.from_address(at).value
    if not found or (is_tagged and not found & 1):
        return None
    start = found + is_tagged
    n_used = ctypes.string_at(start - 2, 1)[0]
    return _words(head=at, start=start, n_used=n_used)


def _words(*, head: int, start: int, n_used: int) -> Words | None:
    if not 0 < n_used <= _MOST_VALUES:
        return None
    words = Words(head=head, start=start, n_values=n_used)
    # One that is missing among them means that another lies behind them.
    return None if 0 in words.read() else words


class _Example:
    def __init__(self) -> None:
        self.level, self.parent, self.is_on = 0, object(), True


@cache
def _is_understood() -> bool:
    """Try it on an example: each change is seen, reading is none, and a namespace ends it."""
    if sys.implementation.name != "cpython":
        return False
    example = _Example()
    words = _find_words(example)
    if words is None or not all(map(words.holds, [example.level, example.parent, example.is_on])):
        return False
    head = Gathered([words.head], _HEAD_BYTES)
    values = Gathered([words.start], words.n_values * WORD)
    example.level = 1
    is_seen = not values.are_same()
    example.level = 0
    example.other = None  # type: ignore[attr-defined]  # one more, as code adds them
    if not (is_seen and head.are_same() and values.are_same()):
        return False
    if sys.version_info >= (3, 13):
        return True  # a namespace shares the values with the object
    vars(example)
    return not head.are_same() and _find_words(example) is None
