"""Questions asked around each test: C code, for each of which no frame of Python is made.

What a hundred lines of Python take in the middle of a test run is mostly the way to them, through
caches that the test has filled with its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import call, eq, le
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Check = Callable[[], bool]
"""Is it as it was when this was made? May raise what an entry's own way of comparing does."""


def holds(namespace: Mapping[str, Any], **values: object) -> Check:
    """Return what tells whether these names hold these values."""
    return partial(le, values.items(), namespace.items())


def has_not_happened(kind: str) -> Check:
    """Return what tells whether no audit event came that may have changed this."""
    return holds(SLOT.happened, **{kind: SLOT.happened[kind]})


def equals(live: object, kept: object) -> Check:
    """Return what tells whether a container holds what a copy of it does."""
    return partial(eq, live, kept)


def has_none_of(namespace: Mapping[str, Any], *names: str) -> Check:
    """Return what tells whether a namespace has none of these names."""
    return partial(namespace.keys().isdisjoint, names)


def are_all_true(checks: Iterable[Check]) -> bool:
    """Tell whether all checks say so; what cannot be compared is not as it was."""
    try:
        return all(map(call, checks))
    except Exception:  # noqa: BLE001  an entry's own way of comparing
        return False
