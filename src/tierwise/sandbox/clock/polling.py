"""Waits for files: selectors, and with them event loops and `Popen.communicate`."""

from __future__ import annotations

import functools
import selectors
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.clock.blocking import nanoseconds
from tierwise.sandbox.clock.engine import is_harness
from tierwise.sandbox.clock.readiness import CAN_ASK, is_any_ready
from tierwise.sandbox.clock.waiting import Wait
from tierwise.sandbox.patching import Patch, replace_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.sandbox.clock.engine import Engine

    Ready = list[tuple[selectors.SelectorKey, int]]

__tracebackhide__ = True  # a failing test shows lines of its own

_KINDS = (
    "SelectSelector",
    "PollSelector",
    "EpollSelector",
    "DevpollSelector",
    "KqueueSelector",
)


def install(engine: Engine) -> Iterable[Patch | None]:
    """Patch every kind of selector of this platform, for loops made before and after."""
    for name in _KINDS:
        kind = getattr(selectors, name, None)
        if kind is not None and "select" in vars(kind):
            yield replace_function(kind, "select", functools.partial(_watch, engine=engine))
    base = getattr(selectors, "_PollLikeSelector", None)
    if base is not None:
        yield replace_function(base, "select", functools.partial(_watch, engine=engine))


def _watch(original: Callable[..., Ready], *, engine: Engine) -> Callable[..., Ready]:
    @functools.wraps(original)
    def select(self: Any, timeout: float | None = None) -> Ready:  # noqa: ANN401  a selector of any kind
        ready = original(self, 0)
        if ready or (timeout is not None and timeout <= 0) or is_harness():
            return ready
        return _poll(self, timeout, engine=engine, original=original)

    return select


def _wanted(selector: Any) -> dict[int, int]:  # noqa: ANN401  a selector of any kind
    return {key.fd: key.events for key in list((selector.get_map() or {}).values())}


def _poll(
    selector: Any,  # noqa: ANN401  a selector of any kind
    timeout: float | None,
    *,
    engine: Engine,
    original: Callable[..., Ready],
) -> Ready:
    deadline = None if timeout is None else engine.passed_ns + nanoseconds(timeout)
    found: Ready = []

    def is_ready() -> bool:
        return is_any_ready(_wanted(selector)) if CAN_ASK else bool(original(selector, 0))

    def is_over() -> bool:
        # Asked by other threads too: what is ready stays ready until its own thread has read it.
        return bool(found) or engine.is_due(deadline) or is_ready()

    wait = Wait(
        what="something to read or call" + ("" if timeout is None else f", {timeout:g} s at most"),
        is_over=is_over,
        deadline=deadline,
        files=lambda: _wanted(selector),
    )
    engine.park(
        wait,
        lambda length: found.extend(
            original(selector, min(length, 0.001) if deadline else length)
        ),
    )
    return found or original(selector, 0)
