"""The name servers that this machine keeps on loopback: what is asked of them is seen, too."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.sandbox.sockets import is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterable

_PORT = 53


def listen() -> tuple[socket.socket, ...]:
    """Stand in for the name servers on loopback that this machine's resolver asks.

    Without one a question would get no further than to a closed port, and nobody would know of it.
    """
    found = []
    for address in servers_in(_configuration()):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        stand_in = socket.socket(family, socket.SOCK_DGRAM)
        try:
            stand_in.bind((address, _PORT))
        except OSError:
            stand_in.close()  # no such address here, or no right to: questions are refused anyway
            continue
        stand_in.setblocking(False)  # noqa: FBT003  positional only
        found.append(stand_in)
    return tuple(found)


def servers_in(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the servers on loopback that a resolver's configuration names, each once.

    Where it names none at all, a resolver asks 127.0.0.1.
    """
    named = [
        fields[1]
        for line in lines
        if len(fields := line.split()) > 1 and fields[0] == "nameserver" and _is_address(fields[1])
    ]
    return tuple(dict.fromkeys(one for one in named or ["127.0.0.1"] if is_loopback(one)))


def _configuration() -> list[str]:
    try:
        return Path("/etc/resolv.conf").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _is_address(text: str) -> bool:
    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True
