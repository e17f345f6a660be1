"""How the provider of each vendor's SDK calls: in time, apart from others, over bad wires."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from sdk_vendors import SdkVendor, ask, fail

from tierwise.providers import FailureKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from sdk_vendors import Make

    from tierwise.clock import VirtualClock
    from tierwise.gateway import Gateway

    Speak = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
    Serving = Callable[..., contextlib.AbstractAsyncContextManager[Any]]


@pytest.fixture
def serving(gateway: Gateway, vendor: SdkVendor, make: Make) -> Serving:
    """Serve each connection by what is given, in place of the gateway, and ask it."""
    gateway.configure(hosts={}, allow_hosts=("127.0.0.1",))

    @contextlib.asynccontextmanager
    async def serving(speak: Speak, **settings: Any) -> AsyncIterator[Any]:
        is_over = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.closing(writer), contextlib.suppress(ConnectionError):
                await reader.readuntil(b"\r\n\r\n")
                await speak(reader, writer)
            is_over.set()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{vendor.version}"
        async with server, make(base_url=url, **settings) as provider:
            yield provider
            await is_over.wait()

    return serving


def send(*lines: str, body: bytes = b"") -> Speak:
    """Return a server that answers with this, whatever is asked."""

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = "\r\n".join([*lines, f"content-length: {len(body)}", "connection: close", "", ""])
        writer.write(head.encode() + body)
        await writer.drain()

    return speak


@pytest.mark.parametrize("fault", ["malformed_body", "truncate"])
async def test_a_body_that_ends_in_the_middle_is_garbled(
    gateway: Gateway, make: Make, fault: str
) -> None:
    """Nothing but the JSON tells that something is missing: the wire's fault."""
    getattr(gateway.when().say("Here."), fault)()

    assert (await fail(make())).kind is FailureKind.GARBLED


@pytest.mark.parametrize(
    ("fault", "words"), [("cut", "broke off"), ("reset", "the connection was lost")]
)
async def test_a_connection_that_is_lost_is_unavailable(
    gateway: Gateway, vendor: SdkVendor, make: Make, *, fault: str, words: str
) -> None:
    """Neither half a body nor none is an answer, what happened is told, and no SDK tries again."""
    getattr(gateway.when().say("Here."), fault)()

    reply = await fail(make())

    assert reply.kind is FailureKind.UNAVAILABLE
    assert f"{vendor.endpoint} gave no answer: " in reply.message
    assert words in reply.message
    assert len(gateway.requests) == 1


async def test_what_takes_too_long_is_a_timeout(gateway: Gateway, make: Make) -> None:
    """The call ends at its limit, whatever the vendor does."""
    gateway.when().say("Here.").stall(after=5)

    reply = await fail(make(timeout_s=0.5))

    assert reply.kind is FailureKind.TIMEOUT
    assert "longer than 0.5 s" in reply.message


async def test_a_server_that_drips_is_a_timeout(serving: Serving, clock: VirtualClock) -> None:
    """The limit is for the whole call: a byte now and then does not put it off."""

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


async def test_redirects_are_not_followed(serving: Serving) -> None:
    """A key goes to nobody else: where the redirect leads is told."""
    moved = send("HTTP/1.1 302 Found", "location: http://127.0.0.1:9/elsewhere")

    async with serving(moved) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.BAD_REQUEST
    assert "Redirects are not followed" in reply.message
    assert "http://127.0.0.1:9/elsewhere" in reply.message


async def test_a_body_that_is_not_encoded_as_it_says(serving: Serving) -> None:
    """Bytes that are no gzip are the wire's fault."""
    wrong = send("HTTP/1.1 200 OK", "content-encoding: gzip", body=b"Here.")

    async with serving(wrong) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.UNAVAILABLE
    assert "not encoded as it says" in reply.message


async def test_what_is_no_http_is_unavailable(serving: Serving) -> None:
    """Another protocol on the port gives no answer."""

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-server\r\n")
        await writer.drain()

    async with serving(greet) as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.UNAVAILABLE
    assert "broke off, or is no HTTP" in reply.message


async def test_nobody_at_the_port_is_unavailable(gateway: Gateway, make: Make) -> None:
    """A port that is closed is told as no connection."""
    gateway.configure(hosts={}, allow_hosts=("127.0.0.1",))
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()

    async with make(base_url=f"http://127.0.0.1:{port}") as provider:
        reply = await fail(provider)

    assert reply.kind is FailureKind.UNAVAILABLE
    assert "no connection" in reply.message


async def test_a_cancelled_call_closes_its_connection(serving: Serving) -> None:
    """Nobody goes on writing what nobody waits for."""
    asked = asyncio.Event()

    async def wait(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        asked.set()
        while await reader.read(1024):
            pass

    async with serving(wait) as provider:
        call = asyncio.create_task(provider.generate(ask()))
        await asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call


async def test_a_call_that_is_cancelled_raises(gateway: Gateway, make: Make) -> None:
    """Cancelling is the caller's, and is neither a timeout nor a failure."""
    gateway.configure(real_time=True)
    gateway.when().say("Here.").slow(before_s=20)
    call = asyncio.create_task(make().generate(ask()))
    await asyncio.sleep(0.05)

    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call


async def test_replies_are_not_mixed_up(gateway: Gateway, make: Make) -> None:
    """As many calls run at once as are made, each with its own answer."""
    gateway.when().answer(lambda asked: f"to {asked.last_user}")
    provider = make()

    replies = await asyncio.gather(*(provider.generate(ask(str(n))) for n in range(20)))

    assert [reply.text for reply in replies] == [f"to {n}" for n in range(20)]


async def test_calls_of_one_loop_share_a_client(gateway: Gateway, make: Make) -> None:
    """A client costs more than a call, so that one is made for all calls of a loop."""
    gateway.when().say("Here.")
    provider = make()

    await provider.generate(ask())
    first = await provider._client._clients.get()
    await provider.generate(ask())

    assert await provider._client._clients.get() is first


def test_a_provider_outlives_its_loops(gateway: Gateway, make: Make) -> None:
    """Each loop has a client of its own, which ends with it."""
    gateway.when().say("Here.")
    provider = make()

    for _ in range(2):
        assert asyncio.run(provider.generate(ask())).text == "Here."
    provider.close()


async def test_a_closed_provider_can_be_asked_again(gateway: Gateway, make: Make) -> None:
    """Closing ends connections, not the provider."""
    gateway.when().say("Here.")
    async with make() as provider:
        first = await provider.generate(ask())
    second = await provider.generate(ask())

    assert (first.text, second.text) == ("Here.", "Here.")
