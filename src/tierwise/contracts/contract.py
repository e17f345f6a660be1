"""A contract: clauses that every implementation of a seam must satisfy."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

_PREFIX = "test_"


class BrokenClauseError(AssertionError):
    """An implementation does not keep a clause."""


class UnobservableError(Exception):
    """This clause can't be tried on this implementation; the message says why."""


class Contract:
    """Base of contracts: each method `test_*` is a clause and takes one `implementation`.

    Under pytest a subclass named `Test...` runs every clause on each of its `implementations`;
    `run_contract` does the same without pytest. A clause that can't be tried calls
    `unobservable`, and is shown as such and never as passed.
    """

    implementations: ClassVar[Mapping[str, Any]] = {}
    """What to run the clauses on, by name; the clauses say what they expect of each."""


def require(claim: object, otherwise: str) -> None:
    """Raise `BrokenClauseError` saying `otherwise` unless the claim holds."""
    __tracebackhide__ = True
    if not claim:
        raise BrokenClauseError(otherwise)


def unobservable(reason: str) -> NoReturn:
    """Say that the clause can't be tried here, and why."""
    __tracebackhide__ = True
    raise UnobservableError(reason)


def in_loop(clause: Callable[[Any, Any], Awaitable[None]]) -> Callable[[Any, Any], None]:
    """Make a clause written as a coroutine an ordinary one, run in an event loop of its own.

    So a contract needs no asyncio plugin where it is used.
    """

    @functools.wraps(clause)
    def run(self: Any, implementation: Any) -> None:  # noqa: ANN401  the contract's own type
        __tracebackhide__ = True

        async def main() -> None:
            await clause(self, implementation)

        asyncio.run(main())

    # Through it, plugins would take the clause for a coroutine again.
    del run.__wrapped__
    return run


def list_clauses(contract: type[Contract]) -> tuple[str, ...]:
    """Return the names of all clauses, those of base classes first, in the order written."""
    names: dict[str, None] = {}
    for base in reversed(contract.__mro__):
        names |= dict.fromkeys(name for name in vars(base) if name.startswith(_PREFIX))
    return tuple(name for name in names if callable(getattr(contract, name, None)))
