"""Anthropic in a box, for tests of the vendor alone: the real SDK on it, no gateway between."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx2
from anthropic import Anthropic, AsyncAnthropic

from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.doubles.gateway.vendor import Account, Moment
from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tierwise.doubles.gateway.anthropic import AnthropicVendor
    from tierwise.doubles.gateway.asked import Asked

MODEL = "claude-sonnet-5-5"
OLD = "claude-sonnet-4-5"
"""A model of the rules of before: the SDK names it until the vendor ends it."""
KEY = "sk-ant-api03-not-a-key-of-anyone"
NOON = 1_796_040_000
ACCOUNT = Account(models=frozenset({OLD}))
HELLO: dict[str, Any] = {
    "model": MODEL,
    "max_tokens": 64,
    "messages": [{"role": "user", "content": "Hello?"}],
}
WEATHER = {
    "name": "weather",
    "description": "Tells the weather.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}


class _Stream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    def __init__(self, response: HttpResponse) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._response.chunks:
            yield chunk.data

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._response.chunks:
            yield chunk.data


@dataclass
class Box(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """What a vendor makes of the requests of the SDK's own clients."""

    vendor: AnthropicVendor
    says: tuple[Say, ...] = (Say(text="Hello there."),)
    fault: Refusal | None = None
    account: Account = ACCOUNT
    asked: list[Asked] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    sent: list[HttpResponse] = field(default_factory=list)

    def answer(self, request: HttpRequest) -> HttpResponse:
        """Return what the vendor sends back."""
        moment = Moment(number=len(self.sent) + 1, created=NOON)
        response = self._decide(request, moment)
        self.sent.append(response)
        return response

    def _decide(self, request: HttpRequest, moment: Moment) -> HttpResponse:
        endpoint = self.vendor.find_endpoint(request)
        if endpoint is None:
            return self.vendor.refuse(Refusal(status=404), moment)
        read = self.vendor.read(endpoint, request, self.account)
        if isinstance(read, Refusal):
            self.refused.append(read)
            return self.vendor.refuse(read, moment)
        self.asked.append(read)
        if self.fault is not None:
            return self.vendor.refuse(self.fault, moment)
        return self.vendor.say(read, self.says, moment)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a client."""
        return self._respond(request, request.read())

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer an async client."""
        return self._respond(request, await request.aread())

    def _respond(self, request: httpx2.Request, body: bytes) -> httpx2.Response:
        answer = self.answer(
            HttpRequest(
                method=request.method,
                path=request.url.path,
                query=dict(request.url.params),
                headers={name.lower(): value for name, value in request.headers.items()},
                body=body,
                host=request.url.host,
            )
        )
        return httpx2.Response(
            answer.status, headers=list(answer.headers), stream=_Stream(answer), request=request
        )

    def client(self, **options: Any) -> Anthropic:
        """Return the SDK's client, strict and without retries."""
        given = {"api_key": KEY, "max_retries": 0, "_strict_response_validation": True} | options
        return Anthropic(http_client=httpx2.Client(transport=self), **given)

    def async_client(self, **options: Any) -> AsyncAnthropic:
        """Return the SDK's async client, strict and without retries."""
        given = {"api_key": KEY, "max_retries": 0, "_strict_response_validation": True} | options
        return AsyncAnthropic(http_client=httpx2.AsyncClient(transport=self), **given)

    def create(self, how: str, **request: Any) -> Any:
        """Ask for one message through the client of this kind: `sync` or `async`."""
        asked = HELLO | request
        if how == "sync":
            return self.client().messages.create(**asked)
        return asyncio.run(self._create(asked))

    async def _create(self, asked: dict[str, Any]) -> Any:
        return await self.async_client().messages.create(**asked)

    def stream(self, how: str, **request: Any) -> tuple[list[Any], Any]:
        """Return the events of a stream and the message that the SDK makes of them."""
        asked = HELLO | request
        if how == "sync":
            with self.client().messages.stream(**asked) as stream:
                return list(stream), stream.get_final_message()
        return asyncio.run(self._stream(asked))

    async def _stream(self, asked: dict[str, Any]) -> tuple[list[Any], Any]:
        async with self.async_client().messages.stream(**asked) as stream:
            events = [event async for event in stream]
            return events, await stream.get_final_message()


def post(body: bytes, **headers: str) -> HttpRequest:
    """Return a request for a message as a client without the SDK sends it."""
    given = {"x-api-key": KEY, "anthropic-version": "2026-10-21"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return HttpRequest(method="POST", path="/v1/messages", headers=given, body=body)
