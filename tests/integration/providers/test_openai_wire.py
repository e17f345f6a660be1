"""OpenAI's provider against servers on loopback that keep no promise."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Message
from tierwise.providers import Failure, FailureKind, OpenAIProvider, Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tierwise.clock import VirtualClock

    Speak = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

ASK: Request[Any] = Request(messages=(Message(role="user", content="Where is it?"),))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a key that opens nothing."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")


@contextlib.asynccontextmanager
async def serving(speak: Speak, **settings: Any) -> AsyncIterator[OpenAIProvider]:
    """Serve each connection by what is given, and ask it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            await speak(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        url = f"http://127.0.0.1:{port}/v1"
        async with OpenAIProvider("gpt-4o", base_url=url, real=False, **settings) as provider:
            yield provider


def send(*lines: str, body: bytes = b"") -> Speak:
    """Return a server that answers with this, whatever is asked."""

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = "\r\n".join([*lines, f"content-length: {len(body)}", "connection: close", "", ""])
        writer.write(head.encode() + body)
        await writer.drain()

    return speak


async def fail(provider: OpenAIProvider) -> Failure:
    reply = await provider.generate(ASK)
    assert isinstance(reply, Failure)
    return reply


async def test_a_server_that_drips_is_a_timeout(clock: VirtualClock) -> None:
    """The limit is for the whole call: a byte now and then does not prolong it."""

    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
        for _ in range(200):
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(2)

    async with serving(drip, timeout_s=30) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.TIMEOUT
    assert "longer than 30 s" in reply.message


async def test_redirects_are_not_followed() -> None:
    """A key goes to nobody else: where the redirect leads is told."""
    moved = send("HTTP/1.1 302 Found", "location: http://127.0.0.1:9/elsewhere")

    async with serving(moved) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.BAD_REQUEST
    assert "Redirects are not followed" in reply.message
    assert "http://127.0.0.1:9/elsewhere" in reply.message


async def test_a_body_that_is_not_encoded_as_it_says() -> None:
    """Bytes that are no gzip are the wire's fault."""
    wrong = send("HTTP/1.1 200 OK", "content-encoding: gzip", body=b"Here.")

    async with serving(wrong) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.UNAVAILABLE
    assert "not encoded as it says" in reply.message


async def test_what_is_no_http_is_unavailable() -> None:
    """Another protocol on the port gives no answer."""

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-server\r\n")
        await writer.drain()

    async with serving(greet) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.UNAVAILABLE
    assert "broke off, or is no HTTP" in reply.message


async def test_nobody_at_the_port_is_unavailable() -> None:
    """A port that is closed is told as no connection."""
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()

    async with OpenAIProvider(
        "gpt-4o", base_url=f"http://127.0.0.1:{port}", real=False
    ) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.UNAVAILABLE
    assert "no connection" in reply.message


async def test_a_cancelled_call_closes_its_connection() -> None:
    """Nobody goes on writing what nobody waits for."""
    asked, closed = asyncio.Event(), asyncio.Event()

    async def wait(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        asked.set()
        while await reader.read(1024):
            pass
        closed.set()

    async with serving(wait) as provider:
        call = asyncio.create_task(provider.generate(ASK))
        await asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(closed.wait(), timeout=10)
