"""OpenAI's SDK: one call, and what goes wrong with it in words."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import openai

from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.failure import Response
from tierwise.providers.wire.sdk_clients import SdkClients

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOST = {
    "ConnectError": "no connection",
    "RemoteProtocolError": "the response broke off, or is no HTTP",
    "DecodingError": "the response is not encoded as it says",
}
"""By the name of the cause: the library below the SDK is another one in its previous major."""


class OpenAIClient:
    """Posts chat completions through the SDK's own client; nothing is retried or redirected."""

    def __init__(self, base_url: str, *, timeout_s: float | None) -> None:
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._clients = SdkClients(self._make, _close)

    async def post(self, body: Mapping[str, Any], key: str) -> Response | Failure:
        """Return what came back, whatever its status, or the failure of the wire."""
        client = await self._clients.get()
        rest = dict(body)
        ask = client.chat.completions.with_raw_response.create
        try:
            # The SDK's own time-out is for each read, and a server may send a byte now and then.
            async with asyncio.timeout(self._timeout_s):
                raw = await ask(
                    model=rest.pop("model"),
                    messages=rest.pop("messages"),
                    # Read anew for each call: two calls at once may have different ones.
                    extra_headers={"Authorization": f"Bearer {key}"},
                    extra_body=rest,
                )
            return _read(raw.http_response)
        except openai.APIStatusError as error:
            return _read(error.response)
        except (TimeoutError, openai.APITimeoutError):
            waited = "" if self._timeout_s is None else f" than {self._timeout_s:g} s"
            kind, problem = FailureKind.TIMEOUT, f"it took longer{waited}"
        except openai.APIConnectionError as error:
            kind, problem = FailureKind.UNAVAILABLE, explain_lost(error.__cause__)
        message = f"{self._base_url}/chat/completions gave no answer: {problem}."
        return Failure(kind=kind, message=message)

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


def _read(found: Any) -> Response:  # noqa: ANN401  a response of httpx or of httpx2
    return Response(
        status=found.status_code,
        reason=found.reason_phrase,
        body=found.content,
        headers={name.lower(): value for name, value in found.headers.items()},
    )


def explain_lost(cause: BaseException | None) -> str:
    """Return what happened to a connection, without its address."""
    names = [kind.__name__ for kind in type(cause).__mro__]
    told = next((_LOST[name] for name in names if name in _LOST), None)
    if told is not None:
        return told
    return f"the connection was lost ({names[0]})" if cause is not None else "it failed"
