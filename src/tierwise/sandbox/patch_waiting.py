"""Waiting by the real clock that has no audit event."""
# ruff: noqa: ANN401 - a stand-in takes and returns whatever the original does

from __future__ import annotations

import functools
import select
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.patching import Patch, StandIn, replace_function
from tierwise.sandbox.sleeping import classify_sleep
from tierwise.sandbox.slot import SLOT
from tierwise.sandbox.touching import report

if TYPE_CHECKING:
    from asyncio import BaseEventLoop
    from collections.abc import Callable, Iterable
    from types import CodeType

_SLEEP_HAS_EVENT = sys.version_info >= (3, 13)


def install() -> Iterable[Patch | None]:
    """Patch time.sleep (where it has no event), select.select and Condition.wait."""
    if not _SLEEP_HAS_EVENT:
        yield replace_function(time, "sleep", _watch_sleep)
    yield replace_function(select, "select", _watch_select)
    yield replace_function(threading.Condition, "wait", _watch_wait)


def install_asyncio() -> Iterable[Patch | None]:
    """Patch the timer of event loops: asyncio.sleep itself stays what it was."""
    from asyncio import base_events, tasks  # noqa: PLC0415  only when somebody has imported it

    yield replace_function(
        base_events.BaseEventLoop,
        "call_later",
        functools.partial(_watch_call_later, code=tasks.sleep.__code__),
    )


def _watch_call_later(original: Callable[..., Any], *, code: CodeType) -> Callable[..., Any]:
    @functools.wraps(original)
    def call_later(self: BaseEventLoop, delay: float, *args: Any, **kwargs: Any) -> Any:
        if sys._getframe(1).f_code is code:  # noqa: SLF001  only asyncio.sleep waits for the timer itself
            report("asyncio.sleep", (delay,), classify_sleep, depth=3)
        return original(self, delay, *args, **kwargs)

    return call_later


def _watch_sleep(original: Callable[[float], None]) -> StandIn:
    def sleep(seconds: float, /) -> None:
        report("time.sleep", (seconds,), classify_sleep, depth=3)
        original(seconds)

    return StandIn(original, sleep)


def _watch_select(original: Callable[..., Any]) -> StandIn:
    def watched(*args: Any) -> Any:
        is_mere_wait = len(args) == 4 and not (args[0] or args[1] or args[2])  # noqa: PLR2004
        if is_mere_wait:
            report("select.select", (args[3],), classify_sleep, depth=3)
        return original(*args)

    return StandIn(original, watched)


def _watch_wait(original: Callable[..., bool]) -> Callable[..., bool]:
    """Judge a wait when it is over: one that was notified is no sleep."""

    @functools.wraps(original)
    def wait(self: threading.Condition, timeout: float | None = None) -> bool:
        was_notified = original(self, timeout)
        if not was_notified and timeout is not None and _is_home():
            report("threading.Condition.wait", (timeout,), classify_sleep, depth=2)
        return was_notified

    return wait


def _is_home() -> bool:
    """Is this the thread that runs the tests? Workers may poll as they like."""
    return bool(SLOT.sandboxes) and threading.get_ident() == SLOT.sandboxes[-1].home
