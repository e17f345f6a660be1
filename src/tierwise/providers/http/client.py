"""HTTP by way of aiohttp: one call, and what goes wrong with it in words."""

from __future__ import annotations

import contextlib
import io
import os
import urllib.request
from typing import TYPE_CHECKING

import aiohttp
from yarl import URL

from tierwise.errors import MisuseError
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.address import hide_secrets
from tierwise.providers.wire.clients import LoopClients
from tierwise.providers.wire.failure import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.wire.address import Address

_MOST_BYTES = 10 * 2**20
_LARGE = 2**20 - 1
"""Beyond it aiohttp warns about bytes, and wants a file."""


class HttpClient:
    """Posts to one address; as many calls at once as are asked for, none of them repeated."""

    def __init__(self, address: Address, *, timeout_s: float | None) -> None:
        self._endpoint = address.endpoint
        self._url = URL(address.endpoint, encoded=True)
        self._timeout_s = timeout_s
        self._proxy = choose_proxy(address, urllib.request.getproxies_environment())
        self._sessions = LoopClients(self._make, aiohttp.ClientSession.close, _drop)

    async def post(self, body: bytes, headers: Mapping[str, str]) -> Response | Failure:
        """Return what came back, whatever its status, or the failure of the wire."""
        session = await self._sessions.get()
        try:
            async with session.post(
                self._url,
                data=body if len(body) < _LARGE else io.BytesIO(body),
                headers=headers,
                allow_redirects=False,
                proxy=self._proxy,
            ) as response:
                body_back = await _read(response)
                if body_back is None:
                    return Failure(
                        kind=FailureKind.GARBLED,
                        message=f"{self._endpoint} sent more than {_MOST_BYTES // 2**20} MB as "
                        "one reply, which was not read to its end.",
                    )
                return Response(
                    status=response.status,
                    reason=response.reason or "",
                    body=body_back,
                    headers=response.headers,
                )
        except (aiohttp.ClientError, TimeoutError) as error:
            kind, problem = explain_error(error, self._timeout_s)
        return Failure(kind=kind, message=f"{self._endpoint} gave no answer: {problem}.")

    def close(self) -> None:
        """End all connections without waiting."""
        self._sessions.close()

    async def aclose(self) -> None:
        """End all connections, and wait for those of the running loop."""
        await self._sessions.aclose()

    def _make(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._timeout_s),
        )


def _drop(session: aiohttp.ClientSession) -> None:
    closing = session.close()
    with contextlib.suppress(StopIteration):
        while True:  # nothing in it waits for a loop that is closed
            closing.send(None)


async def _read(response: aiohttp.ClientResponse) -> bytes | None:
    """Return the body, unpacked; None when it is larger than any reply of a model."""
    chunks, n_bytes = list[bytes](), 0
    async for chunk in response.content.iter_any():
        n_bytes += len(chunk)
        if n_bytes > _MOST_BYTES:
            response.close()
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def choose_proxy(address: Address, proxies: Mapping[str, str]) -> str | None:
    """Return the proxy that the environment names for an address; loopback never has one."""
    proxy = proxies.get(address.base.partition(":")[0])
    if proxy is None or address.is_loopback:
        return None
    # Not in typeshed, though urllib exports it on every system.
    if urllib.request.proxy_bypass_environment(address.authority, dict(proxies)):  # type: ignore[attr-defined]
        return None
    scheme, has_scheme, _ = proxy.partition("://")
    if has_scheme and scheme not in {"http", "https"}:
        raise MisuseError(
            f"The environment names the proxy {hide_secrets(proxy)!r} for {address.authority}; "
            "HttpProvider knows proxies by http:// and https:// only. Name one of those, or leave "
            "this host out by NO_PROXY."
        )
    return proxy if has_scheme else f"http://{proxy}"


def explain_error(
    error: aiohttp.ClientError | TimeoutError, timeout_s: float | None
) -> tuple[FailureKind, str]:
    """Return the kind of a failed call, and what went wrong in words."""
    if isinstance(error, TimeoutError):
        return FailureKind.TIMEOUT, f"it took longer than {timeout_s:g} s"
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return FailureKind.UNAVAILABLE, f"the proxy refused with {error.status} {error.message}"
    if isinstance(error, aiohttp.ClientResponseError):
        return FailureKind.GARBLED, "what came back is no HTTP"
    return FailureKind.UNAVAILABLE, _explain_lost(error)


def _explain_lost(error: aiohttp.ClientError) -> str:
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return f"its TLS certificate was not accepted ({error.certificate_error.args[-1]})"
    if isinstance(error, aiohttp.ClientConnectorSSLError):
        return f"TLS failed ({error.os_error.strerror or error.os_error})"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return f"the name {error.host!r} could not be resolved"
    if isinstance(error, aiohttp.ClientConnectorError):
        number = (
            error.os_error.errno
        )  # the text beside it is asyncio's own, with the address in it
        return f"no connection ({os.strerror(number) if number else error.os_error})"
    return _explain_broken(error)


def _explain_broken(error: aiohttp.ClientError) -> str:
    if isinstance(error, aiohttp.ClientPayloadError):
        return "the body of the response broke off"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "the connection was closed without a response"
    reason = (error.strerror if isinstance(error, OSError) else None) or error
    return f"the connection was lost ({reason})"
