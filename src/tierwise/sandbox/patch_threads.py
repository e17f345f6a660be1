"""Threads, executors and event loops of other threads keep the owner of whoever gave the work."""
# ruff: noqa: ANN401 - a stand-in takes and returns whatever the original does

from __future__ import annotations

import _thread
import functools
import sys
import threading
from contextvars import copy_context
from threading import get_ident
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.origins import note_origin
from tierwise.sandbox.patching import Patch, StandIn, replace_function
from tierwise.sandbox.slot import HERE, NOBODY, SLOT, Nobody, Owner, owner_here

if TYPE_CHECKING:
    from asyncio import BaseEventLoop
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future, ThreadPoolExecutor
    from contextvars import Context

_STARTERS = (
    (threading, "_start_new_thread"),
    (threading, "_start_joinable_thread"),
    (_thread, "start_new_thread"),
    (_thread, "start_new"),
    (_thread, "start_joinable_thread"),
)
"""What every thread of Python begins with; which of them exist depends on the version."""


def install() -> Iterable[Patch | None]:
    """Patch the functions that start threads."""
    for module, name in _STARTERS:
        yield replace_function(module, name, _watch_start)


def install_executor() -> Iterable[Patch | None]:
    """Patch ThreadPoolExecutor.submit: a worker outlives the test that started it."""
    from concurrent.futures import thread  # noqa: PLC0415  only when somebody has imported it

    yield replace_function(thread.ThreadPoolExecutor, "submit", _watch_submit)


def install_asyncio() -> Iterable[Patch | None]:
    """Patch the door by which other threads hand work to an event loop."""
    from asyncio import base_events  # noqa: PLC0415  only when somebody has imported it

    yield replace_function(
        base_events.BaseEventLoop, "call_soon_threadsafe", _watch_call_soon_threadsafe
    )


def run_as(
    owner: Owner | Nobody, function: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Call the function with this thread's touches belonging to `owner`."""
    ident = get_ident()
    before = SLOT.threads.get(ident)
    SLOT.threads[ident] = owner
    try:
        return function(*args, **kwargs)
    finally:
        # The system gives the ident of an ended thread to a new one, so nothing may stay behind.
        if before is None:
            SLOT.threads.pop(ident, None)
        else:
            SLOT.threads[ident] = before


def _watch_start(original: Callable[..., Any]) -> StandIn:
    def start(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        owner = owner_here()
        # Above the stand-in and `Thread.start`: whoever started the thread.
        note_origin(function, sys._getframe(2), owner.policy.subject if owner else "")  # noqa: SLF001
        owned = function if owner is None else functools.partial(run_as, owner, function)
        return original(owned, *args, **kwargs)

    return StandIn(original, start)


def _watch_submit(original: Callable[..., Future[Any]]) -> Callable[..., Future[Any]]:
    @functools.wraps(original)
    def submit(
        self: ThreadPoolExecutor,
        fn: Callable[..., Any],
        /,
        *args: Any,
        **kwargs: Any,
    ) -> Future[Any]:
        return original(self, run_as, owner_here() or NOBODY, fn, *args, **kwargs)

    return submit


def _watch_call_soon_threadsafe(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call_soon_threadsafe(
        self: BaseEventLoop,
        callback: Callable[..., Any],
        *args: Any,
        context: Context | None = None,
    ) -> Any:
        owner = owner_here()
        if owner is not None:
            context = copy_context() if context is None else context.copy()
            context.run(HERE.set, owner)
        return original(self, callback, *args, context=context)

    return call_soon_threadsafe
