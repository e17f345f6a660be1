"""The door for aiohttp: its connectors, taken over at class level.

A session gets a real connection of aiohttp's over a transport that leads to the gateway: the
library writes and parses what it always does, so its errors and time-outs are its own.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.doors.aiohttp_link import Link

if TYPE_CHECKING:
    from types import ModuleType

    from tierwise.doubles.gateway.doors.door import Door, Patch


def patches_of(library: ModuleType, door: Door) -> tuple[Patch, ...]:
    """Return what has to be replaced in `aiohttp`."""
    aiohttp: Any = library
    connect = aiohttp.BaseConnector.connect

    async def connect_to_gateway(self: Any, req: Any, **how: Any) -> Any:  # noqa: ANN401  of the library
        if door.lets_out(req.url.host):
            return await connect(self, req, **how)
        return _connect(self, req, how["timeout"], door)

    return ((aiohttp.BaseConnector, "connect", connect_to_gateway),)


def _connect(connector: Any, req: Any, timeout: Any, door: Door) -> Any:  # noqa: ANN401  as above
    """Return a connection that is never kept for another request."""
    from aiohttp.client_proto import ResponseHandler  # noqa: PLC0415  an extra's
    from aiohttp.connector import Connection  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    protocol = ResponseHandler(loop)
    protocol.connection_made(
        Link(loop, protocol, req, door, timeouts=(timeout.sock_read, timeout.total))
    )
    protocol.force_close()
    return Connection(connector, req.connection_key, protocol, loop)
