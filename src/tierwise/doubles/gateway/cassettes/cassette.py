"""What a cassette holds: requests as they are compared, answers as they came."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.wire import Chunk, Ending, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The part of a request by which it is found again; secrets are masked in a recorded one."""

    vendor: str
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    """The body's JSON; text where it is none, and None where there is no body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """One request and what the vendor answered."""

    asking: Asking
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    json: Any = None
    """A whole JSON body; None where `chunks` hold the body."""
    has_json: bool = False
    chunks: tuple[Chunk, ...] = ()
    before_s: float = 0.0
    """How long the vendor took until the status line."""
    ending: Ending = Ending.COMPLETE

    def form_response(self, *, with_delays: bool = False) -> HttpResponse:
        """Return the answer as it goes over the wire again; delays are left out unless asked."""
        if self.has_json:
            text = json.dumps(self.json, ensure_ascii=False, separators=(",", ":"))
            chunks: tuple[Chunk, ...] = (Chunk(text.encode("utf-8", "surrogatepass")),)
        elif with_delays:
            chunks = self.chunks
        else:
            chunks = tuple(Chunk(chunk.data) for chunk in self.chunks)
        return HttpResponse(
            status=self.status,
            headers=self.headers,
            chunks=chunks,
            before_s=self.before_s if with_delays else 0.0,
            ending=self.ending,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cassette:
    """Interactions in the order in which they were asked for."""

    recorded_at: datetime
    """When it was recorded, in UTC: how old its answers are."""
    interactions: tuple[Interaction, ...] = ()

    def age_days(self, now: datetime) -> float:
        """Return how many days ago it was recorded."""
        return (now - self.recorded_at).total_seconds() / 86_400
