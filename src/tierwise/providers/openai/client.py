"""OpenAI's SDK: one call, and what goes wrong with it in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import openai

from tierwise.providers.wire.clients import LoopClients
from tierwise.providers.wire.sdk import SdkErrors, call_sdk, copy_response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.protocol import Failure
    from tierwise.providers.wire.failure import Response

_ERRORS = SdkErrors(
    status=openai.APIStatusError, timeout=openai.APITimeoutError, lost=openai.APIConnectionError
)


class OpenAIClient:
    """Posts chat completions through the SDK's own client; nothing is retried or redirected."""

    def __init__(self, base_url: str, *, timeout_s: float | None) -> None:
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._clients = LoopClients(self._make, _close)

    async def post(self, body: Mapping[str, Any], key: str) -> Response | Failure:
        """Return what came back, whatever its status, or the failure of the wire."""
        client = await self._clients.get()
        return await call_sdk(
            _ask(client, dict(body), key),
            _ERRORS,
            endpoint=f"{self._base_url}/chat/completions",
            timeout_s=self._timeout_s,
        )

    def close(self) -> None:
        """End all connections without waiting."""
        self._clients.close()

    async def aclose(self) -> None:
        """End all connections, and wait for those of the running loop."""
        await self._clients.aclose()

    def _make(self) -> openai.AsyncOpenAI:
        return openai.AsyncOpenAI(
            api_key="set for each call",
            base_url=self._base_url,
            timeout=self._timeout_s,
            max_retries=0,
            http_client=openai.DefaultAsyncHttpxClient(
                follow_redirects=False, timeout=self._timeout_s
            ),
        )


async def _close(client: openai.AsyncOpenAI) -> None:
    await client.close()


async def _ask(client: openai.AsyncOpenAI, body: dict[str, Any], key: str) -> Response:
    raw = await client.chat.completions.with_raw_response.create(
        model=body.pop("model"),
        messages=body.pop("messages"),
        # Read anew for each call: two calls at once may have different ones.
        extra_headers={"Authorization": f"Bearer {key}"},
        extra_body=body,
    )
    return copy_response(raw.http_response)
