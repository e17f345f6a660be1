"""Does a narrow allowance's target cover the target of a touch?"""

from __future__ import annotations

import os.path
from typing import NamedTuple

from tierwise.domain import Capability

SHELL = " -c "
"""What stands between a shell and its command in a target."""


class Endpoint(NamedTuple):
    """A host and, when it is known, a port."""

    host: str
    port: str | None


def target_covers(capability: Capability, allowed: str, touched: str) -> bool:
    """Say whether `touched` is the allowed target or lies within it."""
    if capability in (Capability.NETWORK, Capability.LOOPBACK):
        return _endpoint_covers(parse_endpoint(allowed), parse_endpoint(touched))
    if capability in (Capability.READ, Capability.WRITE, Capability.TMP):
        return _path_covers(allowed, touched)
    if capability is Capability.SUBPROCESS:
        return _program_covers(allowed, touched)
    return allowed == touched


def format_endpoint(host: str, port: object = None) -> str:
    """Return `host`, `host:port` or `[v6]:port`."""
    if port is None:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse_endpoint(text: str) -> Endpoint:
    """Split what `format_endpoint` joined; a bare IPv6 address has no port."""
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        return Endpoint(host.lower(), rest[1:] or None)
    if text.count(":") == 1:
        host, _, port = text.partition(":")
        return Endpoint(host.lower(), port or None)
    return Endpoint(text.lower(), None)


def _endpoint_covers(allowed: Endpoint, touched: Endpoint) -> bool:
    if allowed.host != touched.host:
        return False
    # A look-up of a name has no port: whoever may connect to it may look it up.
    return allowed.port is None or touched.port is None or allowed.port == touched.port


def _path_covers(allowed: str, touched: str) -> bool:
    folder = os.path.normpath(allowed)
    path = os.path.normpath(touched)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _program_covers(allowed: str, touched: str) -> bool:
    program = touched.partition(SHELL)[0]
    return allowed in (program, os.path.basename(program))  # noqa: PTH119  text in, text out
