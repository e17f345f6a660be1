"""Two states compared and shown, without a process around them."""

from __future__ import annotations

import random
from types import ModuleType, SimpleNamespace

import pytest

from tierwise.errors import MisuseError
from tierwise.sandbox.state.imports import compare_modules, is_fake
from tierwise.sandbox.state.memory import has_versions, view_of_random, view_version
from tierwise.sandbox.state.numbers import compare_random
from tierwise.sandbox.state.places import Place, compare_kept, copy_deep, copy_flat, keep
from tierwise.sandbox.state.showing import show, show_text
from tierwise.sandbox.state.watchers import make_watchers


def names_changed(before: dict[str, object], after: dict[str, object]) -> list[tuple[str, ...]]:
    return [
        (change.owner, change.before, change.after) for change in compare_modules(before, after)
    ]


def test_a_real_module_has_a_spec() -> None:
    """What no import made has none: a module made by hand, a mock, None that blocks an import."""
    assert not is_fake(random)
    assert is_fake(ModuleType("planted"))
    assert is_fake(SimpleNamespace(__spec__="anything"))
    assert is_fake(None)
    assert not is_fake(ModuleType("cython_runtime"))
    assert not is_fake(ModuleType("_cython_3_1_0"))


def test_modules_popped_replaced_and_faked_are_changes() -> None:
    """What was imported is none, nor what a package brings along as it is imported."""
    fake = ModuleType("fake")
    assert names_changed({"random": random}, {}) == [
        ("sys.modules['random']", "<module random>", "(absent)")
    ]
    assert names_changed({"random": random}, {"random": fake})
    assert names_changed({}, {"redis": fake})
    assert names_changed({}, {"random": random}) == []
    assert names_changed({}, {"random": random, "random.moves": fake}) == []
    assert names_changed({"random": random}, {"random": random, "random.moves": fake})


def test_numbers_drawn_are_no_seed() -> None:
    """However many were drawn, the state follows from the one before."""
    generator = random.Random(5)
    before = generator.getstate()
    for _ in range(20_000):
        generator.random()
    assert [*compare_random(before, generator.getstate())] == []
    generator.seed(6)
    (change,) = compare_random(before, generator.getstate())
    assert change.after == "seeded by the test"


def test_the_interpreter_is_read_as_it_is() -> None:
    """Versions follow each change of a dictionary, and the generator's words are its state."""
    if has_versions():
        entries: dict[str, object] = {"a": 1}
        view = view_version(entries)
        seen = bytes(view)
        assert bytes(view) == seen
        entries["a"] = 2
        assert bytes(view) != seen
    words = view_of_random()
    assert words is None or tuple(words)[1:] == random.getstate()[1][:-1]


@pytest.mark.parametrize(
    ("value", "name", "shown"),
    [
        ("plain", "", "'plain'"),
        ("swordfish", "api_key", "[masked value]"),
        ({"password": "swordfish", "n": 1}, "", "{'password': [masked value], 'n': 1}"),
        ("sk-proj-swordfish0123456789abc", "", "'[masked key]'"),
        ([1, 2, 3, 4, 5], "", "[1, 2, 3, ... 5 in all]"),
        (SimpleNamespace(), "", "<types.SimpleNamespace>"),
        (int, "", "<class builtins.int>"),
        ("x" * 200, "", "'" + "x" * 40 + "'..."),
    ],
)
def test_a_value_is_shown_short_and_without_secrets(value: object, name: str, shown: str) -> None:
    """By its own name, the names inside it and its look; its own repr is never asked."""
    assert show(value, name) == shown


def test_a_login_within_an_address_is_masked() -> None:
    """The rest of the address stays, so that a reader knows which it is."""
    shown = show_text("postgres://me:swordfish@host/x")
    assert "swordfish" not in shown
    assert (shown[:15], shown[-7:]) == ("postgres://me:[", "@host/x")


def kept_twice(names: dict[str, object], change: object, *, deep: bool = False) -> list[str]:
    place = Place(owner="shop", holder=None, names=names, is_watched=lambda _name: True)
    copy = copy_deep if deep else copy_flat
    before = keep(place, copy)
    change()  # type: ignore[operator]
    return [
        f"{c.owner} {c.before} {c.after}"
        for c in compare_kept("modules", before, keep(place, copy))
    ]


def test_each_container_is_compared_by_its_content() -> None:
    """In place, one level deep; deeper where the look is thorough."""
    entries: dict[str, dict[str, int]] = {"a": {"b": 1}}
    assert kept_twice({"D": entries}, lambda: entries.update(c={})) == [
        "shop.D none of these, 1 others {'c': {}} of 2"
    ]
    assert kept_twice({"D": entries}, lambda: entries["a"].update(b=2)) == []
    assert kept_twice({"D": entries}, lambda: entries["a"].update(b=3), deep=True) == [
        "shop.D {'a': {'b': 2}} of 2 {'a': {'b': 3}} of 2"
    ]


def test_a_value_that_cannot_be_compared_is_told() -> None:
    """An entry whose own comparison raises ends no test."""

    class Odd:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            raise ValueError("ambiguous")

    odd: list[object] = [Odd()]
    (told,) = kept_twice({"L": odd}, lambda: odd.__setitem__(0, Odd()))
    assert told.startswith("shop.L ")


def test_an_unknown_watcher_is_refused_with_the_closest() -> None:
    """Whoever takes a snapshot by names has misspelt none of them."""
    with pytest.raises(MisuseError, match="Did you mean 'environ'"):
        make_watchers(["envron"])
