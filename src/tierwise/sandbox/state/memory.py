"""The memory of an object, read where CPython keeps no cheaper witness of a change.

Comparing the contents of hundreds of dictionaries takes a hundred times as long as comparing
what the interpreter itself counts of them. Each way is tried on an example before it is used;
where the memory does not look as expected, there is none and the contents are compared.
"""

from __future__ import annotations

import ctypes
import random
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Version = ctypes.c_uint64
"""A number where the interpreter keeps it; `bytes` of it are what it is now."""
_WORD = ctypes.sizeof(ctypes.c_void_p)
_VERSION_AT = 3 * _WORD
"""After the count of references, the type and the number of entries."""
_STATE_AT = 2 * _WORD
_STATE_BYTES = 4 * 625
"""An index and 624 words of 32 bits."""


def find_version(mapping: dict[Any, Any]) -> int:
    """Return the address of the version that each change of a dictionary renews."""
    return id(mapping) + _VERSION_AT


def view_version(mapping: dict[Any, Any]) -> Version:
    """Return a view of that version."""
    return Version.from_address(find_version(mapping))


@cache
def has_versions() -> bool:
    """Tell whether dictionaries have versions here, as in CPython before 3.13."""
    if sys.implementation.name != "cpython" or sys.version_info >= (3, 13):
        return False
    probe: dict[str, object] = {"a": 1}
    view = view_version(probe)
    seen = [bytes(view)]
    steps: tuple[Callable[[], object], ...] = (
        lambda: probe.get("a"),
        lambda: probe.__setitem__("a", 2),
        lambda: probe.__setitem__("b", 3),
        lambda: probe.pop("b"),
    )
    for step in steps:
        step()
        seen.append(bytes(view))
    return seen[0] == seen[1] and len(set(seen)) == len(steps)


def view_of_generator(generator: random.Random) -> memoryview | None:
    """Return a view of a generator's state; None when it is not where it was expected."""
    if sys.implementation.name != "cpython":
        return None
    if type(generator).__basicsize__ < _STATE_AT + _STATE_BYTES:
        return None
    raw = (ctypes.c_ubyte * _STATE_BYTES).from_address(id(generator) + _STATE_AT)
    words = memoryview(raw).cast("B").cast("I")
    state = generator.getstate()[1]
    return words if tuple(words) == (state[-1], *state[:-1]) else None


def view_of_random() -> memoryview | None:
    """Return a view of the state of the generator that the functions of `random` share."""
    shared = getattr(random, "_inst", None)
    return view_of_generator(shared) if isinstance(shared, random.Random) else None
