"""What stays real while the clock is virtual: the machine's own time, and short true pauses."""

from __future__ import annotations

import _thread
import sys
import time
import types
from typing import TYPE_CHECKING

from tierwise.sandbox.clock.builtin import builtin_below, copied

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT_REAL = ("_pytest", "execnet", "hypothesis", "pytest_timeout", "xdist")
"""Packages that measure how long tests take: their own references keep the machine's time."""

_NAMES = (
    "monotonic",
    "monotonic_ns",
    "perf_counter",
    "perf_counter_ns",
    "sleep",
    "time",
    "time_ns",
)


class Reality:
    """Functions of the machine's time that no replacement reaches."""

    def __init__(self) -> None:
        self._copies = {name: copied(builtin_below(getattr(time, name))) for name in _NAMES}
        self.monotonic_ns: Callable[[], int] = self._copies["monotonic_ns"]
        self.time_ns: Callable[[], int] = self._copies["time_ns"]
        self.clock_gettime: Callable[[int], float] = copied(builtin_below(time.clock_gettime))
        self.clock_gettime_ns: Callable[[int], int] = copied(builtin_below(time.clock_gettime_ns))
        self._given: list[tuple[object, str, object, object]] = []

    def yield_turn(self) -> None:
        """Let another thread run, as sleeping for nothing does."""
        self._copies["sleep"](0)

    def give(self) -> None:
        """Let the packages that measure tests refer to the machine's time by their own names."""
        given: dict[int, object] = {
            id(form): self._copies[name] for name in _NAMES for form in _forms_of(name)
        }
        given[id(time)] = self._module()
        for module_name, module in list(sys.modules.items()):
            if module_name.partition(".")[0] not in KEPT_REAL:
                continue
            values = vars(module)
            if given.keys().isdisjoint(map(id, values.values())):
                continue
            for name, value in list(values.items()):
                if id(value) in given:
                    self._give_one(module, name, given[id(value)])

    def _module(self) -> types.ModuleType:
        """Return a module like `time`, for those who call its functions by its name."""
        real = types.ModuleType("time", time.__doc__)
        vars(real).update(vars(time), **self._copies)
        return real

    def _give_one(self, module: object, name: str, given: object) -> None:
        self._given.append((module, name, getattr(module, name), given))
        setattr(module, name, given)

    def take_back(self) -> None:
        """Let them refer to what they imported."""
        while self._given:
            module, name, value, given = self._given.pop()
            if getattr(module, name, None) is given:
                setattr(module, name, value)


def _forms_of(name: str) -> tuple[object, object]:
    """Return the builtin and what a watch may have put in its place."""
    return (getattr(time, name), builtin_below(getattr(time, name)))


def pause(seconds: float) -> None:
    """Wait really, without a function that any clock or watch replaces."""
    lock = _thread.allocate_lock()
    lock.acquire()
    lock.acquire(timeout=seconds)
