"""Google's SDK: one call, and what goes wrong with it in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
from google import genai
from google.genai import errors, types
from pydantic import ValidationError

from tierwise.errors import MisuseError
from tierwise.providers.checking import describe_problems
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.clients import LoopClients
from tierwise.providers.wire.failure import Response
from tierwise.providers.wire.sdk import SdkErrors, call_sdk

if TYPE_CHECKING:
    from collections.abc import Mapping

_MS = 1000
_ERRORS = SdkErrors(
    status=errors.APIError,
    timeout=httpx2.TimeoutException,
    lost=httpx2.RequestError,
    is_wrapping=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """The SDK's client, and those of httpx2 that it was given and does not close."""

    sdk: genai.Client
    http: httpx2.AsyncClient
    unused: httpx2.Client


class GeminiClient:
    """Calls generateContent through the SDK's client; nothing is retried, nothing redirected."""

    def __init__(self, base_url: str, api_version: str, *, timeout_s: float | None) -> None:
        self._base_url = base_url
        self._api_version = api_version
        self._timeout_s = timeout_s
        self._clients = LoopClients(self._make, _close)

    async def generate(
        self,
        model: str,
        contents: list[dict[str, Any]],
        config: Mapping[str, Any],
        *,
        key: str,
        endpoint: str,
    ) -> Response | Failure:
        """Return what came back, whatever its status, or the failure of the wire."""
        held = await self._clients.get()
        call = _ask(held.sdk, model, contents, _complete(config, key))
        try:
            return await call_sdk(call, _ERRORS, endpoint=endpoint, timeout_s=self._timeout_s)
        except UnicodeDecodeError:
            # The SDK reads an error as JSON before it lets anyone see it.
            problem = "an error came whose body is no text"
        return Failure(kind=FailureKind.GARBLED, message=f"{endpoint} gave no answer: {problem}.")

    def close(self) -> None:
        """End all connections without waiting."""
        self._clients.close()

    async def aclose(self) -> None:
        """End all connections, and wait for those of the running loop."""
        await self._clients.aclose()

    def _make(self) -> _Held:
        # Certificates are loaded once: on its own the SDK does it three times, 40 ms each.
        trusted = httpx2.create_ssl_context()
        http = httpx2.AsyncClient(verify=trusted, follow_redirects=False, timeout=self._timeout_s)
        unused = httpx2.Client(verify=trusted)
        options = types.HttpOptions(
            base_url=self._base_url,
            api_version=self._api_version,
            # With a client of httpx2 the SDK leaves aiohttp alone, over which it would try again.
            httpx_async_client=http,
            httpx_client=unused,
            async_client_args={"ssl": trusted},
            # In milliseconds; the SDK hands it to each request, and 0 would be none at all.
            timeout=None if self._timeout_s is None else max(1, round(self._timeout_s * _MS)),
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        # With any key, and this said, the SDK looks for no other credentials on this machine.
        sdk = genai.Client(vertexai=False, api_key="set for each call", http_options=options)
        return _Held(sdk=sdk, http=http, unused=unused)


async def _close(held: _Held) -> None:
    await held.sdk.aio.aclose()
    await held.http.aclose()
    held.sdk.close()
    held.unused.close()


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse options that the SDK would refuse at each call."""
    try:
        types.GenerateContentConfig.model_validate(dict(options))
    except ValidationError as error:
        raise MisuseError(
            "options of GeminiProvider break the SDK's GenerateContentConfig: "
            f"{describe_problems(error)}."
        ) from None


def _complete(config: Mapping[str, Any], key: str) -> Any:  # noqa: ANN401  the SDK's dict
    return {
        **config,
        "http_options": {"headers": {"x-goog-api-key": key}},
        # So the body comes as it is, and the SDK goes on with no pause by itself.
        "should_return_http_response": True,
        "automatic_function_calling": {"disable": True},
    }


async def _ask(
    sdk: genai.Client,
    model: str,
    contents: Any,  # noqa: ANN401  the SDK's dicts
    config: Any,  # noqa: ANN401
) -> Response:
    reply = await sdk.aio.models.generate_content(model=model, contents=contents, config=config)
    return _read_whole(reply.sdk_http_response)


def _read_whole(found: Any) -> Response:  # noqa: ANN401  the SDK's response
    headers = {name.lower(): value for name, value in (found.headers or {}).items()}
    return Response(status=200, reason="OK", body=(found.body or "").encode(), headers=headers)
