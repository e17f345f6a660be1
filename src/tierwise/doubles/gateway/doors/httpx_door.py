"""The door for httpx and httpx2: their transports, taken over at class level.

Clients that were made earlier are caught too, since they call the method of the class. Both
libraries have the same names, so one door serves them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.doors.door import form_request
from tierwise.doubles.gateway.doors.pacing import Pace, silence_after
from tierwise.doubles.gateway.faults import NO_STATUS
from tierwise.doubles.gateway.wire import Ending

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from types import ModuleType

    from tierwise.doubles.gateway.doors.door import Door, Patch
    from tierwise.doubles.gateway.journal import Entry
    from tierwise.doubles.gateway.wire import HttpRequest


def patches_of(library: ModuleType, door: Door) -> tuple[Patch, ...]:
    """Return what has to be replaced in `httpx` or `httpx2`."""
    http: Any = library
    play = _Player(http, door)
    send = http.HTTPTransport.handle_request
    send_async = http.AsyncHTTPTransport.handle_async_request

    def handle_request(self: Any, request: Any) -> Any:  # noqa: ANN401  classes of the library
        if door.lets_out(request.url.host):
            return send(self, request)
        return play.now(request)

    async def handle_async_request(self: Any, request: Any) -> Any:  # noqa: ANN401
        if door.lets_out(request.url.host):
            return await send_async(self, request)
        return await play.soon(request)

    return (
        (http.HTTPTransport, "handle_request", handle_request),
        (http.AsyncHTTPTransport, "handle_async_request", handle_async_request),
    )


class _Player:
    """Answers requests of one library with what the gateway says."""

    def __init__(self, http: Any, door: Door) -> None:  # noqa: ANN401  a module
        self._http, self._door = http, door
        self._sync_stream, self._async_stream = _streams_of(http)

    def now(self, request: Any) -> Any:  # noqa: ANN401  classes of the library
        entry = self._door.gateway.serve_now(_read(request, request.read()))
        pace = self._pace(request, entry)
        if not pace.wait(entry.response.before_s):
            raise self._http.ReadTimeout("The read operation timed out")
        self._raise_without_status(entry, pace)
        return self._respond(entry, self._sync_stream(self._play(entry, pace), entry))

    async def soon(self, request: Any) -> Any:  # noqa: ANN401  classes of the library
        entry = await self._door.gateway.serve(_read(request, await request.aread()))
        pace = self._pace(request, entry)
        if not await pace.wait_async(entry.response.before_s):
            raise self._http.ReadTimeout("The read operation timed out")
        self._raise_without_status(entry, pace)
        return self._respond(entry, self._async_stream(self._play_async(entry, pace), entry))

    def _pace(self, request: Any, entry: Entry) -> Pace:  # noqa: ANN401  class of the library
        timeout = request.extensions.get("timeout") or {}
        return Pace(
            entry.progress,
            read_timeout_s=timeout.get("read"),
            real_time=self._door.gateway.real_time,
        )

    def _respond(self, entry: Entry, stream: Any) -> Any:  # noqa: ANN401  class of the library
        response = entry.response
        return self._http.Response(
            status_code=response.status,
            headers=list(response.headers),
            stream=stream,
            extensions={"http_version": b"HTTP/1.1"},
        )

    def _play(self, entry: Entry, pace: Pace) -> Iterator[bytes]:
        for chunk in entry.response.chunks:
            if chunk.after_s and not pace.wait(chunk.after_s):
                raise self._http.ReadTimeout("The read operation timed out")
            entry.progress.n_chunks += 1
            yield chunk.data
        self._end(entry, pace)

    async def _play_async(self, entry: Entry, pace: Pace) -> AsyncIterator[bytes]:
        for chunk in entry.response.chunks:
            if chunk.after_s and not await pace.wait_async(chunk.after_s):
                raise self._http.ReadTimeout("The read operation timed out")
            entry.progress.n_chunks += 1
            yield chunk.data
        self._end(entry, pace)

    def _raise_without_status(self, entry: Entry, pace: Pace) -> None:
        if entry.response.status != NO_STATUS:
            return
        if entry.response.ending is Ending.CUT:
            raise self._http.RemoteProtocolError("Server disconnected without sending a response.")
        self._end(entry, pace)

    def _end(self, entry: Entry, pace: Pace) -> None:
        """Raise what the library raises at the ending of a response."""
        ending = entry.response.ending
        if ending is Ending.STALLED:
            if pace.would_wait_for_ever:
                self._door.gateway.complain(f"{entry}: {WITHOUT_TIMEOUT}")
            pace.spend(silence_after(ending))
            raise self._http.ReadTimeout("The read operation timed out")
        if ending is Ending.RESET:
            raise self._http.ReadError("[Errno 104] Connection reset by peer")
        if ending is Ending.CUT:
            raise self._http.RemoteProtocolError(
                "peer closed connection without sending complete message body "
                "(incomplete chunked read)"
            )


WITHOUT_TIMEOUT = (
    "the connection stays silent, and the client has no time-out for a read: it would wait for "
    "ever. Give it one."
)


def _read(request: Any, body: bytes) -> HttpRequest:  # noqa: ANN401  class of the library
    url = request.url
    return form_request(
        method=request.method,
        host=url.host,
        path=url.path,
        query=url.query.decode("ascii", "replace"),
        headers=dict(request.headers.items()),
        body=body,
    )


def _streams_of(http: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:  # noqa: ANN401
    """Return the two kinds of body that a client of this library takes."""

    class SyncBody(http.SyncByteStream):  # type: ignore[misc]  # a class of a module that is given
        def __init__(self, pieces: Iterator[bytes], entry: Entry) -> None:
            self._pieces, self._entry = pieces, entry

        def __iter__(self) -> Iterator[bytes]:
            return self._pieces

        def close(self) -> None:
            note_close(self._entry)
            self._pieces.close()  # type: ignore[attr-defined]  # a generator of ours

    class AsyncBody(http.AsyncByteStream):  # type: ignore[misc]  # as above
        def __init__(self, pieces: AsyncIterator[bytes], entry: Entry) -> None:
            self._pieces, self._entry = pieces, entry

        def __aiter__(self) -> AsyncIterator[bytes]:
            return self._pieces

        async def aclose(self) -> None:
            note_close(self._entry)
            await self._pieces.aclose()  # type: ignore[attr-defined]  # a generator of ours

    return SyncBody, AsyncBody


def note_close(entry: Entry) -> None:
    """Write down that the client closed the response, if it did so before the end."""
    progress = entry.progress
    is_early = progress.n_chunks < len(entry.response.chunks)
    progress.closed_early = is_early and not progress.timed_out
