from __future__ import annotations

import pytest
from entries import NOON, entry
from omnia.memory import split_buffer


@pytest.mark.parametrize(("count", "old"), [(0, 0), (8, 0), (9, 1), (20, 12)])
def test_the_last_eight_stay(count: int, old: int) -> None:
    """With eight or fewer there is nothing to hand over."""
    entries = [entry(n, minutes_ago=500 - n) for n in range(count)]
    split = split_buffer(entries, NOON)
    assert len(split.candidates) == old
    assert [e.id for e in split.tail] == [f"e{n}" for n in range(old, count)]


def test_what_is_recent_stays_however_much_it_is() -> None:
    """The tail grows back over everything of the last half hour."""
    entries = [entry(n, minutes_ago=40 - n) for n in range(40)]
    split = split_buffer(entries, NOON)
    assert [e.id for e in split.candidates] == [f"e{n}" for n in range(11)]
    assert split.tail[0].moment > NOON - (NOON - entry(minutes_ago=30).moment)


def test_order_of_arrival_does_not_matter() -> None:
    """Entries are put in order of time before they are split."""
    entries = [entry(n, minutes_ago=500 - n) for n in range(12)]
    assert split_buffer(entries[::-1], NOON) == split_buffer(entries, NOON)


def test_pinned_entries_are_neither_old_nor_tail() -> None:
    """What is kept word by word is not handed over again and takes no room of the tail."""
    entries = [entry(n, minutes_ago=500 - n, pinned=n % 2 == 0) for n in range(20)]
    split = split_buffer(entries, NOON)
    assert [e.id for e in split.candidates] == ["e1", "e3"]
    assert not any(e.pinned for e in split.tail)
