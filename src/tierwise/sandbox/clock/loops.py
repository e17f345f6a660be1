"""Event loops that the clock cannot reach are refused before they wait for anything."""

from __future__ import annotations

import asyncio
import selectors
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from tierwise.errors import ClockError
from tierwise.sandbox.patching import Patch, replace_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.sandbox.clock.engine import Engine


def install(_engine: Engine) -> Iterable[Patch | None]:
    """Patch uvloop, which is not fit to be closed once it was refused while it ran."""
    uvloop = sys.modules.get("uvloop")
    for name in ("run_forever", "run_until_complete"):
        if uvloop is not None:
            yield replace_function(uvloop.Loop, name, lambda _original: _refuse_to_run)


def _refuse_to_run(self: object, *_args: Any, **_kwargs: Any) -> NoReturn:  # noqa: ANN401  whatever it would run
    refuse_unreachable(self)
    raise AssertionError("a loop of uvloop is never one of asyncio's own")


def refuse_unreachable(loop: object) -> None:
    """Raise for a loop that waits outside Python's selectors, such as uvloop's."""
    if loop is None:
        return
    is_known = isinstance(loop, asyncio.BaseEventLoop)
    if is_known and isinstance(getattr(loop, "_selector", None), selectors.BaseSelector):
        return
    kind = type(loop)
    raise ClockError(
        f"the event loop is a {kind.__module__}.{kind.__qualname__}, which keeps time and waits"
        " in compiled code, where the clock cannot reach it: sleeps would be real and time-outs"
        " wrong. Expected: asyncio's own loop on selectors. Run this test with"
        " asyncio.SelectorEventLoop, and without the other package's event loop policy."
    )


def checking_loops(real: Callable[[object], None]) -> Callable[[object], None]:
    """Return what stands in for asyncio's `_set_running_loop`: every loop passes by it."""

    def set_running_loop(loop: object, /) -> None:
        refuse_unreachable(loop)
        real(loop)

    return set_running_loop
