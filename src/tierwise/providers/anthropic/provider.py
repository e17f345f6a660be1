"""Anthropic's models, by way of Anthropic's own SDK."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from pydantic.errors import PydanticInvalidForJsonSchema

from tierwise.domain import Capability
from tierwise.domain.masking import mask_keys
from tierwise.errors import MissingExtraError, MisuseError
from tierwise.providers.anthropic.body import AnthropicAsking
from tierwise.providers.anthropic.reply import read_message
from tierwise.providers.anthropic.schema import form_output_format
from tierwise.providers.checking import refuse
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.address import parse_address
from tierwise.providers.wire.failure import Asker
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from tierwise.providers.anthropic.client import AnthropicClient
    from tierwise.providers.protocol import Answer, Request, T

KEY_ENV = "ANTHROPIC_API_KEY"
URL_ENV = "ANTHROPIC_BASE_URL"
URL = "https://api.anthropic.com"
_WITHOUT_SAMPLING = "2026-10-21"
"""The version of the API that takes no temperature any more, and those after it."""


class AnthropicProvider:
    """Asks a model of Anthropic's through the SDK `anthropic`.

    `model` is the model's name there. The key is read at each call from the environment variable
    `key_env`, which is `ANTHROPIC_API_KEY` unless said otherwise, and is in no error, name or
    record. `base_url` is for another server that speaks as Anthropic does; left out, it is
    `ANTHROPIC_BASE_URL` or else Anthropic's own; said here, it needs a `key_env` too, unless it is
    on this machine. `max_tokens` holds for requests that set none,
    since Anthropic wants a limit. `options` are further fields of the body
    (`{"thinking": {"type": "adaptive"}}`).

    A schema goes out as structured output. A seed is not sent: Anthropic takes none. Neither does
    it take a temperature since version 2026-10-21 of its API; a request that sets one is a
    `bad_request` unless `api_version="2023-06-01"` is asked for. A call that takes longer than
    `timeout_s` is a `timeout`. Nothing is retried here.

    `real=False` says that a stand-in answers, so that tiers without `model` may call it; this is
    refused for hosts other than this machine.
    """

    def __init__(
        self,
        model: str,
        *,
        key_env: str | None = None,
        base_url: str | None = None,
        timeout_s: float | None = 120.0,
        max_tokens: int = 8192,
        api_version: str | None = None,
        options: Mapping[str, Any] | None = None,
        real: bool = True,
    ) -> None:
        self.base_url = _find_url(base_url, real=real)
        self.model = model
        self.real = real
        self.name = f"anthropic:{model}"
        self._asking = AnthropicAsking(
            model=model, max_tokens=max_tokens, options=dict(options or {})
        )
        if timeout_s is not None and not timeout_s > 0:
            raise MisuseError(
                f"timeout_s of AnthropicProvider is {timeout_s}; expected seconds above 0, or "
                "None."
            )
        self.identity = _identify(self.base_url, self._asking, api_version)
        if base_url is not None and key_env is None:
            _refuse_stranger(base_url)
        self._key_env = key_env or KEY_ENV
        if not self._key() and key_env is not None:
            raise MisuseError(
                f"key_env of AnthropicProvider names {key_env}, and no such variable is set. Set "
                f"it, or leave key_env out to have {KEY_ENV} read."
            )
        self._client = _make_client(self.base_url, api_version=api_version, timeout_s=timeout_s)

    def __repr__(self) -> str:
        return f"AnthropicProvider({self.model!r})"

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Ask the model once; a cancelled call closes its connection."""
        if self.real:
            touch(Capability.MODEL, self.name)
        key = self._key()
        problem = refuse(request) or self._refuse_keyless(key) or await self._refuse(request)
        body = problem or self._form_body(request)
        if isinstance(body, Failure):
            return replace(body, model=self.model)
        began = time.perf_counter()
        response = await self._client.post(body, key)
        latency_s = time.perf_counter() - began
        if isinstance(response, Failure):
            return replace(response, model=self.model, latency_s=latency_s)
        reply = read_message(response, request, self._make_asker(request, key), now=time.time())
        return replace(reply, model=reply.model or self.model, latency_s=latency_s)

    def _make_asker(self, request: Request[Any], key: str) -> Asker:
        return Asker(
            endpoint=f"{self.base_url}/v1/messages",
            key_env=self._key_env,
            key=key,
            request=request,
            where_to_look=f"Does Anthropic have the model {self.model!r} for this key",
        )

    def _refuse_keyless(self, key: str) -> Failure | None:
        if key:
            return None
        return Failure(
            kind=FailureKind.AUTH,
            message=f"{self.name} was not asked: {self._key_env} is not set. Set it to a key, or "
            "name the variable that has one by key_env.",
        )

    async def _refuse(self, request: Request[Any]) -> Failure | None:
        if request.temperature is None:
            return None
        version = await self._client.find_version()
        if version < _WITHOUT_SAMPLING:
            return None
        return Failure(
            kind=FailureKind.BAD_REQUEST,
            message=f"The request sets a temperature of {request.temperature:g}, and Anthropic "
            f"takes none since version {_WITHOUT_SAMPLING} of its API. Leave it out, or make the "
            "provider with api_version='2023-06-01' for a model that still takes one.",
        )

    def _form_body(self, request: Request[Any]) -> dict[str, Any] | Failure:
        if request.schema is None:
            return self._asking.form_body(request, None)
        try:
            output_format = form_output_format(request.schema)
        except (PydanticInvalidForJsonSchema, ValueError) as error:
            return Failure(
                kind=FailureKind.BAD_REQUEST,
                message=f"{request.schema.__name__} can't be sent as a JSON schema: "
                f"{str(error).splitlines()[0].rstrip('.')}.",
            )
        return self._asking.form_body(request, output_format)

    def _key(self) -> str:
        key = os.environ.get(self._key_env, "").strip()
        if not all("!" <= char <= "~" for char in key):
            raise MisuseError(
                f"The key in {self._key_env} holds a blank, a control character or one beyond "
                "ASCII, which no header can carry. Set it to the key alone."
            )
        return key

    def close(self) -> None:
        """End all connections, from whatever thread or loop; a later call makes new ones.

        Never blocks: connections of a loop that is running are ended by that loop.
        """
        self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._client.aclose()


