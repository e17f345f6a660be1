"""Waits for child processes: they run by the machine's time, and so does the clock meanwhile."""

from __future__ import annotations

import functools
import subprocess
from asyncio import subprocess as asyncio_subprocess
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.clock.blocking import nanoseconds
from tierwise.sandbox.clock.reality import pause
from tierwise.sandbox.patching import Patch, replace_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.sandbox.clock.engine import Engine

__tracebackhide__ = True  # a failing test shows lines of its own

_PAUSE_S = 0.002


def install(engine: Engine) -> Iterable[Patch | None]:
    """Patch what waits for a process, in threads and in event loops."""
    yield replace_function(subprocess.Popen, "wait", functools.partial(_watch_wait, engine=engine))
    yield replace_function(
        subprocess.Popen, "communicate", functools.partial(_watch_blocking, engine=engine)
    )
    for name in ("wait", "communicate"):
        yield replace_function(
            asyncio_subprocess.Process, name, functools.partial(_watch_async, engine=engine)
        )


def _watch_wait(original: Callable[..., int], *, engine: Engine) -> Callable[..., int]:
    @functools.wraps(original)
    def wait(self: subprocess.Popen[Any], timeout: float | None = None) -> int:
        with engine.awaiting_process():
            if timeout is None:
                return original(self)
            deadline = engine.passed_ns + nanoseconds(timeout)
            while self.poll() is None and not engine.is_due(deadline):
                engine.settle()
                pause(_PAUSE_S)
            if self.poll() is None:
                raise subprocess.TimeoutExpired(self.args, timeout)
            return original(self)

    return wait


def _watch_blocking(original: Callable[..., Any], *, engine: Engine) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(self: subprocess.Popen[Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  whatever it returns
        with engine.awaiting_process():
            return original(self, *args, **kwargs)

    return call


def _watch_async(original: Callable[..., Any], *, engine: Engine) -> Callable[..., Any]:
    @functools.wraps(original)
    async def call(self: asyncio_subprocess.Process, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  whatever it returns
        with engine.awaiting_process():
            return await original(self, *args, **kwargs)

    return call
