"""Anthropic's models, by way of Anthropic's own SDK."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from tierwise.domain import Capability
from tierwise.providers.anthropic.body import AnthropicAsking
from tierwise.providers.anthropic.reply import read_message
from tierwise.providers.anthropic.schema import form_output_format
from tierwise.providers.checking import refuse
from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.calling import call_and_read
from tierwise.providers.wire.schema_forms import SchemaForms
from tierwise.providers.wire.settings import check_timeout, needing, write_identity
from tierwise.providers.wire.vendor import Vendor
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.anthropic.client import AnthropicClient
    from tierwise.providers.protocol import Answer, Request, T

ANTHROPIC = Vendor(
    name="Anthropic",
    owner="AnthropicProvider",
    url="https://api.anthropic.com",
    url_env="ANTHROPIC_BASE_URL",
    key_envs=("ANTHROPIC_API_KEY",),
)
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
        address = ANTHROPIC.find_address(base_url, real=real)
        # The SDK writes the version itself.
        self.base_url = address.base.removesuffix("/v1")
        self.model = model
        self.real = real
        self.name = ANTHROPIC.name_provider("anthropic", model, address)
        self._asking = AnthropicAsking(
            model=model, max_tokens=max_tokens, options=dict(options or {})
        )
        check_timeout(timeout_s, owner=ANTHROPIC.owner)
        self.identity = _identify(self.base_url, self._asking, api_version)
        self._keys = ANTHROPIC.find_keys(key_env, base_url=base_url)
        self._endpoint = f"{self.base_url}/v1/messages"
        self._forms = SchemaForms(form_output_format)
        self._client = _make_client(self.base_url, api_version=api_version, timeout_s=timeout_s)

    def __repr__(self) -> str:
        return f"AnthropicProvider({self.model!r})"

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Ask the model once; a cancelled call closes its connection."""
        if self.real:
            touch(Capability.MODEL, self.name)
        key = self._keys.read()
        problem = (
            refuse(request)
            or self._keys.refuse_missing(key, asker=self.name)
            or await self._refuse(request)
        )
        form = problem or self._forms.find(request.schema)
        if isinstance(form, Failure):
            return replace(form, model=self.model)
        asker = ANTHROPIC.describe_asker(request, key, endpoint=self._endpoint, model=self.model)
        return await call_and_read(
            self._client.post(self._asking.form_body(request, form), key.value),
            lambda response: read_message(response, request, asker, now=time.time()),
            model=self.model,
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

    def close(self) -> None:
        """End all connections, from whatever thread or loop; a later call makes new ones.

        Never blocks: connections of a loop that is running are ended by that loop.
        """
        self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._client.aclose()


def _identify(base_url: str, asking: AnthropicAsking, api_version: str | None) -> str:
    is_own = base_url == ANTHROPIC.url
    where = f"anthropic:{asking.model}" if is_own else f"{base_url}#{asking.model}"
    settings = {"max_tokens": asking.max_tokens, **asking.options}
    if api_version is not None:
        settings["api_version"] = api_version
    return write_identity(where, settings, owner=ANTHROPIC.owner)


def _make_client(
    base_url: str, *, api_version: str | None, timeout_s: float | None
) -> AnthropicClient:
    modules = {"anthropic", "httpx2"}
    with needing("anthropic", package="anthropic", modules=modules, purpose="Asking Anthropic"):
        from tierwise.providers.anthropic.client import AnthropicClient  # noqa: PLC0415  an extra
    return AnthropicClient(base_url, api_version=api_version, timeout_s=timeout_s)
