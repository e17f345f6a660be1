"""What is taken over while a gateway is installed, and that all of it is put back."""

from __future__ import annotations

import os
import socket
import urllib.request
from typing import TYPE_CHECKING, Any

import aiohttp
import httpx
import httpx2
import pytest
from toy_vendor import CHAT, ToyVendor

from tierwise.doubles.gateway import Gateway
from tierwise.doubles.gateway.doors.door import is_loopback
from tierwise.doubles.gateway.installing import replaced
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Mapping

URL = f"https://api.openai.com{CHAT}"
TAKEN = (
    (httpx.HTTPTransport, "handle_request"),
    (httpx.AsyncHTTPTransport, "handle_async_request"),
    (httpx2.HTTPTransport, "handle_request"),
    (httpx2.AsyncHTTPTransport, "handle_async_request"),
    (aiohttp.BaseConnector, "connect"),
    (socket.socket, "connect"),
    (socket.socket, "connect_ex"),
    (socket, "getaddrinfo"),
)


def now() -> list[Any]:
    """Return what stands in each place that is taken over."""
    return [getattr(owner, name) for owner, name in TAKEN]


def own() -> list[bool]:
    """Tell which of them stands in the class itself, and not in one that it comes from."""
    return [name in vars(owner) for owner, name in TAKEN]


def reach(how: str, family: socket.AddressFamily, address: Any) -> None:
    """Have a socket go to an address."""
    with socket.socket(family) as own:
        getattr(own, how)(address)


def toy() -> Gateway:
    """Return a gateway that plays the toy vendor and says its own name."""
    return Gateway(vendors=[ToyVendor()])


def test_all_is_put_back() -> None:
    """The classes are as they were, by name and by place, after an error as well."""
    before, stood = now(), own()

    def fail_inside() -> None:
        with toy().installed():
            assert all(a is not b for a, b in zip(now(), before, strict=True))
            raise LookupError

    with pytest.raises(LookupError):
        fail_inside()
    assert now() == before
    assert own() == stood


def test_what_a_class_inherits_it_inherits_again() -> None:
    """Nothing is left in it that was not its own."""

    class Base:
        def reach(self) -> str:
            return "base"

    class Heir(Base):
        pass

    with replaced(Heir, "reach", lambda _self: "stand-in"):
        assert Heir().reach() == "stand-in"
    assert Heir().reach() == "base"
    assert "reach" not in vars(Heir)


def test_the_inner_gateway_answers() -> None:
    """One installed while another is, until it is left."""
    outer, inner = toy(), toy()
    outer.when().say("outer")
    inner.when().say("inner")

    def hear() -> str:
        answer = httpx2.post(URL, json={"model": "toy-1"}).json()
        return str(answer["choices"][0]["text"])

    with outer.installed():
        with inner.installed():
            assert hear() == "inner"
        assert hear() == "outer"


def test_keys_are_obviously_fake_and_addresses_the_vendors_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A developer's real ones are out of reach, and back afterwards."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-real")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example.com")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    before = dict(os.environ)
    with toy().installed():
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
            assert "fake" in os.environ[name]
        assert "OPENAI_BASE_URL" not in os.environ
    assert dict(os.environ) == before


def test_the_environment_can_be_left_alone() -> None:
    """For a test that is about it."""
    before = dict(os.environ)
    with toy().installed(environ=False):
        assert dict(os.environ) == before


def test_the_error_of_a_client_that_would_leave_can_be_chosen() -> None:
    """The fixture takes one that no `except Exception` hides."""
    with toy().installed(make_error=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        httpx2.get("http://example.com/")


@pytest.mark.parametrize(
    "leave",
    [
        lambda: urllib.request.urlopen("http://example.com/"),
        lambda: socket.create_connection(("203.0.113.7", 80)),
        lambda: socket.create_connection(("example.com", 80)),
        lambda: reach("connect_ex", socket.AF_INET, ("203.0.113.7", 80)),
        lambda: reach("connect", socket.AF_INET6, ("2001:db8::7", 80)),
        lambda: socket.getaddrinfo(b"example.com", 80),
    ],
)
def test_a_client_of_another_kind_does_not_get_out_either(leave: Any) -> None:
    """Names are not looked up, addresses are not reached."""
    with toy().installed() as gateway:
        with pytest.raises(GatewayError, match="would leave the process"):
            leave()
        assert len(gateway.complaints) == 1


def test_hosts_that_are_allowed_are_let_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, and then by the addresses that the name has."""
    reached: list[Any] = []
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("203.0.113.7", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_how: found)
    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: reached.append(address))
    with toy().installed() as gateway:
        gateway.configure(allow_hosts=("example.com",))
        socket.create_connection(("example.com", 80)).close()
        with pytest.raises(GatewayError):
            socket.create_connection(("203.0.113.8", 80))
    assert reached == [("203.0.113.7", 80)]


def test_sockets_of_this_machine_are_none_of_its_business(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A database on loopback or behind a path stays within reach."""
    reached: list[Any] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: reached.append(address))
    with toy().installed() as gateway:
        assert socket.getaddrinfo("127.0.0.1", 80)
        reach("connect", socket.AF_INET, ("127.0.0.1", 5432))
        reach("connect", socket.AF_UNIX, "/run/database")
        assert gateway.complaints == ()
    assert reached == [("127.0.0.1", 5432), "/run/database"]


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        ("localhost", True),
        ("api.localhost", True),
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("fe80::1%lo", False),
        ("10.0.0.1", False),
        ("localhost.example.com", False),
        ("example.com", False),
    ],
)
def test_loopback_is_told_by_name_and_address(host: str, *, is_here: bool) -> None:
    """Nothing is looked up for it."""
    assert is_loopback(host) is is_here


def test_a_library_that_is_not_installed_needs_no_door(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The others have theirs."""
    gone: Mapping[str, Any] = {"aiohttp": None, "httpx": None}
    monkeypatch.setattr(
        "tierwise.doubles.gateway.installing.find_spec", lambda name: gone.get(name, name)
    )
    before = now()
    with toy().installed():
        changed = [a is not b for a, b in zip(now(), before, strict=True)]
    assert changed == [False, False, True, True, False, True, True, True]
