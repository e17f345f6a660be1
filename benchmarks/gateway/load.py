"""The load: some connections, each asks again as soon as it is answered. Prints what it saw.

    python load.py PORT KIND SECONDS CONNECTIONS

KIND is plain, stream, or fresh: plain, with a body that never came before.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

_HEAD = (
    "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    "Accept-Encoding: gzip, deflate\r\nConnection: keep-alive\r\nAccept: application/json\r\n"
    "Content-Type: application/json\r\nUser-Agent: OpenAI/Python 3.57.0\r\n"
    "X-Stainless-Lang: python\r\nX-Stainless-Package-Version: 3.57.0\r\n"
    "X-Stainless-OS: Linux\r\nX-Stainless-Arch: x64\r\nX-Stainless-Runtime: CPython\r\n"
    "X-Stainless-Runtime-Version: 3.11.7\r\nAuthorization: Bearer test-key\r\n"
    "X-Stainless-Async: false\r\nx-stainless-retry-count: 0\r\n"
    "x-stainless-read-timeout: 600\r\nContent-Length: {length}\r\n\r\n"
)


def write_request(port: int, kind: str, number: int) -> bytes:
    """Return a request as the SDK writes it."""
    said = f"hello {number:09d}" if kind == "fresh" else "hello there, how do you do"
    turns = [{"role": "user", "content": said}]
    body = json.dumps({"model": "gpt-5", "messages": turns, "stream": kind == "stream"}).encode()
    return _HEAD.format(port=port, length=len(body)).encode() + body


class Client(asyncio.Protocol):
    """Asks, waits for the whole answer, asks again."""

    def __init__(self, load: Load) -> None:
        self.load, self.got = load, bytearray()
        self.needed: int | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        """Send the next request."""
        self.transport.write(self.load.next_request())  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        """Go on when the answer is complete."""
        self.got += data
        if self.needed is None:
            end = self.got.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self.got[:end]).lower()
            if not head.startswith(b"http/1.1 200"):
                self.load.fail(bytes(self.got[:600]))
                return
            length = head.partition(b"content-length:")[2].split(b"\r\n")[0]
            self.needed = end + 4 + int(length) if length else 0
        whole = len(self.got) >= self.needed if self.needed else self.got.endswith(b"0\r\n\r\n")
        if whole:
            self.load.count(self.got)
            self.got, self.needed = bytearray(), None
            self.ask()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up on a server that closes."""
        self.load.fail(f"the connection was lost: {exc}".encode())


class Load:
    """What all connections share."""

    def __init__(self, port: int, kind: str) -> None:
        self.port, self.kind = port, kind
        self.n, self.n_asked, self.n_events, self.error = 0, 0, 0, b""
        self.constant = write_request(port, kind, 0)
        self.salt = time.time_ns() % 900_000_000
        self.ended = asyncio.Event()

    def next_request(self) -> bytes:
        """Return the same request, or a new one."""
        self.n_asked += 1
        if self.kind != "fresh":
            return self.constant
        return write_request(self.port, self.kind, (self.salt + self.n_asked) % 999_999_999)

    def count(self, answer: bytearray) -> None:
        """Count an answer; look at the events of the first."""
        self.n += 1
        if self.n == 1:
            self.n_events = answer.count(b"data:")

    def fail(self, what: bytes) -> None:
        """Give up: a server that refuses is not measured."""
        if not self.ended.is_set():
            self.error = what
            self.ended.set()


async def run(port: int, kind: str, seconds: float, connections: int) -> None:
    """Ask for so long, and print answers, seconds, events and the first error."""
    load = Load(port, kind)
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    made = [
        await loop.create_connection(lambda: Client(load), "127.0.0.1", port)
        for _ in range(connections)
    ]
    loop.call_later(seconds, load.ended.set)
    await load.ended.wait()
    spent = time.perf_counter() - started
    told = {"n": load.n, "s": spent, "events": load.n_events, "error": load.error.decode()}
    print(json.dumps(told), flush=True)
    for transport, _ in made:
        transport.abort()


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4])))
