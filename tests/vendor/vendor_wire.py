"""HTTP/1.1 as far as the fake vendor needs it: one connection, one request at a time."""

from __future__ import annotations

import asyncio
import socket
import struct
from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol

from vendor_replies import Asked, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_END = b"\r\n\r\n"


class Desk(Protocol):
    """Who decides about requests and counts what happens to them."""

    n_in_flight: int
    most_in_flight: int
    n_abandoned: int
    n_connections: int
    latency_s: float

    @property
    def connections(self) -> set[Wire]:
        """All connections that are open."""
        ...

    @property
    def n_requests(self) -> int:
        """How many requests arrived before."""
        ...

    def holds(self, send: Callable[[], None]) -> bool:
        """Keep a response back, to be sent together with others; False where there is no need."""
        ...

    def respond(self, asked: Asked) -> Response:
        """Decide about one request and count it."""
        ...


class Wire(asyncio.Protocol):
    """One connection; the next request is read when the one before has its response."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._buffer = b""
        self._is_busy = False
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._desk.n_connections += 1
        self._desk.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; a request without a response is counted as abandoned."""
        self._desk.connections.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        if self._is_busy:
            self._desk.n_abandoned += 1
            self._finish()

    def data_received(self, data: bytes) -> None:
        """Take in what came."""
        self._buffer += data
        if self._buffer[:1].isupper():
            self._take()
        elif self._transport is not None:
            # As servers do with what is no HTTP, such as the beginning of TLS.
            self._transport.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            self._transport.close()

    def abort(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def _take(self) -> None:
        if self._is_busy:
            return
        head, end, rest = self._buffer.partition(_END)
        if not end:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        length = int(headers.get("content-length", "0"))
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        method, path, _ = first.split(" ", 2)
        self._begin(
            Asked(
                number=self._desk.n_requests,
                method=method,
                path=path.partition("?")[0],
                headers=headers,
                raw=rest[:length],
            )
        )

    def _begin(self, asked: Asked) -> None:
        self._is_busy = True
        desk = self._desk
        desk.n_in_flight += 1
        desk.most_in_flight = max(desk.most_in_flight, desk.n_in_flight)
        response = desk.respond(asked)
        if desk.holds(lambda: self._send(response)):
            return
        self._send(response)

    def _send(self, response: Response) -> None:
        desk = self._desk
        if self._transport is None or self._transport.is_closing():
            return
        wait = desk.latency_s if response.latency_s is None else response.latency_s
        if response.way == "hang":
            return
        if wait:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(wait, self._end, response)
        else:
            self._end(response)

    def _end(self, response: Response) -> None:
        assert self._transport is not None
        if response.way == "stall":
            self._transport.write(render(response)[: -len(response.body) // 2])
            return
        self._finish()
        if response.way == "reset":
            plain = self._transport.get_extra_info("socket")
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()
        elif response.way == "close":
            self._transport.close()
        elif response.way in {"cut", "raw"}:
            half = render(response)[: -len(response.body) // 2]
            self._transport.write(response.body if response.way == "raw" else half)
            self._transport.close()
        else:
            self._transport.write(render(response))
            self._take()

    def _finish(self) -> None:
        self._is_busy = False
        self._desk.n_in_flight -= 1


def render(response: Response) -> bytes:
    """Return a response as bytes."""
    headers: Mapping[str, str] = {
        "Content-Type": "application/json",
        "Content-Length": str(len(response.body)),
        **response.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    try:
        reason = HTTPStatus(response.status).phrase
    except ValueError:
        reason = "Unknown"
    head = f"HTTP/1.1 {response.status} {reason}\r\n{lines}\r\n"
    return head.encode("latin-1") + response.body
