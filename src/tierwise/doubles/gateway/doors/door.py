"""What every door does: who may come in, what is read of a request, how a response is played."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from tierwise.doubles.gateway.wire import HttpRequest
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.doubles.gateway.gateway import Gateway


Patch = tuple[Any, str, Any]
"""A class or a module, a name in it, and what stands in for what it has there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A gateway, and how a client that would leave the process is stopped."""

    gateway: Gateway
    make_error: Callable[[str], BaseException] = GatewayError

    def lets_out(self, host: str) -> bool:
        """Tell whether a client may really go to this host; raise where it may not.

        False is for hosts that the gateway plays.
        """
        if host in self.gateway.hosts:
            return False
        if host in self.gateway.allow_hosts:
            return True
        raise self.refuse(host)

    def refuse(self, host: str) -> BaseException:
        """Return the error for a client that would leave the process, and have the test fail."""
        text = (
            f"A client would leave the process for {host!r} while the gateway is installed. It "
            f"plays {', '.join(sorted(self.gateway.hosts))}. Point the client there, say whose "
            f"host it is with gateway.configure(hosts={{{host!r}: 'openai'}}), or let it out with "
            f"gateway.configure(allow_hosts=({host!r},))."
        )
        self.gateway.complain(text)
        return self.make_error(text)


def form_request(
    *, method: str, host: str, path: str, query: str, headers: Mapping[str, str], body: bytes
) -> HttpRequest:
    """Return a client's request as a value; names of headers come in lower case."""
    encoding = headers.get("content-encoding")
    return HttpRequest(
        method=method,
        host=host,
        path=path,
        query=dict(parse_qsl(query, keep_blank_values=True)) if query else {},
        headers=headers,
        body=_decode(body, encoding) if encoding else body,
    )


def _decode(body: bytes, encoding: str) -> bytes:
    """Undo a content encoding; a body that does not keep to it stays as it came."""
    try:
        if encoding == "gzip":
            return gzip.decompress(body)
        if encoding == "deflate":
            return zlib.decompress(body)
    except (OSError, EOFError, zlib.error):
        return body
    return body


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, by its name or address."""
    name = host.strip("[]")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False
