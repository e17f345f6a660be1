"""Lists and sets, by the words of their memory.

They hold the same entries while these words are the same, and to compare hundreds of them so
takes a tenth of the time of comparing each with a copy of it.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from tierwise.sandbox.state.gathered import WORD, watch_words
from tierwise.sandbox.state.words import Words, read_word

_LENGTH_AT, _ITEMS_AT = 2 * WORD, 3 * WORD
"""Of a list, after the count of references and the type."""
_FILL_AT, _USED_AT, _MASK_AT, _TABLE_AT = 2 * WORD, 3 * WORD, 4 * WORD, 5 * WORD
"""Of a set, as well."""


def view_container(container: Any) -> Words | None:  # noqa: ANN401  any container
    """Return the words of a list or a set; None for what is to be compared."""
    if type(container) not in (list, set) or not _is_understood():
        return None
    return _view_list(container) if type(container) is list else _view_set(container)


def _view_list(entries: list[Any]) -> Words:
    address = id(entries)
    if not entries:
        return Words(heads=(address + _LENGTH_AT,), values=())
    items = read_word(address + _ITEMS_AT)
    return Words(
        heads=(address + _LENGTH_AT, address + _ITEMS_AT),
        values=range(items, items + len(entries) * WORD, WORD),
    )


def _view_set(entries: set[Any]) -> Words:
    address = id(entries)
    if not entries:
        return Words(heads=(address + _USED_AT,), values=())
    n_slots, table = read_word(address + _MASK_AT) + 1, read_word(address + _TABLE_AT)
    slots = range(table, table + n_slots * 2 * WORD, 2 * WORD)  # an entry, and its hash
    words = Words(heads=[address + at for at in (_USED_AT, _MASK_AT, _TABLE_AT)], values=slots)
    # What comes into an empty slot makes the set larger, unless it leaves one of these.
    return words.only({*map(id, entries)})


@cache
def _is_understood() -> bool:
    """Try it on examples: their entries are found, and each change of them is seen."""
    if sys.implementation.name != "cpython":
        return False
    first, second, third = object(), object(), object()
    entries, members = [first, second], {first, second}
    if read_word(id(entries) + _LENGTH_AT) != len(entries) or not _is_set(members):
        return False
    of_list, of_set = _view_list(entries), _view_set(members)
    if of_list.read() != [*map(id, entries)] or {*of_set.read()} != {*map(id, members)}:
        return False
    checks = [watch_words([*each.heads, *each.values]) for each in (of_list, of_set)]
    before = [check() for check in checks]
    entries[1] = third
    members.remove(second)
    members.add(third)
    return before == [True, True] and not any(check() for check in checks)


def _is_set(members: set[Any]) -> bool:
    found = [read_word(id(members) + at) for at in (_FILL_AT, _USED_AT, _MASK_AT)]
    return found == [len(members), len(members), 7]
