"""The wall around the process: what no door serves gets no further than this machine.

Doors stand where the common clients of HTTP are. A client of another kind would walk past them, so
the sockets of Python are watched too while a gateway is installed.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.doors.door import is_loopback

if TYPE_CHECKING:
    from tierwise.doubles.gateway.doors.door import Door, Patch

_INTERNET = (socket.AF_INET, socket.AF_INET6)


def patches_of(door: Door) -> tuple[Patch, ...]:
    """Return what has to be replaced so that sockets reach this machine and allowed hosts only."""
    connect, connect_ex, look_up = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )
    allowed: set[str] = set()

    def connect_here(self: socket.socket, address: Any) -> None:  # noqa: ANN401  as socket has it
        _check(self, address)
        connect(self, address)

    def connect_ex_here(self: socket.socket, address: Any) -> int:  # noqa: ANN401  as above
        _check(self, address)
        return connect_ex(self, address)

    def look_up_here(host: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  as above
        name = host.decode() if isinstance(host, bytes) else host
        if name is None or is_loopback(name) or name in allowed:
            return look_up(host, *args, **kwargs)
        if name not in door.gateway.allow_hosts:
            raise door.refuse(name)
        found = look_up(host, *args, **kwargs)
        # The connection that follows names the address alone.
        allowed.update(str(address[0]) for *_, address in found)
        return found

    def _check(own: socket.socket, address: Any) -> None:  # noqa: ANN401  as above
        if own.family not in _INTERNET:
            return
        host = str(address[0])
        if not (is_loopback(host) or host in allowed or host in door.gateway.allow_hosts):
            raise door.refuse(host)

    return (
        (socket.socket, "connect", connect_here),
        (socket.socket, "connect_ex", connect_ex_here),
        (socket, "getaddrinfo", look_up_here),
    )
