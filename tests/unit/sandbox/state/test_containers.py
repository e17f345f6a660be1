"""Lists and sets are told from what they were by the words of their memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.sandbox.state import containers
from tierwise.sandbox.state.containers import view_container
from tierwise.sandbox.state.looking import Witnesses

if TYPE_CHECKING:
    from collections.abc import Callable

ONE, TWO, THREE = object(), object(), object()
OF_LISTS: dict[str, Callable[[list[object]], object]] = {
    "append": lambda entries: entries.append(THREE),
    "pop": lambda entries: entries.pop(),
    "set": lambda entries: entries.__setitem__(0, THREE),
    "reverse": lambda entries: entries.reverse(),
    "clear": lambda entries: entries.clear(),
    "as long, but another": lambda entries: entries.__setitem__(slice(None), [TWO, THREE]),
    "grown and shrunk": lambda entries: (entries.extend([THREE] * 99), entries.__delitem__(0)),
}
OF_SETS: dict[str, Callable[[set[object]], object]] = {
    "add": lambda entries: entries.add(THREE),
    "remove": lambda entries: entries.remove(ONE),
    "clear": lambda entries: entries.clear(),
    "one for another": lambda entries: (entries.remove(ONE), entries.add(THREE)),
    "grown": lambda entries: entries.update(range(99)),
}


@pytest.fixture(autouse=True, params=["by words", "by content"])
def _how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interpreter's memory be understood, and not."""
    if request.param == "by content":
        monkeypatch.setattr(containers, "_is_understood", lambda: False)


def watch(container: Any) -> Witnesses:
    witnesses = Witnesses()
    witnesses.add(container, container.copy(), thorough=False)
    return witnesses.seal()


@pytest.mark.parametrize("change", OF_LISTS.values(), ids=OF_LISTS)
def test_each_change_of_a_list_is_seen(change: Callable[[list[object]], object]) -> None:
    """Another length, another entry, another order."""
    entries, other = [ONE, TWO], [ONE, TWO]
    witnesses, others = watch(entries), watch(other)
    assert witnesses.are_same()
    change(entries)
    assert not witnesses.are_same()
    assert others.are_same()


@pytest.mark.parametrize("change", OF_SETS.values(), ids=OF_SETS)
def test_each_change_of_a_set_is_seen(change: Callable[[set[object]], object]) -> None:
    """Another entry, or fewer or more of them."""
    entries = {ONE, TWO}
    witnesses = watch(entries)
    assert witnesses.are_same()
    change(entries)
    assert not witnesses.are_same()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 8, 20, 100])
@pytest.mark.parametrize("kind", [list, set])
def test_one_more_is_seen_in_a_container_of_any_size(n: int, kind: type[Any]) -> None:
    """An empty one is told by its length alone, a large set is compared with its copy."""
    entries = kind(map(str, range(n)))
    witnesses = watch(entries)
    assert witnesses.are_same()
    entries.append("new") if kind is list else entries.add("new")
    assert not witnesses.are_same()


def test_one_change_among_many_is_seen() -> None:
    """All are compared in one go."""
    many: list[Any] = [[], [ONE], set(), {ONE}, [ONE, TWO]]
    union = Witnesses()
    union.extend([watch(each) for each in many])
    assert union.seal().are_same()
    for each in many:
        each.append(TWO) if isinstance(each, list) else each.add(TWO)
        assert not union.are_same()
        assert union.seal() is union
        many_more = Witnesses()
        many_more.extend([watch(one) for one in many])
        union = many_more.seal()
        assert union.are_same()


def test_containers_of_other_kinds_have_no_words() -> None:
    """They are compared with a copy: what a subclass does is its own affair."""

    class Listed(list[int]):
        pass

    for container in (Listed(), bytearray(), {}):
        assert view_container(container, container) is None


def test_this_interpreter_is_understood(request: pytest.FixtureRequest) -> None:
    """Else each list is compared with a copy around each test, and nobody would know."""
    is_by_words = "by words" in request.node.name
    assert (view_container([], []) is not None) is is_by_words
    assert (view_container({ONE}, {ONE}) is not None) is is_by_words


def test_the_copy_says_what_is_expected() -> None:
    """A thread may have changed the container since it was copied: that is a change."""
    for live, copy in (([ONE, TWO], [ONE]), ([TWO], [ONE]), ([], [ONE]), ({TWO}, {ONE})):
        witnesses = Witnesses()
        witnesses.add(live, copy, thorough=False)
        assert not witnesses.seal().are_same()
