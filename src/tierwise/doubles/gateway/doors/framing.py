"""A response as the bytes of HTTP/1.1, piece by piece."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.wire import Ending

if TYPE_CHECKING:
    from tierwise.doubles.gateway.wire import HttpResponse


def is_chunked(response: HttpResponse) -> bool:
    """Tell whether the body's length is told chunk by chunk, since no header has it.

    One chunk that comes whole has its length told in a header.
    """
    has_length = any(name.lower() == "content-length" for name, _ in response.headers)
    is_whole = len(response.chunks) <= 1 and response.ending is Ending.COMPLETE
    return not (has_length or is_whole)


def frame_head(response: HttpResponse) -> bytes:
    """Return the status line and the headers, those about framing included."""
    lines = [f"HTTP/1.1 {response.status} {_phrase(response.status)}"]
    lines += [
        f"{name}: {value}"
        for name, value in response.headers
        if name.lower() not in ("transfer-encoding", "connection")
    ]
    has_length = any(name.lower() == "content-length" for name, _ in response.headers)
    if is_chunked(response):
        lines.append("transfer-encoding: chunked")
    elif not has_length:
        lines.append(f"content-length: {len(response.body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def frame_chunk(response: HttpResponse, data: bytes) -> bytes:
    """Return a part of the body; an empty one would end it and is left out."""
    if not is_chunked(response):
        return data
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""


def frame_end(response: HttpResponse) -> bytes:
    """Return what tells that the body is complete."""
    return b"0\r\n\r\n" if is_chunked(response) else b""


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
