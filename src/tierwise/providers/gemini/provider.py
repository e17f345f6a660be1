"""Gemini's models, by way of Google's own SDK."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, cast

from tierwise.domain import Capability
from tierwise.providers.checking import refuse
from tierwise.providers.gemini.body import GeminiAsking, Signatures
from tierwise.providers.gemini.reply import read_response
from tierwise.providers.gemini.schema import form_response_schema
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.body import split_system
from tierwise.providers.wire.calling import call_and_read
from tierwise.providers.wire.schema_forms import SchemaForms
from tierwise.providers.wire.settings import check_timeout, needing, write_identity
from tierwise.providers.wire.vendor import Vendor
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.gemini.client import GeminiClient
    from tierwise.providers.protocol import Answer, Request, T
    from tierwise.providers.wire.failure import Asker, Response

GEMINI = Vendor(
    name="Gemini",
    owner="GeminiProvider",
    url="https://generativelanguage.googleapis.com",
    url_env="GOOGLE_GEMINI_BASE_URL",
    key_envs=("GOOGLE_API_KEY", "GEMINI_API_KEY"),  # in the order of the SDK
)


class GeminiProvider:
    """Asks a model of Google's Gemini API through the SDK `google-genai`.

    `model` is the model's name there. The key is read at each call from the environment variable
    `key_env`, or else from `GOOGLE_API_KEY` or `GEMINI_API_KEY`, and is in no error, name or
    record. `base_url` is for another server that speaks as Gemini does; left out, it is
    `GOOGLE_GEMINI_BASE_URL` or else Google's own; said here, it needs a `key_env` too, unless it
    is on this machine. `options` are further fields of the SDK's GenerateContentConfig
    (`{"thinking_config": {"thinking_budget": 0}}`).

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
        # Without its version, which the SDK takes by itself: `v1` unless one is written.
        address = GEMINI.find_address(base_url, real=real)
        self.base_url, _, version = address.base.rpartition("/")
        self.model = model
        self.real = real
        self.name = GEMINI.name_provider("gemini", model, address)
        self._asking = GeminiAsking(model=model, options=dict(options or {}))
        check_timeout(timeout_s, owner=GEMINI.owner)
        self.identity = _identify(self.base_url, self._asking)
        self._keys = GEMINI.find_keys(key_env, base_url=base_url)
        self._endpoint = f"{self.base_url}/{version}/models/{model}:generateContent"
        self._forms = SchemaForms(form_response_schema)
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
        key = self._keys.read()
        problem = (
            refuse(request)
            or self._keys.refuse_missing(key, asker=self.name)
            or _refuse_late_system(request)
        )
        form = problem or self._forms.find(request.schema)
        if isinstance(form, Failure):
            return replace(form, model=self.model)
        contents = self._asking.form_contents(request, self._signatures)
        config = self._asking.form_config(request, form)
        asker = GEMINI.describe_asker(request, key, endpoint=self._endpoint, model=self.model)
        return await call_and_read(
            self._client.generate(
                self.model, contents, config, key=key.value, endpoint=self._endpoint
            ),
            lambda response: self._read(response, request, asker),
            model=self.model,
        )

    def _read(self, response: Response, request: Request[T], asker: Asker) -> Answer[T] | Failure:
        read = read_response(response, request, asker, now=time.time())
        self._signatures.keep(read.signatures)
        return cast("Answer[T] | Failure", read.reply)

    def close(self) -> None:
        """End all connections, from whatever thread or loop; a later call makes new ones.

        Never blocks: connections of a loop that is running are ended by that loop.
        """
        self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
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


def _identify(base_url: str, asking: GeminiAsking) -> str:
    is_own = base_url == GEMINI.url
    where = f"gemini:{asking.model}" if is_own else f"{base_url}#{asking.model}"
    return write_identity(where, asking.options, owner=GEMINI.owner)


def _make_client(
    base_url: str, version: str, *, timeout_s: float | None, options: Mapping[str, Any]
) -> GeminiClient:
    modules = {"google", "google.genai", "httpx2"}
    with needing("gemini", package="google-genai", modules=modules, purpose="Asking Gemini"):
        from tierwise.providers.gemini.client import (  # noqa: PLC0415  an extra
            GeminiClient,
            check_options,
        )
    check_options(options)
    return GeminiClient(base_url, version, timeout_s=timeout_s)
