"""A contract: clauses that every implementation of a seam must satisfy."""

from __future__ import annotations

import asyncio
import functools
import inspect
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, ParamSpec

from tierwise.contracts.implementation import MadeInLoop

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tierwise.contracts.implementation import Implementations

_P = ParamSpec("_P")
_PREFIX = "test_"
_IN_LOOP = "tierwise_runs_in_loop"


class BrokenClauseError(AssertionError):
    """An implementation does not keep a clause."""


class UnobservableError(Exception):
    """This clause can't be tried on this implementation; the message says why."""


class Contract:
    """Base of contracts: each method `test_*` is a clause and takes one `implementation`.

    Under pytest a subclass named `Test...` runs every clause on each of its `implementations`;
    `run_contract` does the same without pytest. A clause that can't be tried calls
    `unobservable`, and is shown as such and never as passed. A clause may be a coroutine; each
    runs in an event loop of its own, whatever asyncio plugin there is.
    """

    implementations: ClassVar[Implementations] = {}
    """What to run the clauses on: a list of `Implementation`, or things made already by name."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        run_in_loops(cls)


def require(claim: object, otherwise: str) -> None:
    """Raise `BrokenClauseError` saying `otherwise` unless the claim holds."""
    __tracebackhide__ = True
    if not claim:
        raise BrokenClauseError(otherwise)


def unobservable(reason: str) -> NoReturn:
    """Say that the clause can't be tried here, and why."""
    __tracebackhide__ = True
    raise UnobservableError(reason)


def in_loop(clause: Callable[_P, Awaitable[None]]) -> Callable[_P, None]:
    """Make a test written as a coroutine an ordinary one, run in an event loop of its own.

    The clauses of a contract need it no more: they are taken as they are written.
    """

    @functools.wraps(clause)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        __tracebackhide__ = True
        asyncio.run(_open_and_run(clause, args, kwargs))

    # Through it, plugins would take the clause for a coroutine again.
    del run.__wrapped__
    run.__signature__ = inspect.signature(clause)  # type: ignore[attr-defined]  # pytest reads it
    setattr(run, _IN_LOOP, True)
    return run


async def _open_and_run(
    clause: Callable[..., Awaitable[None]], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    __tracebackhide__ = True
    async with AsyncExitStack() as stack:

        async def opened(value: object) -> object:
            if isinstance(value, MadeInLoop):
                return await stack.enter_async_context(value.open())
            return value

        ready = [await opened(value) for value in args]
        await clause(*ready, **{name: await opened(value) for name, value in kwargs.items()})


def runs_in_loop(clause: object) -> bool:
    """Tell whether a clause or test brings an event loop of its own."""
    return bool(getattr(clause, _IN_LOOP, False))


def run_in_loops(cls: type) -> None:
    """Give each test of a class that is a coroutine a loop of its own."""
    for name, value in list(vars(cls).items()):
        if name.startswith(_PREFIX) and inspect.iscoroutinefunction(value):
            setattr(cls, name, in_loop(value))


def list_clauses(contract: type[Contract]) -> tuple[str, ...]:
    """Return the names of all clauses, those of base classes first, in the order written."""
    names: dict[str, None] = {}
    for base in reversed(contract.__mro__):
        names |= dict.fromkeys(name for name in vars(base) if name.startswith(_PREFIX))
    return tuple(name for name in names if callable(getattr(contract, name, None)))


def name_contract(contract: type[Contract]) -> str:
    """Return the dotted name of the class that wrote the last of the clauses.

    So a class of doubles here and one of the real thing elsewhere are sides of one contract.
    """
    for base in contract.__mro__:
        if any(name.startswith(_PREFIX) for name in vars(base)):
            return f"{base.__module__}.{base.__qualname__}"
    return f"{contract.__module__}.{contract.__qualname__}"
