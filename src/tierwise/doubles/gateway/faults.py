"""What goes wrong on the wire: each fault turns a response into the one that arrives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from tierwise.doubles.gateway.wire import Chunk, Ending

if TYPE_CHECKING:
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Refusal
    from tierwise.doubles.gateway.vendor import Moment, Vendor
    from tierwise.doubles.gateway.wire import HttpResponse

NO_STATUS = 0
"""The status of a response whose ending comes before any status line."""


class Fault(Protocol):
    """One thing that goes wrong with a response."""

    @property
    def name(self) -> str:
        """What a scenario calls it."""
        ...

    def apply(
        self, response: HttpResponse, asked: Asked, vendor: Vendor, moment: Moment
    ) -> HttpResponse:
        """Return what arrives in place of the response."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The body ends early: after so many events of a stream, or bytes of a body that is none."""

    name: str
    ending: Ending
    after: int | None
    """None: after half of them."""

    def apply(
        self, response: HttpResponse, asked: Asked, vendor: Vendor, moment: Moment
    ) -> HttpResponse:
        """Keep what comes before the end."""
        del vendor, moment
        if response.status == NO_STATUS:
            return replace(response, ending=self.ending)
        is_stream = is_event_stream(response, asked)
        kept = _keep(response, self.after, is_stream=is_stream)
        length = ("content-length", str(len(response.body)))
        headers = tuple(h for h in response.headers if h[0].lower() != "content-length")
        if not is_stream and self.ending is not Ending.COMPLETE:
            headers = (*headers, length)
        return replace(response, chunks=kept, headers=headers, ending=self.ending)


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedBody:
    """A body that is no JSON, or a stream whose first event is none."""

    name: str = "malformed_body"

    def apply(
        self, response: HttpResponse, asked: Asked, vendor: Vendor, moment: Moment
    ) -> HttpResponse:
        """Leave the second half of the JSON out, with the length that is then right."""
        if is_event_stream(response, asked):
            return MalformedChunk(at=0).apply(response, asked, vendor, moment)
        body = response.body
        headers = tuple(h for h in response.headers if h[0].lower() != "content-length")
        return replace(response, chunks=(Chunk(body[: len(body) // 2]),), headers=headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedChunk:
    """An event of a stream whose data is no JSON; the stream goes on after it."""

    at: int
    name: str = "malformed_chunk"

    def apply(
        self, response: HttpResponse, asked: Asked, vendor: Vendor, moment: Moment
    ) -> HttpResponse:
        """Break one event; a response that is no stream has its body broken."""
        if not is_event_stream(response, asked):
            return MalformedBody().apply(response, asked, vendor, moment)
        at = min(self.at, len(response.chunks) - 1)
        chunks = tuple(
            Chunk(_break(chunk.data), chunk.after_s) if index == at else chunk
            for index, chunk in enumerate(response.chunks)
        )
        return replace(response, chunks=chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorEvent:
    """An error that the vendor reports inside a stream of status 200."""

    refusal: Refusal
    after: int | None
    name: str = "error_event"

    def apply(
        self, response: HttpResponse, asked: Asked, vendor: Vendor, moment: Moment
    ) -> HttpResponse:
        """End the stream with the event; what is no stream is refused with the status."""
        if not is_event_stream(response, asked):
            return vendor.refuse(self.refusal, moment)
        kept = _keep(response, self.after, is_stream=True)
        return replace(response, chunks=(*kept, Chunk(vendor.error_event(asked, self.refusal))))


def is_event_stream(response: HttpResponse, asked: Asked) -> bool:
    """Tell whether a response comes event by event: one that was refused never does."""
    highest_success = 299
    return asked.stream and response.status <= highest_success


def _keep(response: HttpResponse, after: int | None, *, is_stream: bool) -> tuple[Chunk, ...]:
    if is_stream:
        return tuple(response.chunks)[: len(response.chunks) // 2 if after is None else after]
    body = response.body
    return (Chunk(body[: len(body) // 2 if after is None else after]),)


def _break(event: bytes) -> bytes:
    """Return an event that is cut in the middle of its data and ends as an event does."""
    head, mark, data = event.partition(b"data: ")
    text = data.strip() or b"{}"
    return head + mark + text[: max(1, len(text) // 2)].rstrip(b"}\r\n") + b"\n\n"
