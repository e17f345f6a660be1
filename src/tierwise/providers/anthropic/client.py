"""Anthropic's SDK: one call, and what goes wrong with it in words."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import anthropic
import httpx2

from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.failure import Response
from tierwise.providers.wire.sdk_clients import SdkClients

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATH = "/v1/messages"
_VERSION = "anthropic-version"


class AnthropicClient:
    """Posts messages through the SDK's own client; nothing is retried, nothing redirected."""

    def __init__(self, base_url: str, *, api_version: str | None, timeout_s: float | None) -> None:
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._headers = {_VERSION: api_version} if api_version else {}
        self._clients = SdkClients(self._make, _close)

    async def find_version(self) -> str:
        """Return the version of the API that goes out with each request."""
        return str((await self._clients.get()).default_headers[_VERSION])

    async def post(self, body: Mapping[str, Any], key: str) -> Response | Failure:
        """Return what came back, whatever its status, or the failure of the wire."""
        client = await self._clients.get()
        client.api_key = key  # read anew for each call; it goes out with the request alone
        try:
            # The SDK's own time-out is for each read, and a server may send a byte now and then.
            async with asyncio.timeout(self._timeout_s):
                return _read(await client.post(_PATH, body=dict(body), cast_to=httpx2.Response))
        except anthropic.APIStatusError as error:
            return _read(error.response)
        except (TimeoutError, anthropic.APITimeoutError):
            waited = "" if self._timeout_s is None else f" than {self._timeout_s:g} s"
            kind, problem = FailureKind.TIMEOUT, f"it took longer{waited}"
        except anthropic.APIConnectionError as error:
            kind, problem = FailureKind.UNAVAILABLE, explain_lost(error.__cause__)
        return Failure(kind=kind, message=f"{self._base_url}{_PATH} gave no answer: {problem}.")

    def close(self) -> None:
        """End all connections without waiting."""
        self._clients.close()

    async def aclose(self) -> None:
        """End all connections, and wait for those of the running loop."""
        await self._clients.aclose()

    def _make(self) -> anthropic.AsyncAnthropic:
        return anthropic.AsyncAnthropic(
            # With any key the SDK looks for no other credentials on this machine.
            api_key="set for each call",
            base_url=self._base_url,
            timeout=self._timeout_s,
            max_retries=0,
            default_headers=self._headers,
            http_client=anthropic.DefaultAsyncHttpxClient(
                follow_redirects=False, timeout=self._timeout_s
            ),
        )


async def _close(client: anthropic.AsyncAnthropic) -> None:
    await client.close()


def _read(found: httpx2.Response) -> Response:
    return Response(
        status=found.status_code,
        reason=found.reason_phrase,
        body=found.content,
        headers={name.lower(): value for name, value in found.headers.items()},
    )


def explain_lost(cause: BaseException | None) -> str:
    """Return what happened to a connection, without its address."""
    if isinstance(cause, httpx2.ConnectError):
        return "no connection"
    if isinstance(cause, httpx2.RemoteProtocolError):
        return "the response broke off, or is no HTTP"
    if isinstance(cause, httpx2.TransportError):
        return f"the connection was lost ({type(cause).__name__})"
    return f"the connection failed ({type(cause).__name__})"
