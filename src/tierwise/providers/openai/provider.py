"""OpenAI's models, by way of OpenAI's own SDK."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

from tierwise.domain import Capability
from tierwise.providers.checking import refuse
from tierwise.providers.http.body import Asking
from tierwise.providers.http.reply import read_reply
from tierwise.providers.http.schema import form_response_format
from tierwise.providers.protocol import Failure
from tierwise.providers.wire.calling import call_and_read
from tierwise.providers.wire.schema_forms import SchemaForms
from tierwise.providers.wire.settings import check_timeout, needing, write_identity
from tierwise.providers.wire.vendor import Vendor
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.openai.client import OpenAIClient
    from tierwise.providers.protocol import Answer, Request, T

OPENAI = Vendor(
    name="OpenAI",
    owner="OpenAIProvider",
    url="https://api.openai.com/v1",
    url_env="OPENAI_BASE_URL",
    key_envs=("OPENAI_API_KEY",),
)


class OpenAIProvider:
    """Asks a model of OpenAI's through the SDK `openai`, by chat completions.

    `model` is the model's name there. The key is read at each call from the environment variable
    `key_env`, which is `OPENAI_API_KEY` unless said otherwise, and is in no error, name or
    record. `base_url` is for another server that speaks as OpenAI does; left out, it is
    `OPENAI_BASE_URL` or else OpenAI's own; said here, it needs a `key_env` too, unless it is on
    this machine. `options` are further fields of the body (`{"reasoning_effort": "low"}`).
    `max_tokens_as="max_tokens"` is for servers that know the limit by that name only.

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
        address = OPENAI.find_address(base_url, real=real)
        self.base_url = address.base
        self.model = model
        self.real = real
        self.name = OPENAI.name_provider("openai", model, address)
        self._asking = Asking(
            model=model,
            max_tokens_as=max_tokens_as,
            options=dict(options or {}),
            owner=OPENAI.owner,
        )
        check_timeout(timeout_s, owner=OPENAI.owner)
        self.identity = _identify(self.base_url, self._asking)
        self._keys = OPENAI.find_keys(key_env, base_url=base_url)
        self._endpoint = f"{self.base_url}/chat/completions"
        self._forms = SchemaForms(form_response_format)
        self._client = _make_client(self.base_url, timeout_s=timeout_s)

    def __repr__(self) -> str:
        return f"OpenAIProvider({self.model!r})"

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Ask the model once; a cancelled call closes its connection."""
        if self.real:
            touch(Capability.MODEL, self.name)
        key = self._keys.read()
        problem = refuse(request) or self._keys.refuse_missing(key, asker=self.name)
        form = problem or self._forms.find(request.schema)
        if isinstance(form, Failure):
            return replace(form, model=self.model)
        asker = OPENAI.describe_asker(request, key, endpoint=self._endpoint, model=self.model)
        return await call_and_read(
            self._client.post(self._asking.form_fields(request, form), key.value),
            lambda response: read_reply(response, request, asker, now=time.time()),
            model=self.model,
        )

    def close(self) -> None:
        """End all connections, from whatever thread or loop; a later call makes new ones.

        Never blocks: connections of a loop that is running are ended by that loop.
        """
        self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._client.aclose()


def _identify(base_url: str, asking: Asking) -> str:
    is_own = base_url == OPENAI.url
    where = f"openai:{asking.model}" if is_own else f"{base_url}#{asking.model}"
    settings = dict(asking.options)
    if asking.max_tokens_as != "max_completion_tokens":
        settings["max_tokens_as"] = asking.max_tokens_as
    return write_identity(where, settings, owner=OPENAI.owner)


def _make_client(base_url: str, *, timeout_s: float | None) -> OpenAIClient:
    with needing("openai", package="openai", modules={"openai"}, purpose="Asking OpenAI"):
        from tierwise.providers.openai.client import OpenAIClient  # noqa: PLC0415  needs an extra
    return OpenAIClient(base_url, timeout_s=timeout_s)
