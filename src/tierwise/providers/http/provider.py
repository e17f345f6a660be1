"""Any server that speaks as OpenAI does, over plain HTTP."""

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
from tierwise.providers.wire.address import parse_address
from tierwise.providers.wire.calling import call_and_read
from tierwise.providers.wire.failure import Asker
from tierwise.providers.wire.key import choose_keys
from tierwise.providers.wire.schema_forms import SchemaForms
from tierwise.providers.wire.settings import check_timeout, needing, write_identity
from tierwise.providers.wire.vendor import refuse_far_stand_in
from tierwise.sandbox import touch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.http.client import HttpClient
    from tierwise.providers.protocol import Answer, Request, T
    from tierwise.providers.wire.address import Address

_OWNER = "HttpProvider"
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
        check_timeout(timeout_s, owner=_OWNER)
        refuse_far_stand_in(address, real=real)
        self.url = address.base
        self.model = model
        self.real = real
        self.name = f"http:{address.authority}#{model}"
        self._address = address
        self._asking = Asking(
            model=model, max_tokens_as=max_tokens_as, options=dict(options or {})
        )
        self.identity = _identify(address, self._asking)
        self._keys = choose_keys(
            key_env, (KEY_ENV,), owner=_OWNER, otherwise="for a server that needs no key"
        )
        self._forms = SchemaForms(form_response_format)
        self._client = _make_client(address, timeout_s)

    def __repr__(self) -> str:
        return f"HttpProvider({self.url!r}, {self.model!r})"

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Ask the server once; a cancelled call closes its connection."""
        if self.real:
            touch(Capability.MODEL, self.name)
        key = self._keys.read()
        form = refuse(request) or self._forms.find(request.schema)
        if isinstance(form, Failure):
            return replace(form, model=self.model)
        headers = {"Content-Type": "application/json"}
        if key.value:
            headers["Authorization"] = f"Bearer {key.value}"
        asker = Asker(
            endpoint=self._address.endpoint,
            key_env=key.variable,
            key=key.value,
            request=request,
        )
        return await call_and_read(
            self._client.post(self._asking.form_body(request, form), headers),
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


def _identify(address: Address, asking: Asking) -> str:
    settings = dict(asking.options)
    if asking.max_tokens_as != "max_tokens":
        settings["max_tokens_as"] = asking.max_tokens_as
    where = f"{address.base}{'?' if address.query else ''}{address.query}#{asking.model}"
    return write_identity(where, settings, owner=_OWNER)


def _make_client(address: Address, timeout_s: float | None) -> HttpClient:
    modules = {"aiohttp", "yarl"}
    with needing("evals", package="aiohttp", modules=modules, purpose="Asking a server over HTTP"):
        from tierwise.providers.http.client import HttpClient  # noqa: PLC0415  needs an extra
    return HttpClient(address, timeout_s=timeout_s)
