"""Gemini's models, by way of Google's own SDK."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, cast

from pydantic.errors import PydanticInvalidForJsonSchema

from tierwise.domain import Capability
from tierwise.domain.masking import mask_keys
from tierwise.errors import MissingExtraError, MisuseError
from tierwise.providers.checking import refuse
from tierwise.providers.gemini.body import GeminiAsking, Signatures, split_system
from tierwise.providers.gemini.reply import read_response
from tierwise.providers.gemini.schema import form_response_schema
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.address import parse_address
from tierwise.providers.wire.failure import Asker
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from tierwise.providers.gemini.client import GeminiClient
    from tierwise.providers.protocol import Answer, Request, T

KEY_ENVS = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
"""Where the SDK looks for a key, in its order."""
URL_ENV = "GOOGLE_GEMINI_BASE_URL"
URL = "https://generativelanguage.googleapis.com"


class GeminiProvider:
    """Asks a model of Google's Gemini API through the SDK `google-genai`.

    `model` is the model's name there. The key is read at each call from the environment variable
    `key_env`, or else from `GOOGLE_API_KEY` or `GEMINI_API_KEY`, and is in no error, name or
    record. `base_url` is for another server that speaks as Gemini does; left out, it is
    `GOOGLE_GEMINI_BASE_URL` or else Google's own. `options` are further fields of the SDK's
    GenerateContentConfig (`{"thinking_config": {"thinking_budget": 0}}`).

    A schema goes out as `response_json_schema`. Gemini hears the system at the start alone; a
    system message after that is a `bad_request`. A call that takes longer than `timeout_s` is a
    `timeout`. Nothing is retried here. The signatures by which Gemini knows its own calls again
    are kept and go back with the calls.

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
        options: Mapping[str, Any] | None = None,
        real: bool = True,
    ) -> None:
        self.base_url, version = _find_url(base_url, real=real)
        self.model = model
        self.real = real
        self.name = f"gemini:{model}"
        self._asking = GeminiAsking(model=model, options=dict(options or {}))
        if timeout_s is not None and not timeout_s > 0:
            raise MisuseError(
                f"timeout_s of GeminiProvider is {timeout_s}; expected seconds above 0, or None."
            )
        self.identity = _identify(self.base_url, self._asking)
        self._key_envs = (key_env,) if key_env is not None else KEY_ENVS
        if not self._key() and key_env is not None:
            raise MisuseError(
                f"key_env of GeminiProvider names {key_env}, and no such variable is set. Set "
                f"it, or leave key_env out to have {' or '.join(KEY_ENVS)} read."
            )
        self._endpoint = f"{self.base_url}/{version}/models/{model}:generateContent"
        self._signatures = Signatures()
        self._client = _make_client(
            self.base_url, version, timeout_s=timeout_s, options=self._asking.options
        )

    def __repr__(self) -> str:
        return f"GeminiProvider({self.model!r})"

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Ask the model once; a cancelled call closes its connection."""
        if self.real:
            touch(Capability.MODEL, self.name)
        key = self._key()
        config = (
            refuse(request)
            or self._refuse_keyless(key)
            or _refuse_late_system(request)
            or self._form_config(request)
        )
        if isinstance(config, Failure):
            return replace(config, model=self.model)
        contents = self._asking.form_contents(request, self._signatures)
        began = time.perf_counter()
        response = await self._client.generate(self.model, contents, config, key)
        latency_s = time.perf_counter() - began
        if isinstance(response, Failure):
            return replace(response, model=self.model, latency_s=latency_s)
        read = read_response(response, request, self._make_asker(request, key), now=time.time())
        self._signatures.keep(read.signatures)
        reply = cast("Answer[T] | Failure", read.reply)
        return replace(reply, model=reply.model or self.model, latency_s=latency_s)

    def _make_asker(self, request: Request[Any], key: str) -> Asker:
        return Asker(
            endpoint=self._endpoint,
            key_env=self._find_key()[0],
            key=key,
            request=request,
            where_to_look=f"Does Gemini have the model {self.model!r} for this key",
        )

    def _refuse_keyless(self, key: str) -> Failure | None:
        if key:
            return None
        names = " or ".join(reversed(self._key_envs))
        return Failure(
            kind=FailureKind.AUTH,
            message=f"{self.name} was not asked: {names} is not set. Set it to a key, or name "
            "the variable that has one by key_env.",
        )

    def _form_config(self, request: Request[Any]) -> dict[str, Any] | Failure:
        if request.schema is None:
            return self._asking.form_config(request, None)
        try:
            schema = form_response_schema(request.schema)
        except PydanticInvalidForJsonSchema as error:
            return Failure(
                kind=FailureKind.BAD_REQUEST,
                message=f"{request.schema.__name__} can't be sent as a JSON schema: "
                f"{error.message}.",
            )
        return self._asking.form_config(request, schema)

    def _find_key(self) -> tuple[str, str]:
        """Return the variable that has the key, and the key; the last one where none has."""
        found = [(name, os.environ.get(name, "").strip()) for name in self._key_envs]
        return next(((name, key) for name, key in found if key), found[-1])

    def _key(self) -> str:
        name, key = self._find_key()
        if not all("!" <= char <= "~" for char in key):
            raise MisuseError(
                f"The key in {name} holds a blank, a control character or one beyond ASCII, "
                "which no header can carry. Set it to the key alone."
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


def _refuse_late_system(request: Request[Any]) -> Failure | None:
    _, turns = split_system(request.messages)
    if turns and all(message.role != "system" for message in turns):
        return None
    problem = "has a system message after the start" if turns else "has system messages only"
    return Failure(
        kind=FailureKind.BAD_REQUEST,
        message=f"The request {problem}; Gemini hears the system before the first turn, and "
        "wants a turn of the user after it.",
    )


def _find_url(given: str | None, *, real: bool) -> tuple[str, str]:
    """Return the address without its version, and the version: `v1` unless one is written."""
    address = parse_address(given or os.environ.get(URL_ENV) or URL)
    if not real and not address.is_loopback:
        raise MisuseError(
            f"real=False says that a stand-in answers, and {address.authority} is not on this "
            "machine. Leave it out: whoever calls another host may reach a model."
        )
    if address.query:
        raise MisuseError(f"base_url of GeminiProvider has a query; expected a URL such as {URL}.")
    base, _, version = address.base.rpartition("/")
    return base, version


def _identify(base_url: str, asking: GeminiAsking) -> str:
    where = f"gemini:{asking.model}" if base_url == URL else f"{base_url}#{asking.model}"
    if not asking.options:
        return where
    try:
        return mask_keys(f"{where} {json.dumps(asking.options, sort_keys=True)}")
    except TypeError as error:
        raise MisuseError(f"options of GeminiProvider can't be sent as JSON: {error}.") from None


def _make_client(
    base_url: str, version: str, *, timeout_s: float | None, options: Mapping[str, Any]
) -> GeminiClient:
    try:
        from tierwise.providers.gemini.client import (  # noqa: PLC0415  an extra
            GeminiClient,
            check_options,
        )
    except ModuleNotFoundError as error:
        if error.name not in {"google", "google.genai", "httpx2"}:
            raise
        raise MissingExtraError(
            "Asking Gemini needs the package google-genai, which is not installed here. "
            "Install it with: pip install 'tierwise[gemini]'"
        ) from error
    check_options(options)
    return GeminiClient(base_url, version, timeout_s=timeout_s)
