"""Lists and sets, by the words of their memory.

They hold the same entries while these words are the same, and to compare hundreds of them so
takes a tenth of the time of comparing each with a copy of it.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from tierwise.sandbox.state.gathered import WORD, watch_words
from tierwise.sandbox.state.words import Words, read_word, read_words

_LENGTH_AT, _ITEMS_AT = 2 * WORD, 3 * WORD
"""Of a list, after the count of references and the type."""
_USED_AT, _MASK_AT, _TABLE_AT, _SLOTS_AT = 3 * WORD, 4 * WORD, 5 * WORD, 8 * WORD
"""Of a set, after these and the number of slots in use."""
_N_SLOTS = 8
"""So many of a set lie in the set itself, each with room for an entry and its hash."""


def view_container(live: Any, copy: Any) -> Words | None:  # noqa: ANN401  any container
    """Return the words of a list or a small set; None for what is to be compared.

    `copy` says what it holds: the container itself may be changed by a thread meanwhile.
    """
    if type(live) not in (list, set) or not _is_understood():
        return None
    return _view_list(live, copy) if type(live) is list else _view_set(live, copy)


def _view_list(live: list[Any], copy: list[Any]) -> Words:
    length = {id(live) + _LENGTH_AT: len(copy)}
    if not copy:
        return Words(heads=length)
    items = read_word(id(live) + _ITEMS_AT)
    addresses = range(items, items + len(copy) * WORD, WORD)
    return Words(
        heads=length | {id(live) + _ITEMS_AT: items},
        values=dict(zip(addresses, map(id, copy), strict=True)),
    )


def _view_set(live: set[Any], copy: set[Any]) -> Words | None:
    length = {id(live) + _USED_AT: len(copy)}
    if not copy:
        return Words(heads=length)
    table = read_words([id(live) + _MASK_AT, id(live) + _TABLE_AT])
    slots = id(live) + _SLOTS_AT
    if [*table.values()] != [_N_SLOTS - 1, slots]:
        return None  # its slots lie elsewhere, and most are empty
    words = Words(
        heads=length | table,
        values=read_words(range(slots, slots + _N_SLOTS * 2 * WORD, 2 * WORD)),
    )
    # What comes into an empty slot makes the set larger, unless it leaves one of these.
    found = words.only({*map(id, copy)})
    return found if len(found.values) == len(copy) else None


@cache
def _is_understood() -> bool:
    """Try it on examples: their entries are found, and each change of them is seen."""
    if sys.implementation.name != "cpython":
        return False
    first, second, third = object(), object(), object()
    entries, members = [first, second], {first, second}
    if read_word(id(entries) + _LENGTH_AT) != len(entries):
        return False
    of_list, of_set = _view_list(entries, entries.copy()), _view_set(members, members.copy())
    if of_set is None or read_words(of_list.values) != of_list.values:
        return False
    checks = [watch_words([*each.heads, *each.values]) for each in (of_list, of_set)]
    before = [check() for check in checks]
    entries[1] = third
    members.remove(second)
    members.add(third)
    return before == [True, True] and not any(check() for check in checks)
