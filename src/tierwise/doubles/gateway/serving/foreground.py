"""Serves a gateway in this process until a signal ends it."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.serving.page import JournalPage
from tierwise.doubles.gateway.serving.server import Server, end, serve

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from tierwise.doubles.gateway.gateway import Gateway

_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def serve_until_told(
    gateway: Gateway,
    *,
    host: str,
    port: int,
    any_host: bool,
    begun: Callable[[Server], None],
) -> None:
    """Serve until SIGINT or SIGTERM; `begun` is called once clients can connect.

    The vendors are loaded after that, beside, so that the port is open at once.
    """
    asyncio.run(_serve(gateway, host=host, port=port, any_host=any_host, begun=begun))


async def _serve(
    gateway: Gateway,
    *,
    host: str,
    port: int,
    any_host: bool,
    begun: Callable[[Server], None],
) -> None:
    told, loop = asyncio.Event(), asyncio.get_running_loop()

    def stop(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(told.set)

    # The process is the gateway's own, and what it makes is young or kept in a bounded journal.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    page = JournalPage(gateway, any_host=any_host)
    server, connections = await serve(gateway, host=host, port=port, page=page)
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        begun(Server(gateway=gateway, host=host, port=server.sockets[0].getsockname()[1]))
        threading.Thread(target=_warm, args=(gateway,), daemon=True).start()
        await told.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        await end(server, connections)


def _warm(gateway: Gateway) -> None:
    gateway.warm()
    # The SDKs' classes stay for good: the collector need not look at them again and again.
    gc.freeze()
