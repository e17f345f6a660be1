"""What tells that nothing has happened to a piece of process state."""

from __future__ import annotations

import asyncio
import decimal
import gc
import logging
import os
import random
import sys
import threading
import time
import types
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from tierwise.domain.watching import Watching
from tierwise.sandbox.happening import Happened
from tierwise.sandbox.hook import COUNTED, audit
from tierwise.sandbox.slot import HERE, NOBODY, SLOT
from tierwise.sandbox.state import baseline
from tierwise.sandbox.state.baseline import Baseline
from tierwise.sandbox.state.checks import are_all_true
from tierwise.sandbox.state.watcher import Watcher
from tierwise.sandbox.state.watchers import make_watchers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.sandbox.state.checks import Check

SILENT = ("multiprocessing.util", "uvloop")
WitnessOf = Callable[[str], "Sequence[Check] | None"]
COUNTED_WATCHERS = ("environ", "cwd", "processes")


@pytest.fixture
def witness_of() -> WitnessOf:
    """Return what returns what tells of a watcher's state from then on."""
    alive: list[Watcher] = []  # one that is gone watches nothing

    def of(name: str) -> Sequence[Check] | None:
        (watcher,) = make_watchers([name])
        alive.append(watcher)
        assert watcher.witness is not None
        return watcher.witness(watcher.take())

    return of


class Place:
    """Something that is looked at, and how often it was."""

    def __init__(self) -> None:
        self.value: object = "a"
        self.has_happened: Callable[[], bool] | None = lambda: False
        self.n_looks = 0

    def is_same(self, kept: object) -> bool:
        """Look closely."""
        self.n_looks += 1
        return self.value == kept

    def witness(self, _: object) -> Sequence[Check] | None:
        """Tell by what `has_happened` says from now on."""
        has_happened = self.has_happened
        return None if has_happened is None else (lambda: not has_happened(),)

    def expect(self, monkeypatch: pytest.MonkeyPatch) -> Baseline:
        """Expect what is there now."""
        watcher = Watcher(
            name="cwd",
            take=lambda: self.value,
            compare=lambda _, __: iter(()),
            is_same=self.is_same,
            witness=self.witness,
        )
        monkeypatch.setattr(baseline, "make_watchers", lambda *_, **__: (watcher,))
        made = Baseline({"cwd": Watching.REPORT}, ())
        self.n_looks = 0
        return made


