"""What was asked of the gateway and what it answered, in order; keys masked, length bounded."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from tierwise.domain.masking import mask_keys
from tierwise.doubles.gateway.criteria import Wanted, find_mismatches, form_criteria
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse

MOST_KEPT = 10_000
_KEY_HEADERS = frozenset(
    {"authorization", "x-api-key", "x-goog-api-key", "api-key", "proxy-authorization", "cookie"}
)
_MASKED = "[masked key]"


@dataclass(slots=True)
class Progress:
    """How far a response got; the door that carries it out writes it down."""

    elapsed_s: float = 0.0
    """What the client waited, virtual time included."""
    real_s: float = 0.0
    """Of that, what really passed."""
    n_chunks: int = 0
    timed_out: bool = False
    closed_early: bool = False
    """The client closed the response before its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One request and its answer."""

    number: int
    """Counts the requests of one gateway from 1."""
    at_s: float
    """When it came, on the gateway's clock."""
    vendor: str | None
    status: int
    """What was answered; 0 where no status line was sent."""
    rule: str | None = None
    """The rule that answered; None for what needs none, and for what was refused."""
    refused: str | None = None
    """Why the gateway itself refused it, or which rule about requests it breaks."""
    fault: str | None = None
    """What went wrong on the wire on purpose: `cut`, `stall` ..."""
    progress: Progress = field(default_factory=Progress)
    raw: HttpRequest = field(repr=False)
    raw_asked: Asked | None = field(repr=False, default=None)
    response: HttpResponse = field(repr=False)

    @property
    def method(self) -> str:
        """Return `POST` and its like."""
        return self.raw.method

    @property
    def path(self) -> str:
        """Return the path without its query; a key in it is masked."""
        return mask_keys(self.raw.path)

    @property
    def host(self) -> str:
        """Return where the client meant to go."""
        return self.raw.host

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers as they came, names in lower case, keys masked."""
        return mask_headers(self.raw.headers)

    @property
    def query(self) -> Mapping[str, str]:
        """Return the query, its key masked."""
        return {n: _MASKED if n == "key" else mask_keys(v) for n, v in self.raw.query.items()}

    @property
    def body(self) -> bytes:
        """Return the raw body; keys in it are masked."""
        text = self.raw.body.decode("utf-8", "surrogateescape")
        return mask_keys(text).encode("utf-8", "surrogateescape")

    @property
    def json(self) -> Any:  # noqa: ANN401  a client's JSON
        """Return the body's JSON; raises ValueError where it is none."""
        return json.loads(self.body)

    @property
    def asked(self) -> Asked:
        """Return the request in neutral words; raises where it was not understood."""
        if self.raw_asked is None:
            raise GatewayError(
                f"Request {self.number}, {self.method} {self.path}, was refused before it was "
                f"read: {self.refused}. Its `body` and `headers` are there as they came."
            )
        masked = replace(self.raw, headers=self.headers, query=self.query, body=self.body)
        return replace(self.raw_asked, http=masked)

    @property
    def model(self) -> str:
        """Return the model that was asked for; empty where none was."""
        return "" if self.raw_asked is None else mask_keys(self.raw_asked.model)

    def __str__(self) -> str:
        """Return one line: `2. openai POST /v1/chat/completions gpt-5 -> 429`."""
        told = f"{self.number}. {self.vendor or self.host} {self.method} {self.path}"
        why = f" ({self.refused or self.fault})" if self.refused or self.fault else ""
        return f"{told}{' ' if self.model else ''}{self.model} -> {self.status}{why}"


def mask_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers without what identifies the caller."""
    return {
        name: _MASKED if name.lower() in _KEY_HEADERS else mask_keys(value)
        for name, value in headers.items()
    }


class Journal:
    """The newest requests; older ones than `most` are dropped and counted."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._kept: deque[Entry] = deque(maxlen=most)
        self._n_added = 0

    def add(self, entry: Entry) -> None:
        """Keep one more."""
        self._kept.append(entry)
        self._n_added += 1

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def n_dropped(self) -> int:
        """How many are no longer kept."""
        return self._n_added - len(self._kept)

    @property
    def requests(self) -> Requests:
        """Return all that is kept."""
        return Requests(self._kept)


class Requests(tuple[Entry, ...]):
    """Requests in the order in which they came; a tuple that can be narrowed and counted."""

    __slots__ = ()

    def only(self) -> Entry:
        """Return the one request; raises where there are none or several."""
        if len(self) != 1:
            shown = "".join(f"\n  {entry}" for entry in self) or " none."
            raise GatewayError(f"Expected one request, found {len(self)}:{shown}")
        return self[0]

    def matching(self, **criteria: Unpack[Wanted]) -> Requests:
        """Return those that a rule with these criteria, `Gateway.when`'s, would be for."""
        checks = form_criteria(criteria).compile()
        found = (
            entry
            for entry in self
            if entry.raw_asked is not None
            and not find_mismatches(checks, entry.raw_asked, entry.number)
        )
        return Requests(tuple(found))
