"""Waits of blocking sockets: reading and accepting, with `settimeout` or without.

What TLS reads, it reads in compiled code: that keeps its limit by the machine's time.
"""

from __future__ import annotations

import functools
import select
import selectors
import socket
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.clock.blocking import nanoseconds
from tierwise.sandbox.clock.engine import is_harness
from tierwise.sandbox.clock.readiness import CAN_ASK, is_any_ready
from tierwise.sandbox.clock.waiting import Wait
from tierwise.sandbox.patching import Patch, replace_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.sandbox.clock.engine import Engine

__tracebackhide__ = True  # a failing test shows lines of its own

_READING = ("accept", "recv", "recv_into", "recvfrom", "recvfrom_into")


def install(engine: Engine) -> Iterable[Patch | None]:
    """Patch the methods that wait for something to read; Windows has no poll, and is left."""
    if CAN_ASK:
        for name in _READING:
            yield replace_function(socket.socket, name, functools.partial(_watch, engine=engine))


def _watch(original: Callable[..., Any], *, engine: Engine) -> Callable[..., Any]:
    @functools.wraps(original)
    def read(self: socket.socket, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  whatever it returns
        timeout = self.gettimeout()
        if timeout != 0 and self.fileno() >= 0 and not is_harness():
            _await_something(self, timeout, engine)
        return original(self, *args, **kwargs)

    return read


def _await_something(sock: socket.socket, timeout: float | None, engine: Engine) -> None:
    number = sock.fileno()
    wanted = {number: selectors.EVENT_READ}
    if is_any_ready(wanted):
        return
    poll = select.poll()
    poll.register(number, select.POLLIN)
    deadline = None if timeout is None else engine.passed_ns + nanoseconds(timeout)
    wait = Wait(
        what="something to read" + ("" if timeout is None else f", {timeout:g} s at most"),
        is_over=lambda: engine.is_due(deadline) or is_any_ready(wanted),
        deadline=deadline,
        files=lambda: wanted,
    )
    engine.park(wait, lambda length: poll.poll(max(1, int(length * 1000))))
    if not is_any_ready(wanted):
        raise TimeoutError("timed out")
