from __future__ import annotations

import copy
import inspect
import pickle
import select
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING

from tierwise.sandbox.patches import Patches
from tierwise.sandbox.patching import StandIn, replace_function

if TYPE_CHECKING:
    import pytest


def test_a_stand_in_looks_like_its_builtin() -> None:
    """Name, documentation and signature are the original's."""
    stand_in = StandIn(select.select, print)
    assert (stand_in.__name__, stand_in.__doc__) == ("select", select.select.__doc__)  # type: ignore[attr-defined]
    assert inspect.signature(stand_in) == inspect.signature(select.select)


def test_a_stand_in_is_not_bound_by_a_class() -> None:
    """A class that keeps a builtin as an attribute calls it without itself, as before."""
    keeper = type("Keeper", (), {"call": StandIn(len, lambda *args: args)})()
    assert keeper.call("x") == ("x",)


def test_a_stand_in_in_place_is_pickled_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process gets its own original; copying gives the same object."""
    stand_in = StandIn(time.monotonic, time.monotonic)
    monkeypatch.setattr(time, "monotonic", stand_in)
    assert pickle.loads(pickle.dumps(stand_in)) is stand_in  # noqa: S301  our own bytes
    assert copy.deepcopy(stand_in) is stand_in


def test_undoing_leaves_a_later_replacement_alone() -> None:
    """Somebody else's patch over ours is theirs to take out."""
    holder = SimpleNamespace(name=1)
    patch = replace_function(holder, "name", lambda _: 2)
    assert patch is not None
    assert holder.name == 2
    holder.name = 3
    patch.undo()
    assert holder.name == 3
    holder.name = 2
    patch.undo()
    assert holder.name == 1


def test_what_the_platform_lacks_is_not_patched() -> None:
    """A function that does not exist here is no error."""
    assert replace_function(SimpleNamespace(), "absent", lambda _: 1) is None


def test_taking_out_leaves_every_function_as_it_was() -> None:
    """After the last sandbox the interpreter is what it was before the first."""

    def look() -> list[object]:
        names = ["_start_new_thread", "_start_joinable_thread"]
        return [
            time.sleep,
            select.select,
            threading.Condition.wait,
            ThreadPoolExecutor.submit,
            *(getattr(threading, name, None) for name in names),
        ]

    before = look()
    patches = Patches()
    patches.put_in()
    during = look()
    patches.take_out()
    assert look() == before
    unchanged = [one for one, other in zip(before, during, strict=True) if one is other]
    absent = [None]
    expected = absent if sys.version_info < (3, 13) else [time.sleep, None]
    assert unchanged == expected


def test_patched_methods_keep_their_signatures() -> None:
    """Whoever inspects a patched method sees the original's parameters."""
    before = inspect.signature(threading.Condition.wait)
    patches = Patches()
    patches.put_in()
    try:
        assert inspect.signature(threading.Condition.wait) == before
    finally:
        patches.take_out()
