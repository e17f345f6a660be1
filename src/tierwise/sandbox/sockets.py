"""Touches of the network and of loopback, from the arguments of audit events."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any

from tierwise.domain import Capability, Touch
from tierwise.sandbox.targets import format_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]

_ANY = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  compared with, never bound
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""What nearly everybody writes; every other spelling takes longer."""
_NETLINK = 16
"""AF_NETLINK speaks to this machine's kernel; the constant is missing where it is not offered."""


def classify_connect(event: str, args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
    """Judge the address that a socket connects or sends to; a connected send has none."""
    sock, address = args
    if address is None:
        return ()
    if _host_of(address) in _ANY:
        # Connecting to the wildcard address reaches this machine.
        return _touch(Capability.LOOPBACK, event, _host_of(address) or "0.0.0.0", address[1])  # noqa: S104
    return _classify_address(event, sock, address)


def classify_bind(event: str, args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
    """Judge the address that a socket binds: whatever is not loopback can be reached from afar."""
    sock, address = args
    if _host_of(address) == "":
        return _touch(Capability.NETWORK, event, "0.0.0.0", address[1])  # noqa: S104
    return _classify_address(event, sock, address)


def classify_look_up(event: str, args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
    """Judge a name that is turned into addresses; a literal address asks nobody."""
    host = _text(args[0])
    port = args[1] if event == "socket.getaddrinfo" else None
    port = port or None
    if host and _is_literal(host):
        return ()
    if not host or is_loopback(host):
        return _touch(Capability.LOOPBACK, event, host or "localhost", _text(port))
    return _touch(Capability.NETWORK, event, host, _text(port))


def classify_reverse_look_up(
    event: str, args: tuple[Any, ...], _world: World
) -> tuple[Touch, ...]:
    """Judge an address that is turned into a name: literals ask the resolver too."""
    host = _text(args[0][0] if isinstance(args[0], tuple) else args[0]) or "localhost"
    capability = Capability.LOOPBACK if is_loopback(host) else Capability.NETWORK
    return _touch(capability, event, host, None)


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine speaking to itself, without asking a resolver."""
    if host in _LOOPBACK:
        return True
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def _classify_address(event: str, sock: Any, address: object) -> tuple[Touch, ...]:  # noqa: ANN401  any socket
    if isinstance(address, (str, bytes)):
        name = address.decode("utf-8", "replace") if isinstance(address, bytes) else address
        return _touch(Capability.LOOPBACK, event, name.replace("\0", "@"), None)
    if not isinstance(address, tuple) or not address:
        return _touch(Capability.NETWORK, event, repr(address), None)
    host = _text(address[0])
    if host is None or isinstance(address[0], int):
        is_kernel = getattr(sock, "family", None) == _NETLINK
        capability = Capability.LOOPBACK if is_kernel else Capability.NETWORK
        return _touch(capability, event, repr(address), None)
    capability = Capability.LOOPBACK if is_loopback(host) else Capability.NETWORK
    return _touch(capability, event, host, address[1] if len(address) > 1 else None)


def _host_of(address: object) -> str | None:
    return _text(address[0]) if isinstance(address, tuple) and address else None


def _touch(capability: Capability, event: str, host: str, port: object) -> tuple[Touch, ...]:
    return (Touch(capability=capability, target=format_endpoint(host, port), event=event),)


def _is_literal(host: str) -> bool:
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, (bytes, bytearray)):
        return value.decode("ascii", "replace")
    return str(value)


CLASSIFIERS: Mapping[str, Classifier] = {
    "socket.bind": classify_bind,
    "socket.connect": classify_connect,
    "socket.getaddrinfo": classify_look_up,
    "socket.gethostbyaddr": classify_reverse_look_up,
    "socket.gethostbyname": classify_look_up,
    "socket.getnameinfo": classify_reverse_look_up,
    "socket.sendmsg": classify_connect,
    "socket.sendto": classify_connect,
}
