"""Any server that speaks as OpenAI does, over plain HTTP."""

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

    from tierwise.providers.http.client import HttpClient
    from tierwise.providers.protocol import Answer, Request, T
    from tierwise.providers.wire.address import Address

KEY_ENV = "TIERWISE_HTTP_KEY"


class HttpProvider:
    """Asks a model of any OpenAI-compatible server: vLLM, Ollama, llama.cpp, a gateway, a vendor.

    `url` is the server's base URL, such as `http://127.0.0.1:8000/v1`; `model` is the model's name
    there. A key, where one is needed, is read at each call from the environment variable
    `key_env`; it goes to this server only and is in no error, name or record. `options` are
    further fields of the body (`{"top_p": 0.9}`). `max_tokens_as="max_completion_tokens"` is for
    models that know the limit by that name only.

    A call that takes longer than `timeout_s` is a `timeout`. Nothing is retried here, and
    redirects are not followed. As many calls run at once as are made.

    `real=False` says that a stand-in answers, so that tiers without `model` may call it; this is
    refused for hosts other than this machine.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key_env: str | None = None,
        timeout_s: float | None = 120.0,
        max_tokens_as: Literal["max_tokens", "max_completion_tokens"] = "max_tokens",
        options: Mapping[str, Any] | None = None,
        real: bool = True,
    ) -> None:
        address = parse_address(url)
        if timeout_s is not None and not timeout_s > 0:
            raise MisuseError(
                f"timeout_s of HttpProvider is {timeout_s}; expected seconds above 0, or None."
            )
        if not real and not address.is_loopback:
            raise MisuseError(
                f"real=False says that a stand-in answers, and {address.authority} is not on this "
                "machine. Leave it out: whoever calls another host may reach a model."
            )
        self.url = address.base
        self.model = model
        self.real = real
        self.name = f"http:{address.authority}#{model}"
        self._address = address
        self._asking = Asking(
            model=model, max_tokens_as=max_tokens_as, options=dict(options or {})
        )
        self.identity = _identify(address, self._asking)
        self._key_env = key_env or KEY_ENV
        if not self._key() and key_env is not None:
            raise MisuseError(
                f"key_env of HttpProvider names {key_env}, and no such variable is set. Set it, "
                "or leave key_env out for a server that needs no key."
            )
        self._formats: weakref.WeakKeyDictionary[type[BaseModel], dict[str, Any]] = (
            weakref.WeakKeyDictionary()
        )
        self._client = _make_client(address, timeout_s)

    def __repr__(self) -> str:
        return f"HttpProvider({self.url!r}, {self.model!r})"

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Ask the server once; a cancelled call closes its connection."""
        if self.real:
            touch(Capability.MODEL, self.name)
        body = refuse(request) or self._form_body(request)
        if isinstance(body, Failure):
            return replace(body, model=self.model)
        key = self._key()
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        began = time.perf_counter()
        response = await self._client.post(body, headers)
        latency_s = time.perf_counter() - began
        if isinstance(response, Failure):
            return replace(response, model=self.model, latency_s=latency_s)
        asker = Asker(
            endpoint=self._address.endpoint, key_env=self._key_env, key=key, request=request
        )
        reply = read_reply(response, request, asker, now=time.time())
        return replace(reply, model=reply.model or self.model, latency_s=latency_s)

    def _form_body(self, request: Request[Any]) -> bytes | Failure:
        if request.schema is None:
            return self._asking.form_body(request, None)
        try:
            response_format = self._formats[request.schema]
        except KeyError:
            try:
                response_format = form_response_format(request.schema)
            except PydanticInvalidForJsonSchema as error:
                return Failure(
                    kind=FailureKind.BAD_REQUEST,
                    message=f"{request.schema.__name__} can't be sent as a JSON schema: "
                    f"{error.message}.",
                )
            self._formats[request.schema] = response_format
        return self._asking.form_body(request, response_format)

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


def _identify(address: Address, asking: Asking) -> str:
    options = dict(asking.options)
    if asking.max_tokens_as != "max_tokens":
        options["max_tokens_as"] = asking.max_tokens_as
    where = f"{address.base}{'?' if address.query else ''}{address.query}#{asking.model}"
    if not options:
        return where
    try:
        return mask_keys(f"{where} {json.dumps(options, sort_keys=True)}")
    except TypeError as error:
        raise MisuseError(f"options of HttpProvider can't be sent as JSON: {error}.") from None


def _make_client(address: Address, timeout_s: float | None) -> HttpClient:
    try:
        from tierwise.providers.http.client import HttpClient  # noqa: PLC0415  needs an extra
    except ModuleNotFoundError as error:
        if error.name not in {"aiohttp", "yarl"}:
            raise
        raise MissingExtraError(
            "Asking a server over HTTP needs the package aiohttp, which is not installed here. "
            "Install it with: pip install 'tierwise[evals]'"
        ) from error
    return HttpClient(address, timeout_s=timeout_s)
