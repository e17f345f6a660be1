"""The gateway on a port: what goes over a real connection, and how that ends."""

from __future__ import annotations

import gzip
import importlib
import json
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tierwise.doubles.gateway import Gateway
from tierwise.doubles.gateway.serving import Server, running
from tierwise.doubles.gateway.vendors import BASE_URLS, Vendors
from tierwise.doubles.gateway.wire import Chunk, HttpRequest, HttpResponse
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHAT = {"model": "gpt-5", "messages": [{"role": "user", "content": "hello"}]}


@pytest.fixture
def gateway() -> Gateway:
    return Gateway()


@pytest.fixture
def server(gateway: Gateway) -> Iterator[Server]:
    with running(gateway) as made:
        yield made


def write(
    body: object = CHAT, *, path: str = "/v1/chat/completions", more: str = "", raw: bytes = b""
) -> bytes:
    """Return a request as it goes over the wire."""
    data = raw or json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nhost: localhost:1\r\nauthorization: Bearer k\r\n"
        f"content-type: application/json\r\ncontent-length: {len(data)}\r\n{more}\r\n"
    )
    return head.encode() + data


def connect(server: Server) -> socket.socket:
    return socket.create_connection((server.host, server.port), timeout=5)


def read_answer(client: socket.socket) -> bytes:
    """Return what comes up to the end of one answer that tells its length."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += client.recv(65536)
    head, _, body = got.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body


def read_all(client: socket.socket) -> bytes:
    got = b""
    while more := client.recv(65536):
        got += more
    return got


def wait_until(claim: Callable[[], bool]) -> bool:
    """Wait for another thread, at most for five seconds."""
    done = threading.Event()
    end = time.monotonic() + 5
    while not claim() and time.monotonic() < end:
        done.wait(0.01)
    return claim()


def test_one_connection_serves_many_requests(gateway: Gateway, server: Server) -> None:
    """A connection is kept, and requests sent together are answered in their order."""
    gateway.queue("one", "two", "three")
    with connect(server) as client:
        client.sendall(write() + write())
        first, second = read_answer(client), b""
        # Both answers may have come at once.
        first, _, rest = first.partition(b"HTTP/1.1 200")[2].partition(b"HTTP/1.1 200")
        second = rest or read_answer(client)
        client.sendall(write())
        third = read_answer(client)
    said = [b"one" in first, b"two" in second, b"three" in third]
    assert said == [True, True, True]


def test_a_client_that_asks_to_close_is_closed(gateway: Gateway, server: Server) -> None:
    """`connection: close` ends the connection after the answer."""
    gateway.queue("bye")
    with connect(server) as client:
        client.sendall(write(more="connection: close\r\n"))
        assert b"bye" in read_all(client)


def test_a_body_may_come_compressed_and_be_waited_for(gateway: Gateway, server: Server) -> None:
    """A gzipped body is read, and `expect: 100-continue` lets its client go on."""
    gateway.when(last_user="hello").say("seen")
    packed = gzip.compress(json.dumps(CHAT).encode())
    message = write(raw=packed, more="content-encoding: gzip\r\nexpect: 100-continue\r\n")
    head, _, body = message.partition(b"\r\n\r\n")
    with connect(server) as client:
        client.sendall(head + b"\r\n\r\n")
        assert client.recv(1024).startswith(b"HTTP/1.1 100")
        client.sendall(body)
        assert b"seen" in read_answer(client)


def test_a_cut_stream_ends_inside_its_framing(gateway: Gateway, server: Server) -> None:
    """The connection ends without the chunk that ends a body."""
    gateway.when().cut(after=2).say("one two three four")
    with connect(server) as client:
        client.sendall(write({**CHAT, "stream": True}))
        got = read_all(client)
    assert b"transfer-encoding: chunked" in got
    assert not got.endswith(b"0\r\n\r\n")


def test_a_truncated_stream_ends_well_framed(gateway: Gateway, server: Server) -> None:
    """HTTP says that the body is complete; the vendor's last event is missing."""
    gateway.when().truncate(after=2).say("one two three four")
    with connect(server) as client:
        client.sendall(write({**CHAT, "stream": True}, more="connection: close\r\n"))
        got = read_all(client)
    assert got.endswith(b"0\r\n\r\n")
    assert b"[DONE]" not in got


def test_a_reset_reaches_the_client_as_one(gateway: Gateway, server: Server) -> None:
    """The client's socket says that the connection was reset."""
    gateway.when().reset(after=0).say("one two three four")
    with connect(server) as client:
        client.sendall(write({**CHAT, "stream": True}))
        with pytest.raises(ConnectionResetError):
            read_all(client)


def test_a_stalled_answer_ends_with_its_client(gateway: Gateway, server: Server) -> None:
    """Nothing comes after the stall, and the journal tells that the client went."""
    gateway.when().stall(after=1).say("one two three four")
    with connect(server) as client:
        client.sendall(write({**CHAT, "stream": True}))
        assert b"HTTP/1.1 200" in client.recv(65536)
        client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            read_all(client)
    assert wait_until(lambda: gateway.requests.only().progress.closed_early)


def test_what_is_no_http_is_refused(server: Server) -> None:
    """A client that speaks something else is told so and let go."""
    with connect(server) as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        assert read_all(client).startswith(b"HTTP/1.1 400")


def test_what_is_no_http_is_refused_after_the_parser_is_imported_again(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An in-process run of pytest forgets what it imported; a server after it reads as before."""
    importlib.import_module("httptools")
    for name in [name for name in sys.modules if name.partition(".")[0] == "httptools"]:
        monkeypatch.delitem(sys.modules, name)
    with running(gateway) as server, connect(server) as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        assert read_all(client).startswith(b"HTTP/1.1 400")


def test_a_head_request_has_no_body(server: Server) -> None:
    """The answer to HEAD is a head alone."""
    with connect(server) as client:
        client.sendall(b"HEAD /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        head, _, body = read_all(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1")
    assert body == b""


def test_a_port_that_is_taken_is_named(gateway: Gateway, server: Server) -> None:
    """The error names the address and the way out."""
    with (
        pytest.raises(GatewayError, match=rf"127\.0\.0\.1:{server.port}.*another port"),
        running(gateway, port=server.port),
    ):
        pass


def test_a_page_of_its_own_is_served_beside(gateway: Gateway) -> None:
    """What `page` answers never reaches the vendors or the journal."""

    def page(http: HttpRequest) -> HttpResponse | None:
        return HttpResponse(chunks=(Chunk(b"look"),)) if http.path == "/look" else None

    with running(gateway, page=page) as server, connect(server) as client:
        client.sendall(b"GET /look HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert read_all(client).endswith(b"look")
    assert gateway.requests == ()


def test_the_table_of_addresses_is_the_vendors_own() -> None:
    """What the server tells without loading an SDK is what each vendor says of itself."""
    vendors = Vendors()
    own = {
        name: (vendors.get(name).base_url_variable, vendors.get(name).base_path)
        for name in BASE_URLS
    }
    assert own == dict(BASE_URLS)


def test_nothing_is_left_when_the_server_ends(gateway: Gateway) -> None:
    """Its thread is gone and its port refuses."""
    with running(gateway) as server, connect(server):
        pass
    assert not [thread for thread in threading.enumerate() if "tierwise-gateway" in thread.name]
    with pytest.raises(ConnectionRefusedError):
        connect(server)
