"""Dictionaries that change are told of, one way or the other, and those that do not are not."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.sandbox.state.looking import Witnesses
from tierwise.sandbox.state.tripwires import Tripwires, find_tripwires

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "set": lambda entries: entries.__setitem__("a", 2),
    "add": lambda entries: entries.__setitem__("b", 2),
    "del": lambda entries: entries.__delitem__("a"),
    "pop": lambda entries: entries.pop("a"),
    "popitem": lambda entries: entries.popitem(),
    "clear": lambda entries: entries.clear(),
    "update": lambda entries: entries.update(c=3),
    "or": lambda entries: entries.__ior__({"d": 4}),
    "setdefault": lambda entries: entries.setdefault("e", 5),
}


@pytest.fixture
def wires() -> Tripwires:
    """Return what tells of changes."""
    found = find_tripwires()
    if found is None:
        pytest.skip("this interpreter tells of no change")
    return found


def watch(*mappings: dict[str, Any]) -> Witnesses:
    """Watch dictionaries as they are now."""
    made = Witnesses()
    if not all(made.see(mapping) for mapping in mappings):
        pytest.skip("this interpreter neither counts nor tells")
    return made.seal()


@pytest.mark.parametrize("kind", [dict, OrderedDict])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_is_seen(
    change: Callable[[dict[str, Any]], object], kind: type[dict[str, Any]]
) -> None:
    """Whatever changes a dictionary, only what holds it is told of, and once is for ever."""
    entries, other = kind(a=1), kind(a=1)
    mutations, others = watch(entries), watch(other)
    assert entries.get("a") == 1
    assert mutations.are_same()
    change(entries)
    assert not mutations.are_same()
    assert others.are_same()
    again = watch(entries)
    assert again.are_same()
    assert not mutations.are_same()
    entries["f"] = 6
    assert not again.are_same()


def test_an_attribute_is_seen() -> None:
    """Attributes of a class's objects do not always live in a dictionary."""

    class Cart:
        def __init__(self) -> None:
            self.debug = False

    cart = Cart()
    for _ in range(100):  # until the interpreter takes its short cuts
        witnesses = Witnesses()
        witnesses.add(vars(cart), dict(vars(cart)), thorough=False)
        assert witnesses.seal().are_same()
        cart.debug = not cart.debug
        assert not witnesses.are_same()


def test_a_change_of_one_is_a_change_of_all() -> None:
    """Several are watched as one."""
    first, second = {"a": 1}, {"b": 1}
    union = watch()
    union.extend([watch(first), watch(second)])
    union.seal()
    assert union.are_same()
    second.clear()
    assert not union.are_same()


def test_what_changes_over_and_over_is_told_once(wires: Tripwires) -> None:
    """And by C alone: in the middle of a change no other thread may come in between."""
    entries = {"a": 0}
    wires.watch(entries)
    before = len(wires.changes)
    called: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        for n in range(1000):
            entries["a"] = n
    finally:
        sys.setprofile(None)
    assert called == []
    assert len(wires.changes) == before + 1
    entries["a"] = -1  # it was let go when that was read
    assert len(wires.changes) == before + 1


def test_who_relies_on_what_was_let_go_looks_again(wires: Tripwires) -> None:
    """Nobody is left to believe that nothing has changed."""
    entries = {"a": 0}
    ours, theirs = Witnesses(), Witnesses()
    for witnesses in (ours, theirs):
        witnesses.add(entries, dict(entries), thorough=False)
        witnesses.seal()
    ours.let_go(theirs)
    assert theirs.are_same()
    ours.let_go()
    assert not theirs.are_same()
    assert wires.watch(entries) == len(wires.changes)


def test_what_was_let_go_is_not_kept_alive(wires: Tripwires) -> None:
    """A dictionary lives as long as it is watched, by us."""
    entries = {"a": object()}
    before = sys.getrefcount(entries)
    wires.watch(entries)
    assert sys.getrefcount(entries) > before
    wires.let_go(id(entries))
    assert sys.getrefcount(entries) == before
