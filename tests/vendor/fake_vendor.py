"""A vendor on loopback that speaks as OpenAI does, fails as told, and counts what it did.

In a test: `with FakeVendor(answer="yes") as vendor: ... vendor.url`. As a program it prints its
port and ends when its standard input does:

    python tests/vendor/fake_vendor.py --answer yes --busy 0.1 --failing 0.05

Then `GET /counts` shows what `FakeVendor.tell` returns.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import threading
from collections import Counter, deque
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from vendor_replies import (
    MODEL,
    Answering,
    Asked,
    Draw,
    Faults,
    Response,
    answer_anything,
    complete,
    refuse,
)
from vendor_wire import Wire

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

__all__ = ["MODEL", "Asked", "FakeVendor", "Faults", "Response", "complete", "refuse"]

_STARTING_S = 10.0
_OK = 200


class Entry(NamedTuple):
    """A request and the word that it was counted under."""

    asked: Asked
    counted: str


class FakeVendor:
    """Answers on a port of its own, in a thread of its own.

    `answer` is a text, a whole `Response`, or a function of the request that returns one of the
    two; without it any schema gets a valid answer and a plain question its own words back. With
    `key` a request that does not carry it is refused (401). `counts` says how often each thing
    happened, decided when a request arrives; `journal` keeps the last requests with that word.
    """

    def __init__(
        self,
        answer: Answering = answer_anything,
        *,
        latency_s: float = 0.0,
        faults: Faults | None = None,
        key: str | None = None,
        n_kept: int = 10_000,
        port: int = 0,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.n_in_flight = 0
        self.most_in_flight = 0
        self.n_abandoned = 0
        """Requests whose client went away before their response was sent."""
        self.n_connections = 0
        self.connections: set[Wire] = set()
        self.journal: deque[Entry] = deque(maxlen=n_kept)
        self.latency_s = latency_s
        self.port = port
        """0 until it is started, unless it was given one."""
        self._n_to_hold = 0
        self._held: list[Callable[[], None]] = []
        self._answer = answer
        self._draw = Draw(faults or Faults())
        self._key = key
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopping: asyncio.Event | None = None

    @property
    def url(self) -> str:
        """Where it answers, as a base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def n_requests(self) -> int:
        """How many requests arrived."""
        return sum(self.counts.values())

    def tell(self) -> dict[str, Any]:
        """Return all that was counted, as JSON."""
        return {
            "counts": dict(self.counts),
            "n_requests": self.n_requests,
            "n_in_flight": self.n_in_flight,
            "most_in_flight": self.most_in_flight,
            "n_abandoned": self.n_abandoned,
            "n_connections": self.n_connections,
        }

    def hold_until(self, n_requests: int) -> None:
        """Keep responses back until so many requests are in flight together."""
        self._n_to_hold = n_requests

    def holds(self, send: Callable[[], None]) -> bool:
        """Keep a response back while requests are missing; with the last one all are sent."""
        if self._n_to_hold == 0:
            return False
        self._held.append(send)
        if len(self._held) == self._n_to_hold:
            self._n_to_hold = 0
            held, self._held = self._held, []
            for one in held:
                one()
        return True

    def respond(self, asked: Asked) -> Response:
        """Decide about one request and count it."""
        if asked.method == "GET" and asked.path == "/counts":
            return Response(body=json.dumps(self.tell()).encode(), latency_s=0.0)
        response = self._decide(asked)
        self.counts[response.counted] += 1
        if self.journal.maxlen:
            self.journal.append(Entry(asked, response.counted))
        return response

    def _decide(self, asked: Asked) -> Response:
        if asked.method != "POST" or not asked.path.endswith("/chat/completions"):
            return Response(status=404, body=b"404 page not found", counted="no such path")
        if self._key is not None and asked.headers.get("authorization") != f"Bearer {self._key}":
            return refuse(401, "invalid_api_key", f"Incorrect API key: {asked.headers!r}")
        fault = self._draw.choose(asked.raw)
        if fault is not None:
            return fault
        said = self._answer(asked) if callable(self._answer) else self._answer
        if isinstance(said, Response):
            return said
        return Response(body=complete(said, n_read=1 + len(asked.raw) // 4))

    async def serve(self, *, on_port: Any = None) -> None:
        """Answer until `stop` is called."""
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        server = await self._loop.create_server(
            lambda: Wire(self), "127.0.0.1", self.port, backlog=2048
        )
        self.port = server.sockets[0].getsockname()[1]
        if on_port is not None:
            on_port(self.port)
        await self._stopping.wait()
        server.close()
        for wire in tuple(self.connections):
            wire.abort()
        await asyncio.sleep(0)

    def start(self) -> Self:
        """Answer in a thread of its own."""
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self.serve(on_port=lambda _port: ready.set())),
            name="fake-vendor",
            daemon=True,
        )
        self._thread.start()
        if not ready.wait(_STARTING_S):
            raise RuntimeError("The fake vendor did not start.")
        return self

    def stop(self) -> None:
        """Hang up on all who still wait, and end."""
        if self._loop is not None and self._stopping is not None:
            with contextlib.suppress(RuntimeError):  # it ended before
                self._loop.call_soon_threadsafe(self._stopping.set)
        if self._thread is not None:
            self._thread.join(_STARTING_S)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()


def parse_arguments(arguments: list[str]) -> FakeVendor:
    """Return the vendor that a command line asks for."""
    parser = argparse.ArgumentParser(description="A vendor that fails as told.")
    parser.add_argument("--answer", default=None)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--keep", type=int, default=0)
    parser.add_argument("--port", type=int, default=0)
    for name, default in asdict(Faults()).items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=type(default), default=default, dest=name
        )
    found = vars(parser.parse_args(arguments))
    faults = replace(Faults(), **{name: found[name] for name in asdict(Faults())})
    return FakeVendor(
        answer_anything if found["answer"] is None else found["answer"],
        latency_s=found["latency"],
        faults=faults,
        n_kept=found["keep"],
        port=found["port"],
    )


def main(arguments: list[str]) -> None:
    """Print the port, answer until standard input ends."""
    vendor = parse_arguments(arguments)

    def tell(port: int) -> None:
        sys.stdout.write(f"{port}\n")
        sys.stdout.flush()

    def watch() -> None:
        sys.stdin.read()
        vendor.stop()

    threading.Thread(target=watch, daemon=True).start()
    asyncio.run(vendor.serve(on_port=tell))


if __name__ == "__main__":
    main(sys.argv[1:])