def test_nobody_looks_while_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was taken is taken for what there is."""
    place = Place()
    expected = place.expect(monkeypatch)
    place.value = "b"
    assert [expected.find_different() for _ in range(3)] == [[], [], []]
    assert place.n_looks == 0


def test_what_happens_is_a_reason_to_look_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found to be the same is known to be until something happens again."""
    place = Place()
    happened = [0]

    def witness(_: object) -> Sequence[Check]:
        then = happened[0]
        return (lambda: happened[0] == then,)

    monkeypatch.setattr(place, "witness", witness)
    expected = place.expect(monkeypatch)
    happened[0] = 1
    assert [expected.find_different() for _ in range(3)] == [[], [], []]
    assert place.n_looks == 1
    place.value = "b"
    happened[0] = 2
    assert [len(expected.find_different()) for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("how", ["unknown", "always happening", "not to be compared"])
def test_where_nobody_can_tell_somebody_looks(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time; and a question that cannot be answered is no reason to believe anything."""
    place = Place()
    said: dict[str, Callable[[], bool] | None] = {"always happening": lambda: True}
    place.has_happened = said.get(how)
    expected = place.expect(monkeypatch)
    if how == "not to be compared":
        place.has_happened = lambda: place.n_looks > 1 and 1 / 0 > 0
        expected = place.expect(monkeypatch)
        place.n_looks = 2
    place.value = "b"
    assert [len(expected.find_different()) for _ in range(3)] == [1, 1, 1]


TZNAME = time.tzname
HANDLER = logging.NullHandler()
LOGGER = logging.getLogger(__name__)
CHANGES: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "random": (random.random, lambda: None),
    "sys_path": (lambda: sys.path.insert(0, "/srv/shop"), lambda: sys.path.remove("/srv/shop")),
    "sys_modules": (
        lambda: sys.modules.__setitem__("shop_planted", types.ModuleType("shop_planted")),
        lambda: sys.modules.__delitem__("shop_planted"),
    ),
    "timezone": (
        lambda: setattr(time, "tzname", ("NEW", "NEW")),
        lambda: setattr(time, "tzname", TZNAME),
    ),
    "event_loop": (
        lambda: asyncio.set_event_loop_policy(asyncio.DefaultEventLoopPolicy()),
        lambda: asyncio.set_event_loop_policy(None),
    ),
    "logging: a handler of all": (
        lambda: logging.root.addHandler(HANDLER),
        lambda: logging.root.removeHandler(HANDLER),
    ),
    "logging: a handler": (
        lambda: LOGGER.addHandler(HANDLER),
        lambda: LOGGER.removeHandler(HANDLER),
    ),
    "logging: a level": (
        lambda: LOGGER.setLevel("ERROR"),
        lambda: LOGGER.setLevel("NOTSET"),
    ),
    "logging: disabled": (lambda: logging.disable(40), lambda: logging.disable(0)),
    "logging: a logger": (
        lambda: logging.getLogger("shop.new"),
        lambda: logging.root.manager.loggerDict.pop("shop.new"),
    ),
}


@pytest.mark.parametrize("how", CHANGES)
def test_a_change_fails_its_witness(how: str, witness_of: WitnessOf) -> None:
    """And nothing else does: it holds for as long as nothing is done."""
    random.seed(7)
    random.random()  # all words are made by the first; each further one moves the index alone
    checks = witness_of(how.partition(":")[0])
    change, undo = CHANGES[how]
    assert checks is not None
    assert are_all_true(checks)
    change()
    try:
        assert not are_all_true(checks)
    finally:
        undo()


def test_a_thread_that_runs_fails_its_witness(witness_of: WitnessOf) -> None:
    """While it runs; when it has ended, all is as it was."""
    checks = witness_of("threads")
    assert checks is not None
    assert are_all_true(checks)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert not are_all_true(checks)
    finally:
        stop.set()
        thread.join()
    assert are_all_true(checks)


def test_a_task_that_waits_fails_its_witness(witness_of: WitnessOf) -> None:
    """One that is pending, in whatever loop."""
    gc.collect()  # tasks of other tests that are done
    checks = witness_of("tasks")
    if checks is None:
        pytest.skip("unobservable: a task of another test is still there")
    assert are_all_true(checks)

    async def wait() -> bool:
        task = asyncio.create_task(asyncio.sleep(0))
        said = are_all_true(checks)
        await task
        return said

    assert asyncio.run(wait()) is False


def test_a_context_is_its_own_witness(witness_of: WitnessOf) -> None:
    """Two copies are equal while no variable was set."""
    tenant: ContextVar[int] = ContextVar("tenant")
    before, checks = copy_context(), witness_of("contextvars")
    assert checks is not None
    assert copy_context() == before
    assert are_all_true(checks)
    token = tenant.set(1)
    assert copy_context() != before
    assert not are_all_true(checks)
    tenant.reset(token)
    assert copy_context() == before
    assert are_all_true(checks)


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
def test_each_event_that_may_change_something_is_counted(
    event: str, happened: Happened, witness_of: WitnessOf
) -> None:
    """Its witness no longer holds, and the others do."""
    assert happened == dict.fromkeys(COUNTED_WATCHERS, 0)
    before = {name: witness_of(name) or () for name in COUNTED_WATCHERS}
    assert all(map(are_all_true, before.values()))
    audit(event, ("NAME", "value"))
    failed = {name for name, checks in before.items() if not are_all_true(checks)}
    assert failed == {COUNTED[event]}


@pytest.mark.parametrize("name", ["PYTEST_CURRENT_TEST", b"PYTEST_CURRENT_TEST"])
def test_what_pytest_sets_itself_is_not_counted(
    name: object, happened: Happened, witness_of: WitnessOf
) -> None:
    """It does so in each phase of each test."""
    checks = witness_of("environ")
    audit("os.putenv", (name, b"test_it.py::test (call)"))
    assert checks is not None
    assert are_all_true(checks)
    assert happened["environ"] == 0


@pytest.mark.usefixtures("happened")
def test_another_environment_is_no_event(
    monkeypatch: pytest.MonkeyPatch, witness_of: WitnessOf
) -> None:
    """Whoever puts a dictionary in its place has the old one untouched."""
    checks = witness_of("environ")
    assert checks is not None
    monkeypatch.setattr(os, "environ", {})
    assert not are_all_true(checks)


@pytest.mark.usefixtures("happened")
@pytest.mark.parametrize("name", SILENT)
def test_who_starts_processes_without_an_event_is_watched(
    name: str, monkeypatch: pytest.MonkeyPatch, witness_of: WitnessOf
) -> None:
    """Once it is imported, nobody knows whether there was one."""
    checks = witness_of("processes")
    assert checks is not None
    assert are_all_true(checks)
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    assert not are_all_true(checks)
    assert witness_of("processes") is None


@pytest.mark.usefixtures("happened")
def test_where_nobody_counts_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, witness_of: WitnessOf
) -> None:
    """There is no hook, or a stand-in for the environment."""
    monkeypatch.setattr(os, "environ", {})
    assert witness_of("environ") is None
    monkeypatch.setattr(SLOT, "has_hook", False)
    assert [witness_of(name) for name in COUNTED_WATCHERS] == [None, None, None]


DECIMAL: dict[str, Callable[[decimal.Context], object]] = {
    "prec": lambda context: setattr(context, "prec", 7),
    "rounding": lambda context: setattr(context, "rounding", decimal.ROUND_UP),
    "Emin": lambda context: setattr(context, "Emin", -7),
    "Emax": lambda context: setattr(context, "Emax", 7),
    "capitals": lambda context: setattr(context, "capitals", 0),
    "clamp": lambda context: setattr(context, "clamp", 1),
    "traps": lambda context: context.traps.update({decimal.Inexact: True}),
    "another context": lambda context: decimal.setcontext(context.copy()),
}


@pytest.mark.parametrize("trait", DECIMAL)
def test_each_trait_of_decimal_arithmetic_fails_its_witness(
    trait: str, witness_of: WitnessOf
) -> None:
    """As does a context that takes the place of the one in force."""
    before = decimal.getcontext().copy()
    with decimal.localcontext(before):
        checks = witness_of("decimal")
        assert checks is not None
        assert are_all_true(checks)
        DECIMAL[trait](decimal.getcontext())
        assert not are_all_true(checks)
