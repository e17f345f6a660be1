"""A watcher with a witness looks only when something may have happened."""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar, copy_context
from types import ModuleType
from typing import TYPE_CHECKING, Any, Never

import pytest

from tierwise.sandbox.happening import Happened
from tierwise.sandbox.hook import COUNTED, audit
from tierwise.sandbox.slot import HERE, NOBODY, SLOT
from tierwise.sandbox.state.environ import witness_of_environ
from tierwise.sandbox.state.process import witness_of_cwd
from tierwise.sandbox.state.running import witness_of_children
from tierwise.sandbox.state.watcher import Watcher, simple, witnessed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SILENT = ("multiprocessing.util", "uvloop")
WITNESSES: dict[str, Callable[[], object]] = {
    "environ": witness_of_environ,
    "cwd": witness_of_cwd,
    "processes": witness_of_children,
}


class Place:
    """Something that is looked at, and how often it was."""

    def __init__(self) -> None:
        self.value: object = ["a"]
        self.said: object = 1
        self.n_looks = 0

    def take(self) -> object:
        """Look."""
        self.n_looks += 1
        return self.value

    def watch(self) -> Watcher:
        """Watch it, by what the witness is told to say."""
        return witnessed(simple("place", self.take, lambda _, __: iter(())), lambda: self.said)


def test_nobody_looks_while_the_witness_says_the_same() -> None:
    """What was taken is taken for what there is."""
    place = Place()
    watcher = place.watch()
    kept = watcher.take()
    assert [watcher.is_same(kept) for _ in range(3)] == [True, True, True]
    assert place.n_looks == 1


def test_another_word_is_a_reason_to_look_once() -> None:
    """What is found to be the same is known to be until the witness says something else."""
    place = Place()
    watcher = place.watch()
    kept = watcher.take()
    place.said = 2
    assert watcher.is_same(kept)
    assert watcher.is_same(kept)
    assert place.n_looks == 2
    place.value, place.said = ["b"], 3
    assert not watcher.is_same(kept)
    assert not watcher.is_same(kept)


@pytest.mark.parametrize("how", ["unknown", "of another look", "not to be compared"])
def test_without_a_word_somebody_looks(how: str) -> None:
    """Nobody can tell; or what is expected is not what was taken when it was said."""

    class Odd:
        def __eq__(self, other: object) -> Never:
            raise ValueError

        __hash__ = None  # type: ignore[assignment]  # nothing is looked up by it

    place = Place()
    place.said = {"unknown": None, "not to be compared": Odd()}.get(how, 1)
    watcher = place.watch()
    kept: Any = watcher.take()
    if how == "of another look":
        kept = [*kept]
    place.value = ["b"]
    assert not watcher.is_same(kept)


def test_a_context_is_its_own_witness() -> None:
    """Two copies are equal while no variable was set."""
    tenant: ContextVar[int] = ContextVar("tenant")
    before = copy_context()
    assert copy_context() == before
    token = tenant.set(1)
    assert copy_context() != before
    tenant.reset(token)
    assert copy_context() == before


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Happened]:
    """Count anew, with nobody but this test to be counted, and nobody to be blamed."""
    made = Happened()
    monkeypatch.setattr(SLOT, "happened", made)
    monkeypatch.setattr(SLOT, "has_hook", True)
    for name in SILENT:
        monkeypatch.delitem(sys.modules, name, raising=False)
    token = HERE.set(NOBODY)
    yield made
    HERE.reset(token)


@pytest.mark.parametrize("event", COUNTED)
def test_each_event_that_may_change_something_is_counted(event: str, happened: Happened) -> None:
    """Its witness says something else, and the others do not."""
    assert happened == dict.fromkeys(WITNESSES, 0)
    before = {name: witness() for name, witness in WITNESSES.items()}
    audit(event, ("NAME", "value"))
    said = {name for name, witness in WITNESSES.items() if witness() != before[name]}
    assert said == {COUNTED[event]}


@pytest.mark.parametrize("name", ["PYTEST_CURRENT_TEST", b"PYTEST_CURRENT_TEST"])
def test_what_pytest_sets_itself_is_not_counted(name: object, happened: Happened) -> None:
    """It does so in each phase of each test."""
    before = witness_of_environ()
    audit("os.putenv", (name, b"test_it.py::test (call)"))
    assert witness_of_environ() == before
    assert happened["environ"] == 0


@pytest.mark.usefixtures("happened")
@pytest.mark.parametrize("name", SILENT)
def test_who_starts_processes_without_an_event_is_watched(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is imported, nobody knows whether there was one."""
    assert witness_of_children() is not None
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    assert witness_of_children() is None


@pytest.mark.usefixtures("happened")
def test_where_nobody_counts_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no hook, or a stand-in for the environment."""
    monkeypatch.setattr(os, "environ", {})
    assert witness_of_environ() is None
    monkeypatch.setattr(SLOT, "has_hook", False)
    assert [witness() for witness in WITNESSES.values()] == [None, None, None]
