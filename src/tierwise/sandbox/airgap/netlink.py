"""Links, addresses and routes of this namespace, set by the kernel's own protocol."""

from __future__ import annotations

import os
import socket
import struct
from ipaddress import ip_address
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

_ROUTE = 0  # NETLINK_ROUTE
_NEW_LINK, _NEW_ADDRESS, _NEW_ROUTE = 16, 20, 24
_ERROR = 2
_REQUEST, _ACKNOWLEDGE, _EXCLUSIVE, _CREATE = 0x1, 0x4, 0x200, 0x400
_UP = 0x1
_NO_DETECTION = 0x02  # IFA_F_NODAD: an address that nobody else can have is there at once
_LOCAL, _ADDRESS = 2, 1
_OUTGOING = 4
_MAIN_TABLE, _BY_BOOT, _UNIVERSE, _UNICAST = 254, 3, 0, 1
_HEADER = struct.Struct("=IHHII")


class Netlink:
    """One conversation with the kernel; what it refuses is raised as OSError."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _ROUTE)
        self._number = 0

    def __enter__(self) -> Self:
        """Return the conversation."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it."""
        self._socket.close()

    def bring_up(self, name: str) -> int:
        """Switch an interface on and return its index."""
        index = socket.if_nametoindex(name)
        body = struct.pack("=BxHiII", socket.AF_UNSPEC, 0, index, _UP, _UP)
        self._ask(_NEW_LINK, _REQUEST | _ACKNOWLEDGE, body)
        return index

    def add_address(self, index: int, address: str) -> None:
        """Give an interface an address that stands for itself alone."""
        packed = ip_address(address).packed
        family = _family_of(packed)
        body = struct.pack("=BBBBi", family, len(packed) * 8, _NO_DETECTION, _UNIVERSE, index)
        body += _attribute(_LOCAL, packed) + _attribute(_ADDRESS, packed)
        self._ask(_NEW_ADDRESS, _REQUEST | _ACKNOWLEDGE | _EXCLUSIVE | _CREATE, body)

    def route_all(self, index: int, family: int) -> None:
        """Lead whatever has no other route through an interface."""
        body = struct.pack(
            "=BBBBBBBBI", family, 0, 0, 0, _MAIN_TABLE, _BY_BOOT, _UNIVERSE, _UNICAST, 0
        )
        body += _attribute(_OUTGOING, struct.pack("=i", index))
        self._ask(_NEW_ROUTE, _REQUEST | _ACKNOWLEDGE | _EXCLUSIVE | _CREATE, body)

    def _ask(self, kind: int, flags: int, body: bytes) -> None:
        self._number += 1
        head = _HEADER.pack(_HEADER.size + len(body), kind, flags, self._number, 0)
        self._socket.send(head + body)
        answer = self._socket.recv(65536)
        _, said, _, _, _ = _HEADER.unpack_from(answer)
        code = struct.unpack_from("=i", answer, _HEADER.size)[0] if said == _ERROR else 0
        if code:
            raise OSError(-code, os.strerror(-code))


def _attribute(kind: int, value: bytes) -> bytes:
    padding = b"\0" * (-len(value) % 4)
    return struct.pack("=HH", 4 + len(value), kind) + value + padding


def _family_of(packed: bytes) -> int:
    return socket.AF_INET if len(packed) == 4 else socket.AF_INET6  # noqa: PLR2004  bytes of IPv4
