"""Values as the bytes, headers and ids that the vendor sends."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.wire import Chunk, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.domain import ToolCall
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Moment

_PIECE = re.compile(r"\s*\S+|\s+")
_ARGUMENTS_IN_A_PIECE = 8
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_encode_ascii = json.JSONEncoder(separators=(",", ":")).encode


def dump(value: Any) -> str:  # noqa: ANN401  JSON
    """Return JSON without blanks; what UTF-8 can't carry is escaped."""
    text = _encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return _encode_ascii(value)
    return text


def respond(body: Any, moment: Moment, *, says: Iterable[Say] = ()) -> HttpResponse:  # noqa: ANN401  JSON
    """Return a whole body as a response."""
    return HttpResponse(
        headers=form_headers(moment, says, kind="application/json"),
        chunks=(Chunk(dump(body).encode()),),
    )


def respond_with_events(
    events: Iterable[bytes], moment: Moment, *, says: Iterable[Say]
) -> HttpResponse:
    """Return a stream of server-sent events as a response."""
    return HttpResponse(
        headers=form_headers(moment, says, kind="text/event-stream; charset=utf-8"),
        chunks=tuple(map(Chunk, events)),
    )


def form_headers(
    moment: Moment, says: Iterable[Say] = (), *, kind: str
) -> tuple[tuple[str, str], ...]:
    """Return the headers that each response of the vendor's has."""
    return (
        ("content-type", kind),
        ("x-request-id", f"req_{moment.number:032x}"),
        ("openai-organization", "org-gateway"),
        ("openai-processing-ms", "1"),
        ("openai-version", "2020-10-01"),
        ("x-ratelimit-limit-requests", "10000"),
        ("x-ratelimit-limit-tokens", "2000000"),
        ("x-ratelimit-remaining-requests", "9999"),
        ("x-ratelimit-remaining-tokens", "1999000"),
        ("x-ratelimit-reset-requests", "6ms"),
        ("x-ratelimit-reset-tokens", "30ms"),
        *(header for say in says for header in say.headers),
    )


def form_id(prefix: str, moment: Moment, *places: int) -> str:
    """Return an id that tells the request and the place in it."""
    ending = "".join(f"{place:02x}" for place in places)
    return f"{prefix}{moment.number:0{24 - len(ending)}x}{ending}"


def form_call_id(call: ToolCall, moment: Moment, *places: int) -> str:
    """Return the id of a tool call, its own or one that is made up."""
    return call.id or form_id("call_", moment, *places)


def form_arguments(call: ToolCall) -> str:
    """Return a tool call's arguments as the text that the vendor sends."""
    return dump(dict(call.arguments))


def cut_text(say: Say) -> Sequence[str]:
    """Return the pieces in which a stream says a text."""
    return say.pieces or cut_words(say.text)


def cut_words(text: str) -> list[str]:
    """Return a text in pieces of about a word each; joined they are the text."""
    return _PIECE.findall(text)


def cut_arguments(text: str) -> list[str]:
    """Return a call's arguments in the pieces in which they are streamed."""
    starts = range(0, len(text), _ARGUMENTS_IN_A_PIECE)
    return [text[start : start + _ARGUMENTS_IN_A_PIECE] for start in starts]
