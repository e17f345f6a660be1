"""Dictionaries that the interpreter tells of when they change, as CPython can since 3.12.

Nothing is looked at while nothing changes. The interpreter tells in the middle of the change, when
it holds what it has looked up: were code to run then, another thread could come in between and
change the same dictionary. So what is told is C alone, a cache that keeps what it was called with.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import sys
import sysconfig
from functools import cache, lru_cache
from operator import eq
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_Callback = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
"""What has happened, and the address; what comes after these two is not asked for."""
_FIRST = (3, 13)
"""Before it, changes are counted, which costs who makes them nothing."""
_VALUES_AT = 5 * ctypes.sizeof(ctypes.c_void_p)
"""After the count of references, the type, the number of entries, the watchers and the keys."""
_SOON = 50
"""So many times code runs before the interpreter takes its short cuts."""


class Tripwires:
    """All dictionaries that are watched in this process, and the changes so far, in their order.

    Each is kept alive while it is watched: one that is freed would tell of that at a moment when
    no code may run.
    """

    def __init__(self) -> None:
        self._changes: list[int] = []
        self._watched: dict[int, tuple[int, dict[Any, Any]]] = {}
        told = lru_cache(maxsize=None)(eq)  # an event and an address are never equal: it says 0
        self._told = _results_of(told)
        """The events and addresses that were told of and have not been read yet."""
        # It lives as long as this does: the interpreter holds a bare address of it.
        self._callback = _Callback(told)
        self._watch = ctypes.pythonapi.PyDict_Watch
        self._unwatch = ctypes.pythonapi.PyDict_Unwatch
        self._watch.argtypes = self._unwatch.argtypes = (ctypes.c_int, ctypes.c_void_p)
        self._number = ctypes.pythonapi.PyDict_AddWatcher(self._callback)
        self._tells_of_objects = False
        # The interpreter empties modules when it ends, and must not tell of that.
        atexit.register(self._end)

    @property
    def changes(self) -> list[int]:
        """The address of each dictionary that changed or was let go, in their order."""
        for event in [*self._told] if self._told else ():
            self._told.pop(event, None)  # before it is let go: what comes now is no news
            self.let_go(event[1])
        return self._changes

    def watch(self, mapping: dict[Any, Any]) -> int:
        """Watch, if it is not watched, and return what is another number after each change."""
        address, n_changes = id(mapping), len(self.changes)
        known = self._watched.get(address)
        if known is None:
            known = self._watched[address] = (n_changes, mapping)
            self._watch(self._number, address)
        return known[0]

    def tells_of(self, mapping: dict[Any, Any]) -> bool:
        """Tell whether each change of this one is told."""
        return self._tells_of_objects or not _is_of_object(mapping)

    def let_go(self, address: int) -> None:
        """Watch it no more; whoever still relies on it takes it for changed."""
        if address in self._watched:
            self._unwatch(self._number, address)
            self._changes.append(address)
            del self._watched[address]

    def _end(self) -> None:
        self._watched.clear()
        ctypes.pythonapi.PyDict_ClearWatcher(self._number)

    def is_sound(self) -> bool:
        """Try it on examples; CPython 3.13.0 does not tell of an object's attributes."""
        self._tells_of_objects = _is_told_of_objects(self)
        return _is_told(self)


def _results_of(cached: Any) -> dict[tuple[int, int], object]:  # noqa: ANN401  an lru_cache
    """Return where it keeps results, by what it was called with."""
    own = vars(cached)
    found = [each for each in gc.get_referents(cached) if type(each) is dict and each is not own]
    return found[0]


def _is_of_object(mapping: dict[Any, Any]) -> bool:
    """Tell whether what it holds lies in the object whose attributes these are."""
    return ctypes.c_void_p.from_address(id(mapping) + _VALUES_AT).value is not None


class _Example:
    def __init__(self) -> None:
        self.count = 0


@cache
def find_tripwires() -> Tripwires | None:
    """Return the one of this process; None where the interpreter tells nothing, or not all."""
    if sys.implementation.name != "cpython" or sys.version_info < _FIRST:
        return None
    if sysconfig.get_config_var("Py_GIL_DISABLED") or not _sees_objects():
        return None
    try:
        made = Tripwires()
    except (AttributeError, RuntimeError):  # all numbers of watchers are taken
        return None
    return made if made.is_sound() else None


def _sees_objects() -> bool:
    return _is_of_object(vars(_Example())) and not _is_of_object({"count": 0})


def _is_told(wires: Tripwires) -> bool:
    probe: dict[str, int] = {"a": 1}
    changes: tuple[Callable[[], object], ...] = (
        lambda: probe.__setitem__("a", 2),
        lambda: probe.__setitem__("b", 3),
        lambda: probe.pop("b"),
        probe.clear,
    )
    for n, change in enumerate(changes, len(wires.changes)):
        wires.watch(probe)
        probe.get("a")
        if len(wires.changes) != n:
            return False
        change()
        probe["c"] = n  # it is let go by now
        if len(wires.changes) != n + 1:
            return False
    return True


def _is_told_of_objects(wires: Tripwires) -> bool:
    example = _Example()
    names = vars(example)
    for n in range(_SOON):
        wires.watch(names)
        before = len(wires.changes)
        example.count = n + 1
        if len(wires.changes) == before:
            wires.let_go(id(names))
            return False
    return True
