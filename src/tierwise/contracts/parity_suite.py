"""One suite, two backends: a user's own fake is held to what the real thing does."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tierwise.contracts.contract import in_loop, run_in_loops
from tierwise.contracts.implementation import Implementation

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.contracts.implementation import Condition

_T = TypeVar("_T", bound="Callable[..., Any]")
_MARK = "__tierwise_parity__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parity:
    """What a test or class was marked with: the suite's name and its two sides."""

    name: str
    sides: tuple[Implementation, ...]


def parity(
    *,
    fake: Callable[..., Any],
    real: Callable[..., Any],
    needs: Condition | None = None,
    tier: str | None = None,
    name: str | None = None,
) -> Callable[[_T], _T]:
    """Run a test that takes `backend`, or each test of a class, on a fake and on the real thing.

    Both are made as an `Implementation` is. `needs` says why the real side can't be tried here,
    `tier` is the one that it runs in. Tests of one `name` (by default, those of one module) are
    one suite: its fake is verified when all of them passed on both.
    """
    sides = (
        Implementation("fake", fake, double_of="real"),
        Implementation("real", real, real=True, needs=needs, tier=tier),
    )

    def decorate(test: _T) -> _T:
        marked: Any = test
        if isinstance(test, type):
            run_in_loops(test)
        elif inspect.iscoroutinefunction(test):
            marked = in_loop(test)
        suite = name or f"parity in {test.__module__}"
        setattr(marked, _MARK, Parity(name=suite, sides=sides))
        return cast("_T", marked)

    return decorate


def parity_of(test: object) -> Parity | None:
    """Return what a test or a class was marked with by `parity`."""
    found = getattr(test, _MARK, None)
    return found if isinstance(found, Parity) else None
