from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.sandbox.sockets import CLASSIFIERS, is_loopback

if TYPE_CHECKING:
    from tierwise.sandbox.world import World

INET = SimpleNamespace(family=2)
NETLINK = SimpleNamespace(family=16)
PACKET = SimpleNamespace(family=17)


def classify(event: str, args: tuple[Any, ...], world: World) -> list[tuple[str, str]]:
    return [
        (touch.capability.value, touch.target) for touch in CLASSIFIERS[event](event, args, world)
    ]


@pytest.mark.parametrize(
    ("event", "args", "expected"),
    [
        ("socket.connect", (INET, ("203.0.113.7", 443)), ("network", "203.0.113.7:443")),
        ("socket.connect", (INET, ("example.com", 80)), ("network", "example.com:80")),
        ("socket.connect", (INET, (b"example.com", 80)), ("network", "example.com:80")),
        ("socket.connect", (INET, (bytearray(b"::1"), 80, 0, 0)), ("loopback", "[::1]:80")),
        ("socket.connect", (INET, ("fe80::1%eth0", 80)), ("network", "[fe80::1%eth0]:80")),
        ("socket.connect", (INET, ("127.8.9.1", 80)), ("loopback", "127.8.9.1:80")),
        ("socket.connect", (INET, ("localhost", 80)), ("loopback", "localhost:80")),
        ("socket.connect", (INET, ("", 80)), ("loopback", "0.0.0.0:80")),
        ("socket.connect", (INET, ("0.0.0.0", 80)), ("loopback", "0.0.0.0:80")),  # noqa: S104
        ("socket.connect", (INET, "/run/x.sock"), ("loopback", "/run/x.sock")),
        ("socket.connect", (INET, b"\0abstract"), ("loopback", "@abstract")),
        ("socket.connect", (NETLINK, (0, 0)), ("loopback", "(0, 0)")),
        ("socket.connect", (PACKET, (3, 1024)), ("network", "(3, 1024)")),
        ("socket.connect", (PACKET, ("eth0", 3)), ("network", "eth0:3")),
        ("socket.connect", (PACKET, ()), ("network", "()")),
        ("socket.bind", (INET, ("127.0.0.1", 0)), ("loopback", "127.0.0.1:0")),
        ("socket.bind", (INET, ("", 0)), ("network", "0.0.0.0:0")),
        ("socket.bind", (INET, ("0.0.0.0", 80)), ("network", "0.0.0.0:80")),  # noqa: S104
        ("socket.bind", (INET, ("::", 80, 0, 0)), ("network", "[::]:80")),
        ("socket.bind", (INET, "/run/x.sock"), ("loopback", "/run/x.sock")),
        ("socket.sendto", (INET, ("203.0.113.7", 53)), ("network", "203.0.113.7:53")),
        ("socket.sendmsg", (INET, ("203.0.113.7", 53)), ("network", "203.0.113.7:53")),
        ("socket.getaddrinfo", ("example.com", 443, 0, 0, 0), ("network", "example.com:443")),
        (
            "socket.getaddrinfo",
            (b"example.com", b"https", 0, 0, 0),
            ("network", "example.com:https"),
        ),
        ("socket.getaddrinfo", ("example.com", None, 0, 0, 0), ("network", "example.com")),
        ("socket.getaddrinfo", ("localhost", 80, 0, 0, 0), ("loopback", "localhost:80")),
        ("socket.getaddrinfo", (None, 80, 0, 0, 0), ("loopback", "localhost:80")),
        ("socket.gethostbyname", ("example.com",), ("network", "example.com")),
        ("socket.gethostbyname", ("LOCALHOST.",), ("loopback", "LOCALHOST.")),
        ("socket.gethostbyaddr", ("203.0.113.7",), ("network", "203.0.113.7")),
        ("socket.gethostbyaddr", ("127.0.0.1",), ("loopback", "127.0.0.1")),
        ("socket.getnameinfo", (("203.0.113.7", 80),), ("network", "203.0.113.7")),
    ],
)
def test_names_capability_and_endpoint(
    world: World, event: str, args: tuple[Any, ...], expected: tuple[str, str]
) -> None:
    """Each address is judged by where it leads, with the port in the target."""
    assert classify(event, args, world) == [expected]


@pytest.mark.parametrize(
    ("event", "args"),
    [
        ("socket.sendmsg", (INET, None)),
        ("socket.getaddrinfo", ("203.0.113.7", 80, 0, 0, 0)),
        ("socket.gethostbyname", ("203.0.113.7",)),
        ("socket.getaddrinfo", ("127.0.0.1", 80, 0, 0, 0)),
        ("socket.gethostbyname", ("::1",)),
    ],
)
def test_what_reaches_nobody_is_no_touch(world: World, event: str, args: tuple[Any, ...]) -> None:
    """Sending on a connected socket was judged before; a literal address asks no resolver."""
    assert classify(event, args, world) == []


def test_creating_a_socket_is_not_judged() -> None:
    """An event loop makes a pair of sockets for itself, and reaches nobody."""
    assert "socket.__new__" not in CLASSIFIERS


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("::ffff:127.0.0.1", True),
        ("::ffff:203.0.113.7", False),
        ("app.localhost", True),
        ("localhost.example.com", False),
        ("notlocalhost", False),
        ("0:0:0:0:0:0:0:1", True),
    ],
)
def test_loopback_is_told_without_asking(host: str, expected: bool) -> None:  # noqa: FBT001
    """Literals and the reserved name alone are loopback; other names could lead anywhere."""
    assert is_loopback(host) is expected
