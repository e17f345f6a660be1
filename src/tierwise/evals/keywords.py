"""Calls with wrong arguments, refused as misuse with the closest name."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from tierwise.errors import EvalUsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

P = ParamSpec("P")
R = TypeVar("R")


def refuse_wrong_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function that users declare with refuse wrong arguments in words of its own."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            raise EvalUsageError(
                explain_arguments(function.__name__, signature, args, kwargs)
            ) from None
        return function(*args, **kwargs)

    return call


def explain_arguments(
    name: str, signature: inspect.Signature, args: Collection[object], kwargs: Collection[str]
) -> str:
    """Return what is wrong with a call whose arguments do not fit the signature."""
    parameters = signature.parameters.values()
    by_place = [entry.name for entry in parameters if entry.kind is not entry.KEYWORD_ONLY]
    if len(args) > len(by_place):
        return _explain_position(name, signature, args)
    for given in kwargs:
        if given not in signature.parameters:
            return f"{name}(...) takes no {given!r}.{suggest(given, signature.parameters)}"
        if given in by_place[: len(args)]:
            return f"{name}(...) got `{given}` twice: by its place and by its name."
    needed = [entry.name for entry in parameters if entry.default is entry.empty]
    missing = [
        entry for entry in needed if entry not in kwargs and entry not in by_place[: len(args)]
    ]
    return f"{name}(...) stands without {_join(missing)}. {_say_form(name, needed)}"


def _explain_position(name: str, signature: inspect.Signature, args: Collection[object]) -> str:
    needed = [
        entry.name for entry in signature.parameters.values() if entry.default is entry.empty
    ]
    first = next(iter(args))
    if len(args) == 1 and inspect.isfunction(first):
        return f"@{name} stands bare on {first.__qualname__}. {_say_form(name, needed)}"
    return f"{name}(...) takes its arguments by name. {_say_form(name, needed)}"


def _say_form(name: str, needed: Collection[str]) -> str:
    return f"Write {name}({', '.join(f'{entry}=...' for entry in needed)})."


def _join(names: Collection[str]) -> str:
    *others, last = [f"`{name}`" for name in names]
    return f"{', '.join(others)} and {last}" if others else last
