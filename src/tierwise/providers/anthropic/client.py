"""Anthropic's SDK: one call, and what goes wrong with it in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anthropic
import httpx2

from tierwise.providers.wire.clients import LoopClients
from tierwise.providers.wire.sdk import SdkErrors, call_sdk, copy_response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.protocol import Failure
    from tierwise.providers.wire.failure import Response

_PATH = "/v1/messages"
_VERSION = "anthropic-version"
_ERRORS = SdkErrors(
    status=anthropic.APIStatusError,
    timeout=anthropic.APITimeoutError,
    lost=anthropic.APIConnectionError,
)


class AnthropicClient:
    """Posts messages through the SDK's own client; nothing is retried, nothing redirected."""

    def __init__(self, base_url: str, *, api_version: str | None, timeout_s: float | None) -> None:
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._headers = {_VERSION: api_version} if api_version else {}
        self._clients = LoopClients(self._make, _close)

    async def find_version(self) -> str:
        """Return the version of the API that goes out with each request."""
        return str((await self._clients.get()).default_headers[_VERSION])

    async def post(self, body: Mapping[str, Any], key: str) -> Response | Failure:
        """Return what came back, whatever its status, or the failure of the wire."""
        client = await self._clients.get()
        client.api_key = key  # read anew for each call; it goes out with the request alone
        return await call_sdk(
            _ask(client, dict(body)),
            _ERRORS,
            endpoint=f"{self._base_url}{_PATH}",
            timeout_s=self._timeout_s,
        )

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


async def _ask(client: anthropic.AsyncAnthropic, body: dict[str, Any]) -> Response:
    return copy_response(await client.post(_PATH, body=body, cast_to=httpx2.Response))
