"""Asks the real vendor: one request over HTTP, the answer chunk by chunk with its times."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from tierwise.doubles.gateway.wire import Chunk, Ending
from tierwise.errors import GatewayError, MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.wire import HttpRequest

UPSTREAMS: Mapping[str, str] = {
    "openai": "https://api.openai.com",
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
}
"""Where each vendor is, unless it is said to be elsewhere."""
_TIMEOUT_S = 600.0
_READ = 65_536
_OWN = frozenset(
    {
        *("host", "connection", "content-length", "transfer-encoding", "content-encoding"),
        *("accept-encoding", "expect", "keep-alive", "proxy-connection"),
    }
)
"""Headers of the client's own connection; the one to the vendor has others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What the vendor answered; chunks as they were read, still compressed."""

    status: int
    headers: tuple[tuple[str, str], ...]
    chunks: tuple[Chunk, ...]
    before_s: float
    ending: Ending = Ending.COMPLETE


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Every status is an answer, redirects too."""

    def http_response(self, request: Any, response: Any) -> Any:  # noqa: ANN401, ARG002  the base's
        return response

    https_response = http_response


def read_upstreams(given: Mapping[str, str]) -> dict[str, str]:
    """Return where each vendor is; raises `MisuseError` for what is no address."""
    for vendor, url in given.items():
        if vendor not in UPSTREAMS:
            raise MisuseError(f"There is no vendor {vendor!r}.{suggest(vendor, UPSTREAMS)}")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise MisuseError(
                f"The upstream of {vendor} is {url!r}; expected http(s)://HOST[:PORT][/PATH]."
            )
    return {**UPSTREAMS, **{vendor: url.rstrip("/") for vendor, url in given.items()}}


def fetch(base: str, asked: HttpRequest) -> Fetched:
    """Return what the server at `base` answers; raises `GatewayError` where none is reached."""
    query = f"?{urlencode(asked.query)}" if asked.query else ""
    path = quote(asked.path, safe="/:@!$&'()*+,;=~")
    url = f"{base}{path}{query}"
    headers = {name: value for name, value in asked.headers.items() if name not in _OWN}
    request = urllib.request.Request(  # noqa: S310  the scheme was read before
        url,
        data=asked.body or None,
        headers={**headers, "accept-encoding": "identity"},
        method=asked.method,
    )
    started = time.monotonic()
    try:
        response = urllib.request.build_opener(_AsItIs).open(request, timeout=_TIMEOUT_S)
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "reason", None) or error
        host = urlsplit(base).hostname
        raise GatewayError(f"The vendor at {host} was not reached: {why}.") from error
    with response:
        before_s = time.monotonic() - started
        chunks, ending = _read(response)
        return Fetched(
            status=response.status,
            headers=tuple((name.lower(), value) for name, value in response.getheaders()),
            chunks=chunks,
            before_s=round(before_s, 3),
            ending=ending,
        )


def _read(response: http.client.HTTPResponse) -> tuple[tuple[Chunk, ...], Ending]:
    chunks: list[Chunk] = []
    last = time.monotonic()
    while True:
        try:
            data = response.read1(_READ)
        except (OSError, http.client.HTTPException):
            return tuple(chunks), Ending.CUT
        if not data:
            is_short = bool(getattr(response, "length", None))
            return tuple(chunks), Ending.CUT if is_short else Ending.COMPLETE
        now = time.monotonic()
        chunks.append(Chunk(data, round(now - last, 3)))
        last = now
