"""One change put back, and all others left."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain.watching import Change
from tierwise.sandbox.state.looking import Looker
from tierwise.sandbox.state.places import Place
from tierwise.sandbox.state.single import restore_change
from tierwise.sandbox.state.snapshot import Snapshot
from tierwise.sandbox.state.watcher import Watcher, differing, simple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def change(owner: str, watcher: str = "it") -> Change:
    return Change(watcher=watcher, owner=owner, before="", after="")


def snapshot(watcher: Watcher) -> Snapshot:
    return Snapshot(watchers=(watcher,), taken={watcher.name: watcher.take()})


@pytest.fixture
def shop() -> ModuleType:
    """Return a module with state."""
    module = ModuleType("shop")
    module.__dict__.update(CART=["egg"], PRICES={"egg": 1}, open=True)
    return module


def watch(module: ModuleType) -> Watcher:
    def find_places(name: str, root: object) -> list[Place]:
        assert isinstance(root, ModuleType)
        return [
            Place(
                owner=name,
                holder=root,
                names=root.__dict__,
                is_watched=lambda name: not name.startswith("__"),
            )
        ]

    return Looker(
        watcher="it", find_roots=lambda: {"shop": module}, find_places=find_places
    ).watch()


@pytest.mark.parametrize(
    ("name", "value"), [("CART", ["egg"]), ("PRICES", {"egg": 1}), ("open", True)]
)
def test_one_name_of_a_module_is_put_back(shop: ModuleType, name: str, value: object) -> None:
    """Content and value come back; what else was changed stays changed."""
    before = snapshot(watch(shop))
    shop.CART.append("ham")
    shop.PRICES["ham"] = 2
    shop.open = False  # type: ignore[attr-defined]
    shop.new = 1  # type: ignore[attr-defined]
    dirty = {"CART": ["egg", "ham"], "PRICES": {"egg": 1, "ham": 2}, "open": False, "new": 1}
    assert restore_change(before, change(f"shop.{name}"))
    kept = {key: entry for key, entry in vars(shop).items() if not key.startswith("__")}
    assert kept == {**dirty, name: value}


def test_a_new_name_is_taken_out_and_a_gone_one_put_in(shop: ModuleType) -> None:
    """A name that was not there goes, and one that was comes back."""
    before = snapshot(watch(shop))
    shop.new = 1  # type: ignore[attr-defined]
    del shop.CART
    assert restore_change(before, change("shop.new"))
    assert not hasattr(shop, "new")
    assert not hasattr(shop, "CART")
    assert restore_change(before, change("shop.CART"))
    assert shop.CART == ["egg"]


@dataclass
class Variables:
    """A mapping as the environment is one."""

    live: dict[str, str] = field(default_factory=dict)

    def watch(self) -> Watcher:
        """Return a watcher of it."""

        def compare(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Iterator[Change]:
            for key in differing(before, after):
                yield change(f"env[{key!r}]")

        return simple("it", lambda: dict(self.live), compare, self._restore)

    def _restore(self, kept: dict[str, str]) -> None:
        self.live.clear()
        self.live.update(kept)


def test_one_key_of_a_mapping_is_put_back() -> None:
    """Of variables set, changed and taken out, the one that is meant is as it was."""
    variables = Variables({"A": "1", "B": "1", "C": "1"})
    before = snapshot(variables.watch())
    variables.live.update(A="2", B="2", D="2")
    del variables.live["C"]
    assert restore_change(before, change("env['B']"))
    assert variables.live == {"A": "2", "B": "1", "D": "2"}
    assert restore_change(before, change("env['D']"))
    assert restore_change(before, change("env['C']"))
    assert variables.live == {"A": "2", "B": "1", "C": "1"}


def test_what_cannot_be_put_back_is_said() -> None:
    """A watcher that cannot restore, a change that is not there, a watcher that is not."""
    variables = Variables({"A": "1"})
    before = snapshot(variables.watch())
    assert not restore_change(before, change("env['A']"))
    assert not restore_change(before, change("env['A']", watcher="other"))
    blind = simple("it", lambda: 1, lambda _before, _after: iter(()))
    assert not restore_change(snapshot(blind), change("it"))


def test_a_watcher_of_one_thing_puts_that_back() -> None:
    """The working folder and its like are a single thing."""
    values = [1]
    watcher = simple(
        "it", lambda: values[0], lambda _b, _a: iter(()), lambda kept: values.__setitem__(0, kept)
    )
    before = snapshot(watcher)
    values[0] = 2
    assert restore_change(before, change("it"))
    assert values == [1]
