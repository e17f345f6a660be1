"""The real SDK, asked in each of the ways in which it can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from google import genai
from google.genai import types

if TYPE_CHECKING:
    from collections.abc import Iterator

FLASH = "gemini-2.5-flash"
WAYS = ("sync", "httpx2", "aiohttp")
"""google-genai's sync client, and its async one over either library that it knows."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let google-genai derive from aiohttp's session, which aiohttp would rather not have."""
    for item in items:
        item.add_marker(pytest.mark.filterwarnings(_DERIVED))


_DERIVED = "ignore:Inheritance class AiohttpClientSession:DeprecationWarning"


class Sdk:
    """The methods of a client under the same names for sync and async."""

    def __init__(self, client: genai.Client, way: str) -> None:
        self.client = client
        self.way = way

    async def call(self, name: str, **arguments: Any) -> Any:
        """Call a method of `client.models`."""
        if self.way == "sync":
            return getattr(self.client.models, name)(**arguments)
        return await getattr(self.client.aio.models, name)(**arguments)

    async def generate(self, contents: Any = "hi", model: str = FLASH, **config: Any) -> Any:
        """Call generate_content."""
        return await self.call("generate_content", model=model, contents=contents, config=config)

    async def stream(self, contents: Any = "hi", model: str = FLASH, **config: Any) -> list[Any]:
        """Call generate_content_stream and read it to its end."""
        chunks = await self.call(
            "generate_content_stream", model=model, contents=contents, config=config
        )
        if self.way == "sync":
            return list(chunks)
        return [chunk async for chunk in chunks]

    def chat(self, model: str = FLASH, **config: Any) -> Any:
        """Begin a chat."""
        client = self.client if self.way == "sync" else self.client.aio
        return client.chats.create(model=model, config=config)

    async def send(self, chat: Any, message: Any) -> Any:
        """Send one message of a chat."""
        reply = chat.send_message(message)
        return reply if self.way == "sync" else await reply


def make_client(way: str) -> genai.Client:
    """Return a client with an obviously fake key."""
    options = types.HttpOptions()
    if way == "httpx2":
        options.httpx_async_client = httpx2.AsyncClient(verify=False)
    return genai.Client(api_key="fake-key-of-a-test", http_options=options)


@pytest.fixture(scope="session")
def clients() -> Iterator[dict[str, genai.Client]]:
    """Clients that were made before any gateway was there."""
    return {way: make_client(way) for way in WAYS}


@pytest.fixture(params=WAYS)
def sdk(request: pytest.FixtureRequest, clients: dict[str, genai.Client]) -> Sdk:
    """Return the SDK, to be asked in one of its ways."""
    return Sdk(clients[request.param], request.param)
