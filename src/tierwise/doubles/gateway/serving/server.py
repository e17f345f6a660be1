"""The server: a thread of its own, a port of its own, an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.serving.connection import Connection, load_parser
from tierwise.doubles.gateway.vendors import BASE_URLS, ENVIRONMENT
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.doubles.gateway.gateway import Gateway
    from tierwise.doubles.gateway.serving.connection import Page

_STARTING_S = 10.0
_TURNS = 6
"""Turns of the event loop between accepting a connection and being told that it has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A gateway that listens."""

    gateway: Gateway
    host: str
    port: int

    @property
    def url(self) -> str:
        """The address, without a path: `http://127.0.0.1:4010`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def base_url(self, vendor: str) -> str:
        """Return the address that this vendor's SDK is to be given as its base URL."""
        return f"{self.url}{BASE_URLS[vendor][1]}"

    @property
    def environment(self) -> Mapping[str, str | None]:
        """Variables that lead the SDKs here with obviously fake keys; None takes one away."""
        bases = {name: self.base_url(vendor) for vendor, (name, _) in BASE_URLS.items()}
        return {**ENVIRONMENT, **bases}


@contextmanager
def running(
    gateway: Gateway, *, host: str = "127.0.0.1", port: int = 0, page: Page | None = None
) -> Iterator[Server]:
    """Serve a gateway until left; `page` answers what is not meant for a vendor.

    Raises `GatewayError` where the port cannot be had, and `MissingExtraError` without httptools.
    """
    thread = _Thread(gateway, host=host, port=port, page=page)
    thread.start()
    try:
        yield Server(gateway=gateway, host=host, port=thread.wait_for_port())
    finally:
        thread.stop()


async def serve(
    gateway: Gateway, *, host: str, port: int, page: Page | None = None
) -> tuple[asyncio.Server, set[Connection]]:
    """Listen in the running event loop; return the server and its open connections."""
    httptools = load_parser()
    open_connections: set[Connection] = set()

    def connect() -> Connection:
        return Connection(
            gateway, httptools=httptools, page=page, open_connections=open_connections
        )

    try:
        server = await asyncio.get_running_loop().create_server(connect, host, port)
    except OSError as error:
        raise GatewayError(
            f"The gateway cannot listen on {host}:{port}: {error.strerror or error}. Choose "
            "another port; 0 takes any that is free."
        ) from error
    return server, open_connections


async def end(server: asyncio.Server, open_connections: set[Connection]) -> None:
    """Stop listening and close each connection, one that is just being accepted too."""
    # A connection whose accepting is under way fails, and is left open, once its server is closed.
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    for _ in range(_TURNS):
        for connection in tuple(open_connections):
            connection.close()
        await asyncio.sleep(0)
    server.close()


class _Thread(threading.Thread):
    def __init__(self, gateway: Gateway, **how: Any) -> None:  # noqa: ANN401  of `serve`
        super().__init__(name="tierwise-gateway", daemon=True)
        self._gateway, self._how = gateway, how
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Event | None = None
        self._port = 0
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001  told to who started the thread
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server, connections = await serve(self._gateway, **self._how)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        await end(server, connections)

    def wait_for_port(self) -> int:
        self._ready.wait(_STARTING_S)
        if self._error is not None:
            raise self._error
        if not self._port:
            raise GatewayError(f"The gateway's server did not start within {_STARTING_S:.0f} s.")
        return self._port

    def stop(self) -> None:
        loop, end = self._loop, self._end
        if loop is not None and end is not None:
            with suppress(RuntimeError):  # the loop is closed: it has ended by itself
                loop.call_soon_threadsafe(end.set)
        self.join(_STARTING_S)
