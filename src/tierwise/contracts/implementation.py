"""What a contract is run on: a name, a way to make it, and whether it reaches the world."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    Implementations = Mapping[str, Any] | Sequence["Implementation"]


class Requirement(Protocol):
    """What a real side can't do without, such as a `RequireSecret`."""

    def why_missing(self) -> str | None:
        """Return why it is not there; None when it is."""


if TYPE_CHECKING:
    Condition = Callable[[], str | None] | Requirement


@dataclass(frozen=True, slots=True)
class Implementation:
    """One side of a seam, made afresh for each clause.

    `make` may be a function, a coroutine, or a generator of either kind that yields the thing and
    cleans up after it. Under pytest, its arguments without a default are fixtures.
    """

    name: str
    make: Callable[..., Any]
    _: KW_ONLY
    real: bool = False
    """Does it reach the world? What is proven on it is what its doubles are measured by."""
    needs: Condition | None = None
    """A `RequireSecret`, or a function that returns why it can't be tried here, None if it can."""
    double_of: str | None = None
    """The real implementation that this one stands in for; None: any real one of the contract."""
    tier: str | None = None
    """The tier that its clauses belong to, where that is another than their file's."""


def list_implementations(given: Implementations, where: str) -> tuple[Implementation, ...]:
    """Return the implementations of a list, or of a mapping of names to things made already.

    A thing in a mapping that says `real = True` is real. `where` names the contract in errors.
    """
    if isinstance(given, Mapping):
        return tuple(_wrap(str(name), value) for name, value in given.items())
    found: tuple[object, ...] = tuple(given)
    sides = [entry for entry in found if isinstance(entry, Implementation)]
    names = [side.name for side in sides]
    for entry in found:
        if not isinstance(entry, Implementation):
            raise MisuseError(
                f"{where}: implementations holds {entry!r}, expected Implementation(name, make) "
                "or, in place of the list, a mapping of names to things."
            )
        if not entry.name.strip() or names.count(entry.name) > 1:
            raise MisuseError(
                f"{where}: implementations are told apart by name, and {entry.name!r} is "
                f"{'used twice' if entry.name.strip() else 'no name'}. Names: {names}."
            )
    return tuple(sides)


def _wrap(name: str, value: object) -> Implementation:
    if isinstance(value, Implementation):
        raise MisuseError(
            f"{name!r} is an Implementation within a mapping, and has a name already. Put it into "
            "a list: implementations = [Implementation(...), ...]."
        )

    def make() -> object:
        return value

    return Implementation(name, make, real=getattr(value, "real", False) is True)


def why_not_here(implementation: Implementation) -> str | None:
    """Return why an implementation can't be tried here; None when it can."""
    needs = implementation.needs
    if needs is None:
        return None
    return needs() if callable(needs) else needs.why_missing()


def is_made_in_loop(implementation: Implementation) -> bool:
    """Tell whether making it takes an event loop."""
    make = implementation.make
    return inspect.iscoroutinefunction(make) or inspect.isasyncgenfunction(make)


def list_arguments(implementation: Implementation) -> tuple[str, ...]:
    """Return the arguments that `make` has to be given."""
    try:
        parameters = inspect.signature(implementation.make).parameters.values()
    except ValueError:
        return ()  # `list` and other builtins do not tell
    return tuple(
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    )


@dataclass(frozen=True, slots=True)
class MadeInLoop:
    """What `make` will give once an event loop runs; `in_loop` opens it for its clause."""

    implementation: Implementation
    arguments: Mapping[str, Any]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Any]:
        """Give what was made, and clean up after it however the clause ended."""
        made = self.implementation.make(**self.arguments)
        if not inspect.isasyncgen(made):
            yield await made
            return
        try:
            yield await anext(made)
        finally:
            async for _ in made:
                raise MisuseError(_TWICE.format(self.implementation.name))


@contextmanager
def opened(implementation: Implementation, arguments: Mapping[str, Any]) -> Iterator[Any]:
    """Give what was made, and clean up after it however the clause ended."""
    if is_made_in_loop(implementation):
        yield MadeInLoop(implementation, arguments)
        return
    made = implementation.make(**arguments)
    if not inspect.isgeneratorfunction(implementation.make):
        yield made
        return
    try:
        yield next(made)
    finally:
        for _ in made:
            raise MisuseError(_TWICE.format(implementation.name))


_TWICE = "The maker of {!r} yields twice, expected one thing for one clause."
