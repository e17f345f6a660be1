"""One client's connection: requests are parsed, answered in their order, and kept alive."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote_to_bytes

from tierwise.doubles.gateway.doors.door import form_request
from tierwise.doubles.gateway.journal import Entry, Progress
from tierwise.doubles.gateway.serving.sending import send
from tierwise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from tierwise.doubles.gateway.gateway import Gateway
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse

    Page = Callable[[HttpRequest], HttpResponse | None]

LARGEST_BODY = 64 * 1024 * 1024
_LENGTH_OF_EXPECT = len(b"expect")
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_WRONG = "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def load_parser() -> Any:  # noqa: ANN401  an untyped module
    """Return the library that reads HTTP; raises MissingExtraError where it is missing."""
    try:
        import httptools  # noqa: PLC0415  an extra
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "The gateway's server needs httptools: pip install 'tierwise[gateway]'. The gateway "
            "in process (the `gateway` fixture) needs no extra."
        ) from error
    return httptools


class Connection(asyncio.Protocol):
    """Parses what comes in and answers one request after the other."""

    def __init__(
        self,
        gateway: Gateway,
        *,
        httptools: Any,  # noqa: ANN401  an untyped module
        page: Page | None,
        open_connections: set[Connection],
    ) -> None:
        self._gateway, self._httptools, self._page = gateway, httptools, page
        self._open = open_connections
        # What the compiled parser raises is of its first import, even where it is imported again.
        self._errors = httptools.parser.parser
        self._parser = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport | None = None
        self._waiting: deque[tuple[HttpRequest, bool]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._last: tuple[tuple[Any, ...], HttpRequest] | None = None
        self._begin_request()

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember whom to answer."""
        self._transport = cast("asyncio.Transport", transport)
        self._open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  the loop's signature
        """Stop an answer that nobody will read."""
        self._open.discard(self)
        self._transport = None
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        """Parse what came."""
        try:
            self._parser.feed_data(data)
        except self._errors.HttpParserUpgrade:
            pass  # answered as if no other protocol had been asked for
        except self._errors.HttpParserError:
            self._refuse("400 Bad Request")

    def close(self) -> None:
        """End the connection at once, whatever is under way."""
        if self._transport is not None:
            self._transport.abort()

    # What the parser calls

    def on_message_begin(self) -> None:
        """Begin another request."""
        self._begin_request()

    def on_url(self, url: bytes) -> None:
        """Take the target, which may come in parts."""
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one header."""
        self._headers.append((name, value))
        if len(name) == _LENGTH_OF_EXPECT and name.lower() == b"expect":
            self._awaits_consent = value.lower() == b"100-continue"

    def on_headers_complete(self) -> None:
        """Let a client go on that asked whether it may."""
        if self._awaits_consent and self._transport:
            self._transport.write(_CONTINUE)

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._n_bytes += len(body)
        if self._n_bytes > LARGEST_BODY:
            self._refuse("413 Content Too Large")
        else:
            self._body.append(body)

    def on_message_complete(self) -> None:
        """Answer the request, after those before it."""
        if self._transport is None or self._transport.is_closing():
            return
        self._waiting.append((self._form_request(), self._parser.should_keep_alive()))
        if self._task is None:
            self._answer_waiting()

    def _form_request(self) -> HttpRequest:
        """Return the request; the same as the last one is the last one, to the byte."""
        body = b"".join(self._body) if len(self._body) != 1 else self._body[0]
        came = (self._parser.get_method(), self._target, body, self._headers)
        if self._last is not None and self._last[0] == came:
            return self._last[1]
        method, target, _, pairs = came
        url = self._httptools.parse_url(target)
        headers = _join_headers(pairs)
        http = form_request(
            method=method.decode("ascii"),
            host=_without_port(headers.get("host", "")),
            path=_unquote(url.path or b"/"),
            query=(url.query or b"").decode("latin-1"),
            headers=headers,
            body=body,
        )
        self._last = (came, http)
        return http

    # Answering

    def _begin_request(self) -> None:
        self._target = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._body: list[bytes] = []
        self._n_bytes = 0
        self._awaits_consent = False

    def _answer_waiting(self) -> None:
        """Answer what can be answered at once; the first that takes time goes on in a task."""
        while self._waiting and self._transport is not None:
            http, keeps_alive = self._waiting.popleft()
            later = self._answer(http)
            if later is not None:
                self._task = asyncio.ensure_future(self._go_on(later, keeps_alive=keeps_alive))
                return
            self._conclude(keeps_alive=keeps_alive)

    async def _go_on(self, later: Awaitable[None], *, keeps_alive: bool) -> None:
        await later
        self._task = None
        self._conclude(keeps_alive=keeps_alive)
        self._answer_waiting()

    def _conclude(self, *, keeps_alive: bool) -> None:
        if not keeps_alive and self._transport is not None:
            self._transport.close()

    def _answer(self, http: HttpRequest) -> Awaitable[None] | None:
        page = self._page(http) if self._page is not None else None
        if page is not None:
            self._send_page(page)
            return None
        entry = self._gateway.answer(http)
        return self._send(entry) if isinstance(entry, Entry) else self._send_later(entry)

    async def _send_later(self, entry: Awaitable[Entry]) -> None:
        more = self._send(await entry)
        if more is not None:
            await more

    def _send(self, entry: Entry) -> Awaitable[None] | None:
        if self._transport is None:
            entry.progress.closed_early = True
            return None
        with_body = entry.method != "HEAD"
        later = send(self._transport, entry.response, entry.progress, with_body=with_body)
        return None if later is None else self._watch(later, entry)

    async def _watch(self, later: Awaitable[None], entry: Entry) -> None:
        try:
            await later
        except asyncio.CancelledError:
            entry.progress.closed_early = True
            raise

    def _send_page(self, response: HttpResponse) -> None:
        if self._transport is not None:
            send(self._transport, response, Progress())

    def _refuse(self, status: str) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(_WRONG.format(status=status).encode())
            self._transport.close()


def _join_headers(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers by name in lower case; those of one name are joined as HTTP has it."""
    headers: dict[str, str] = {}
    for name, value in pairs:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        known = headers.get(key)
        headers[key] = text if known is None else f"{known}, {text}"
    return headers


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _unquote(path: bytes) -> str:
    return (unquote_to_bytes(path) if b"%" in path else path).decode("utf-8", "replace")
