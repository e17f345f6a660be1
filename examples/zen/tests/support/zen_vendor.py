"""The vendor, played by a gateway: its hosts, its refusals, and the days on which it moves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from zen import Protocol, Row, load_catalogue

from tierwise.gateway import Account

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.gateway import Asked, Gateway

HOSTS = {
    "openai.zen.test": "openai",
    "anthropic.zen.test": "anthropic",
    "google.zen.test": "gemini",
}
SAID = "Seven."


def form_error(kind: str, message: str) -> bytes:
    """Return an error in the vendor's own envelope, which is one for all protocols."""
    error = {"type": "error", "error": {"type": kind, "message": message}}
    return json.dumps(error).encode()


RETIRED = (410, form_error("ModelDeprecated", "The model has been retired."))
GONE_UPSTREAM = (400, form_error("UpstreamError", "Model is unavailable"))
BUSY = (429, form_error("RateLimitError", "Too many requests"))
CLOSED = (403, form_error("FreeTierError", "The free tier is closed"))
DISABLED = (403, form_error("AuthError", "Model access is disabled"))
UNSUPPORTED = (400, form_error("ModelProtocolUnsupported", "Use another endpoint"))
KEY_MISSING = (401, form_error("AuthError", "Missing API key."))
MALFORMED = (400, form_error("InvalidRequest", "max_tokens: field required"))
DOWN = (503, form_error("InternalError", "Upstream unreachable"))

ROWS = {(row.plane, row.id): row for row in load_catalogue().rows}


def set_up(gateway: Gateway) -> None:
    """Have the gateway own the vendor's hosts and know every model."""
    gateway.configure(hosts=HOSTS, account=Account(any_model=True))


def row_of(asked: Asked) -> Row | None:
    """Return the row that was asked for."""
    wanted = (asked.http.headers.get("x-zen-plane", ""), asked.model.removeprefix("models/"))
    return next((row for key, row in ROWS.items() if key == wanted), None)


def speaks_wrongly(asked: Asked) -> bool:
    """Tell whether a model was asked in a protocol that is not its own."""
    row = row_of(asked)
    return row is not None and row.protocol is not Protocol(str(asked.endpoint))


def _when(decide: Callable[[Row], bool]) -> Callable[[Asked], bool]:
    def fits(asked: Asked) -> bool:
        row = row_of(asked)
        return row is not None and decide(row)

    return fits


FIRST_FREE = min(row.id for row in ROWS.values() if row.is_free)
ROTATIONS: dict[str, tuple[Callable[[Row], bool], tuple[int, bytes]] | None] = {
    "calm": None,
    "one_retired": (lambda row: row.id == FIRST_FREE, RETIRED),
    "one_gone_upstream": (lambda row: row.id == FIRST_FREE, GONE_UPSTREAM),
    "all_retired": (lambda _: True, RETIRED),
    "all_busy": (lambda _: True, BUSY),
    "free_closed": (lambda row: row.is_free, CLOSED),
    "paid_disabled": (lambda row: not row.is_free, DISABLED),
    "protocol_moved": (lambda row: row.protocol is Protocol.CHAT, UNSUPPORTED),
    "header_moved": (lambda row: row.protocol is Protocol.MESSAGES, KEY_MISSING),
    "body_moved": (lambda row: row.protocol is Protocol.RESPONSES, MALFORMED),
    "down": (lambda _: True, DOWN),
}
"""What the vendor does on one day or another: whom it refuses, and how."""


def play(gateway: Gateway, rotation: str) -> None:
    """Play the vendor on a day of this rotation."""
    set_up(gateway)
    moved = ROTATIONS[rotation]
    if moved is not None:
        status, body = moved[1]
        gateway.when(predicate=_when(moved[0]), optional=True).fail(status, body=body)
    status, body = UNSUPPORTED
    gateway.when(predicate=speaks_wrongly, optional=True).fail(status, body=body)
    gateway.when(optional=True).say(SAID)