def _find_url(given: str | None, *, real: bool) -> str:
    address = parse_address(given or os.environ.get(URL_ENV) or URL)
    if not real and not address.is_loopback:
        raise MisuseError(
            f"real=False says that a stand-in answers, and {address.authority} is not on this "
            "machine. Leave it out: whoever calls another host may reach a model."
        )
    if address.query:
        raise MisuseError(
            f"base_url of AnthropicProvider has a query; expected a URL such as {URL}."
        )
    return address.base.removesuffix("/v1")


def _refuse_stranger(base_url: str) -> None:
    """Refuse to send the key of Anthropic's own variable to a host that may be anyone's."""
    address = parse_address(base_url)
    if address.host == parse_address(URL).host or address.is_loopback:
        return
    raise MisuseError(
        f"The key in {KEY_ENV} would go to {address.authority}, which is not Anthropic. Name the "
        f"variable with the key for that server: key_env=... (it may be {KEY_ENV})."
    )


def _identify(base_url: str, asking: AnthropicAsking, api_version: str | None) -> str:
    settings = {"max_tokens": asking.max_tokens, **asking.options}
    if api_version is not None:
        settings["api_version"] = api_version
    try:
        written = json.dumps(settings, sort_keys=True)
    except TypeError as error:
        raise MisuseError(
            f"options of AnthropicProvider can't be sent as JSON: {error}."
        ) from None
    where = f"anthropic:{asking.model}" if base_url == URL else f"{base_url}#{asking.model}"
    return mask_keys(f"{where} {written}")


def _make_client(
    base_url: str, *, api_version: str | None, timeout_s: float | None
) -> AnthropicClient:
    try:
        from tierwise.providers.anthropic.client import AnthropicClient  # noqa: PLC0415  an extra
    except ModuleNotFoundError as error:
        if error.name not in {"anthropic", "httpx2"}:
            raise
        raise MissingExtraError(
            "Asking Anthropic needs the package anthropic, which is not installed here. "
            "Install it with: pip install 'tierwise[anthropic]'"
        ) from error
    return AnthropicClient(base_url, api_version=api_version, timeout_s=timeout_s)
