"""OpenAI's models, by way of OpenAI's own SDK."""

from __future__ import annotations

import json
import os
import time
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic.errors import PydanticInvalidForJsonSchema

from tierwise.domain import Capability
from tierwise.domain.masking import mask_keys
from tierwise.errors import MissingExtraError, MisuseError
from tierwise.providers.checking import refuse
from tierwise.providers.http.body import Asking
from tierwise.providers.http.reply import read_reply
from tierwise.providers.http.schema import form_response_format
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.address import parse_address
from tierwise.providers.wire.failure import Asker
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from pydantic import BaseModel

    from tierwise.providers.openai.client import OpenAIClient
    from tierwise.providers.protocol import Answer, Request, T

KEY_ENV = "OPENAI_API_KEY"
URL_ENV = "OPENAI_BASE_URL"
URL = "https://api.openai.com/v1"


class OpenAIProvider:
    """Asks a model of OpenAI's through the SDK `openai`, by chat completions.

    `model` is the model's name there. The key is read at each call from the environment variable
    `key_env`, which is `OPENAI_API_KEY` unless said otherwise, and is in no error, name or
    record. `base_url` is for another server that speaks as OpenAI does; left out, it is
    `OPENAI_BASE_URL` or else OpenAI's own. `options` are further fields of the body
    (`{"reasoning_effort": "low"}`). `max_tokens_as="max_tokens"` is for servers that know the
    limit by that name only.

    A schema goes out as structured output, strict where the strict mode can say it. Reasoning
    models take no temperature; a request that sets one comes back as the vendor's `bad_request`.
    A call that takes longer than `timeout_s` is a `timeout`. Nothing is retried here.

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
        max_tokens_as: Literal["max_tokens", "max_completion_tokens"] = "max_completion_tokens",
        options: Mapping[str, Any] | None = None,
        real: bool = True,
    ) -> None:
        self.base_url = _find_url(base_url, real=real)
        self.model = model
        self.real = real
        self.name = f"openai:{model}"
        self._asking = Asking(
            model=model,
            max_tokens_as=max_tokens_as,
            options=dict(options or {}),
            owner="OpenAIProvider",
        )
        if timeout_s is not None and not timeout_s > 0:
            raise MisuseError(
                f"timeout_s of OpenAIProvider is {timeout_s}; expected seconds above 0, or None."
            )
        self.identity = _identify(self.base_url, self._asking)
        self._key_env = key_env or KEY_ENV
        if not self._key() and key_env is not None:
            raise MisuseError(
                f"key_env of OpenAIProvider names {key_env}, and no such variable is set. Set it, "
                f"or leave key_env out to have {KEY_ENV} read."
            )
        self._formats: weakref.WeakKeyDictionary[type[BaseModel], dict[str, Any]] = (
            weakref.WeakKeyDictionary()
        )
        self._client = _make_client(self.base_url, timeout_s=timeout_s)

    def __repr__(self) -> str:
        return f"OpenAIProvider({self.model!r})"

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Ask the model once; a cancelled call closes its connection."""
        if self.real:
            touch(Capability.MODEL, self.name)
        key = self._key()
        problem = refuse(request) or self._refuse_keyless(key)
        body = problem or self._form_body(request)
        if isinstance(body, Failure):
            return replace(body, model=self.model)
        began = time.perf_counter()
        response = await self._client.post(body, key)
        latency_s = time.perf_counter() - began
        if isinstance(response, Failure):
            return replace(response, model=self.model, latency_s=latency_s)
        reply = read_reply(response, request, self._make_asker(request, key), now=time.time())
        return replace(reply, model=reply.model or self.model, latency_s=latency_s)

    def _make_asker(self, request: Request[Any], key: str) -> Asker:
        return Asker(
            endpoint=f"{self.base_url}/chat/completions",
            key_env=self._key_env,
            key=key,
            request=request,
            where_to_look=f"Does OpenAI have the model {self.model!r} for this key",
        )

    def _refuse_keyless(self, key: str) -> Failure | None:
        if key:
            return None
        return Failure(
            kind=FailureKind.AUTH,
            message=f"{self.name} was not asked: {self._key_env} is not set. Set it to a key, or "
            "name the variable that has one by key_env.",
        )

    def _form_body(self, request: Request[Any]) -> dict[str, Any] | Failure:
        if request.schema is None:
            return self._asking.form_fields(request, None)
        response_format = self._formats.get(request.schema)
        if response_format is None:
            try:
                response_format = form_response_format(request.schema)
            except PydanticInvalidForJsonSchema as error:
                return Failure(
                    kind=FailureKind.BAD_REQUEST,
                    message=f"{request.schema.__name__} can't be sent as a JSON schema: "
                    f"{error.message}.",
                )
            self._formats[request.schema] = response_format
        return self._asking.form_fields(request, response_format)

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
        raise MisuseError(f"base_url of OpenAIProvider has a query; expected a URL such as {URL}.")
    return address.base


def _identify(base_url: str, asking: Asking) -> str:
    where = f"openai:{asking.model}" if base_url == URL else f"{base_url}#{asking.model}"
    settings = dict(asking.options)
    if asking.max_tokens_as != "max_completion_tokens":
        settings["max_tokens_as"] = asking.max_tokens_as
    if not settings:
        return where
    try:
        return mask_keys(f"{where} {json.dumps(settings, sort_keys=True)}")
    except TypeError as error:
        raise MisuseError(f"options of OpenAIProvider can't be sent as JSON: {error}.") from None


def _make_client(base_url: str, *, timeout_s: float | None) -> OpenAIClient:
    try:
        from tierwise.providers.openai.client import OpenAIClient  # noqa: PLC0415  needs an extra
    except ModuleNotFoundError as error:
        if error.name != "openai":
            raise
        raise MissingExtraError(
            "Asking OpenAI needs the package openai, which is not installed here. Install it "
            "with: pip install 'tierwise[openai]'"
        ) from error
    return OpenAIClient(base_url, timeout_s=timeout_s)
