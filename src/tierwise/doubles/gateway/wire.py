"""HTTP as values: what came in, and what goes out piece by piece; no socket, no framework."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """One request as it arrived; names of headers are in lower case."""

    method: str
    path: str
    """Without the query, percent-encoding undone."""
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    """Decoded from any content encoding."""
    host: str = ""
    """Where the client meant to go: `api.openai.com`, or the gateway's own address."""


class Ending(StrEnum):
    """How the body of a response ends."""

    COMPLETE = "complete"
    CUT = "cut"
    """The connection is closed before the body has ended, as its framing shows."""
    RESET = "reset"
    """The connection is reset."""
    STALLED = "stalled"
    """Nothing more is sent and the connection stays open, until the client goes."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that are sent in one go, `after_s` seconds after the chunk before them."""

    data: bytes
    after_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """One response: a whole body is one chunk, a stream has one chunk for each event."""

    status: int = 200
    """0: no status line is sent at all, and the ending is all that the client sees."""
    headers: tuple[tuple[str, str], ...] = ()
    chunks: Sequence[Chunk] = ()
    before_s: float = 0.0
    """How long the client waits for the status line."""
    ending: Ending = Ending.COMPLETE

    @property
    def body(self) -> bytes:
        """Return all chunks as one."""
        return b"".join(chunk.data for chunk in self.chunks)

    def with_headers(self, *headers: tuple[str, str]) -> Self:
        """Return the response with more headers."""
        return replace(self, headers=(*self.headers, *headers))
