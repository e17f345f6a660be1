"""Event loops that the clock cannot reach are refused before they wait for anything."""

from __future__ import annotations

import asyncio
import functools
import selectors
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from tierwise.errors import ClockError
from tierwise.sandbox.patching import Patch, replace_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.sandbox.clock.engine import Engine


_STARTS: tuple[tuple[str, str | None, str], ...] = (
    ("uvloop", "Loop", "run_forever"),
    ("uvloop", "Loop", "run_until_complete"),
    ("trio", None, "run"),
    ("trio.lowlevel", None, "start_guest_run"),
)
"""Module, class in it if any, and the function with which a loop of that package starts."""


def install(_engine: Engine) -> Iterable[Patch | None]:
    """Patch how uvloop and trio start, if they are there: both wait in ways of their own.

    What passes by `_set_running_loop` is refused there too, but a loop of uvloop is then running
    already, and not fit to be closed.
    """
    for module_name, holder_name, name in _STARTS:
        holder = sys.modules.get(module_name)
        if holder is not None and holder_name is not None:
            holder = getattr(holder, holder_name)
        if holder is not None:
            yield replace_function(holder, name, functools.partial(_refusing, module_name))


def _refusing(package: str, original: Callable[..., Any]) -> Callable[..., NoReturn]:
    @functools.wraps(original)
    def refuse(*_args: Any, **_kwargs: Any) -> NoReturn:  # noqa: ANN401  whatever it would run
        raise ClockError(_refusal(f"one of {package.partition('.')[0]}"))

    return refuse


def refuse_unreachable(loop: object) -> None:
    """Raise for a loop that waits outside Python's selectors, such as uvloop's."""
    if loop is None:
        return
    is_known = isinstance(loop, asyncio.BaseEventLoop)
    if is_known and isinstance(getattr(loop, "_selector", None), selectors.BaseSelector):
        return
    raise ClockError(_refusal(f"a {type(loop).__module__}.{type(loop).__qualname__}"))


def _refusal(kind: str) -> str:
    return (
        f"the event loop is {kind}, which waits where the clock cannot reach it: sleeps would be"
        " real and time-outs wrong. Expected: asyncio's own loop on selectors. Run this test with"
        " asyncio.SelectorEventLoop, and without the other package's event loop policy or backend."
    )


def checking_loops(real: Callable[[object], None]) -> Callable[[object], None]:
    """Return what stands in for asyncio's `_set_running_loop`: every loop passes by it."""

    def set_running_loop(loop: object, /) -> None:
        refuse_unreachable(loop)
        real(loop)

    return set_running_loop
