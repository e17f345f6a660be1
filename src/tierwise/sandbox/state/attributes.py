"""Attributes of an object, without its namespace.

Whoever asks an object for its `__dict__` has one made, and each later look-up of an attribute, by
whatever code, goes the long way through it (CPython 3.11 and 3.12). There are hundreds of loggers,
and pytest looks at each of them in each phase of each test.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, MutableMapping
from functools import cache
from typing import Any

from tierwise.sandbox.state.gathered import WORD, watch_words
from tierwise.sandbox.state.words import Words, read_words

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


def view_words(attributes: Attributes) -> Words | None:
    """Return the views; None where the values are not all there, and have to be asked for."""
    if not _is_understood():
        return None
    words = _find_words(attributes.holder)
    if words is None or not attributes.are_all_there:
        return None
    # Which value belongs to which name is not said: those of others that are the same go along.
    found = {*map(id, attributes.values())}
    return words.only(found) if found <= {*words.values.values()} else None


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
    # The word from that sign on ends within the first value, which is watched as well.
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
    values = read_words(range(start, start + n_used * WORD, WORD))
    # One that is missing among them means that another lies behind them.
    return None if 0 in values.values() else Words(heads=read_words([head]), values=values)


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
    attributes = {*map(id, [example.level, example.parent, example.is_on])}
    if words is None or not attributes <= {*words.values.values()}:
        return False
    is_head_same, are_same = watch_words([*words.heads]), watch_words([*words.values])
    example.level = 1
    is_seen = not are_same()
    example.level = 0
    example.other = None  # type: ignore[attr-defined]  # one more, as code adds them
    if not (is_seen and is_head_same() and are_same()):
        return False
    if sys.version_info >= (3, 13):
        return True  # a namespace shares the values with the object
    vars(example)
    return not is_head_same() and _find_words(example) is None
