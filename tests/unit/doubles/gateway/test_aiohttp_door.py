"""Clients of aiohttp in this process: the library's own parser, errors and time-outs."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from toy_vendor import CHAT, DONE, ToyVendor

from tierwise.doubles.gateway import Gateway, HttpRequest
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tierwise.doubles.gateway import Rule

URL = f"https://api.openai.com{CHAT}"


@asynccontextmanager
async def talk(**timeouts: float) -> AsyncIterator[tuple[Gateway, aiohttp.ClientSession]]:
    """Give an installed gateway, and a session that was made before."""
    limits = aiohttp.ClientTimeout(**timeouts)
    async with aiohttp.ClientSession(timeout=limits) as session:
        with Gateway(vendors=[ToyVendor()]).installed() as toy:
            yield toy, session


def body(**more: Any) -> dict[str, Any]:
    """Return the body of a request."""
    return {"model": "toy-1", "says": ["x"], **more}


async def read(session: aiohttp.ClientSession) -> list[bytes]:
    """Return the chunks of a stream."""
    async with session.post(URL, json=body(stream=True)) as response:
        return [data async for data in response.content.iter_any()]


async def test_a_session_that_was_made_earlier_is_answered() -> None:
    """Its connector is taken over at class level; body, headers and query arrive."""
    async with talk() as (toy, session):
        toy.when().say("Paris")
        headers, params = {"X-Trace": "t"}, {"a": "b c"}
        async with session.post(URL, json=body(), headers=headers, params=params) as response:
            assert response.status == 200
            assert (await response.json())["choices"][0]["text"] == "Paris"
        entry = toy.requests.only()
    assert entry.json == body()
    assert (entry.headers["x-trace"], entry.query, entry.path) == ("t", {"a": "b c"}, CHAT)


async def test_a_stream_comes_chunk_by_chunk() -> None:
    """One event at a time."""
    async with talk() as (toy, session):
        toy.when().say("one two three")
        found = await read(session)
        assert len(found) == 4
        assert found[-1] == DONE
        assert not toy.requests.only().progress.closed_early


async def test_a_stream_that_is_left_is_noted() -> None:
    """The client closed it before its end."""
    async with talk() as (toy, session):
        toy.when().say("one two three four five six")
        async with session.post(URL, json=body(stream=True)) as response:
            await response.content.readany()
            response.close()
        assert toy.requests.only().progress.closed_early


@pytest.mark.parametrize(
    ("begin", "error"),
    [
        (lambda rule: rule.say("a b").cut(1), aiohttp.ClientPayloadError),
        (lambda rule: rule.say("a b").reset(1), aiohttp.ClientPayloadError),
        (lambda rule: rule.say("a b").stall(1), aiohttp.SocketTimeoutError),
        (lambda rule: rule.say("a b").slow(per_token_s=11), aiohttp.SocketTimeoutError),
        (lambda rule: rule.say("a b").slow(11), aiohttp.SocketTimeoutError),
        (lambda rule: rule.cut(), aiohttp.ServerDisconnectedError),
        (lambda rule: rule.reset(), aiohttp.ClientOSError),
        (lambda rule: rule.stall(), aiohttp.SocketTimeoutError),
    ],
)
async def test_what_breaks_is_the_library_s_own_error(
    begin: Callable[[Rule], object], error: type[Exception]
) -> None:
    """The same that a real connection raises, and no time passes."""
    async with talk(sock_read=10) as (toy, session):
        begin(toy.when())
        with pytest.raises(error):
            await read(session)
        assert toy.complaints == ()


async def test_half_a_plain_body_is_an_error() -> None:
    """Its length was told before."""
    async with talk() as (toy, session):
        toy.when().say("a b").cut()
        with pytest.raises(aiohttp.ClientPayloadError):
            async with session.post(URL, json=body()) as response:
                await response.read()


async def test_the_limit_for_the_whole_response_is_kept_too() -> None:
    """Time adds up over the reads, and ends as asyncio's own time-out."""
    async with talk(total=10, sock_read=8) as (toy, session):
        toy.when().say("a b c d").slow(per_token_s=4)
        with pytest.raises(asyncio.TimeoutError) as caught:
            await read(session)
        assert not isinstance(caught.value, aiohttp.SocketTimeoutError)
        assert toy.requests.only().progress.elapsed_s == 10


async def test_time_that_is_waited_for_is_counted_and_not_spent() -> None:
    """As long as the session is patient."""
    async with talk(sock_read=10) as (toy, session):
        toy.when().say("a b").slow(9, first_token_s=8, per_token_s=7)
        assert len(await read(session)) == 3
        progress = toy.requests.only().progress
    assert (progress.elapsed_s, progress.real_s) == (9 + 8 + 14, 0)


async def test_a_session_without_a_time_out_would_wait_for_ever() -> None:
    """It gets one all the same, and the test hears why."""
    async with talk(total=None) as (toy, session):  # type: ignore[arg-type]  # None: no limit
        toy.when().stall()
        with pytest.raises(aiohttp.SocketTimeoutError):
            await read(session)
        assert "it would wait for ever" in toy.finish()[0]


async def test_no_session_leaves_the_process() -> None:
    """Whatever host it is."""
    async with talk() as (toy, session):
        with pytest.raises(GatewayError, match="allow_hosts"):
            await session.get("http://example.com/")
        assert len(toy.complaints) == 1


async def test_nothing_of_the_gateway_is_left_in_a_pool() -> None:
    """After it is gone, a session goes where it would have gone before."""
    async with talk() as (toy, session):
        toy.when().say("a")
        await (await session.post(URL, json=body())).read()
        connector: Any = session.connector
        assert not connector._conns
        assert not connector._acquired


async def test_a_fault_of_the_gateway_s_own_reaches_the_client() -> None:
    """A vendor that raises must not leave the client waiting."""
    async with talk() as (toy, session):

        def serve(http: HttpRequest) -> Any:
            raise LookupError(http.path)

        toy.serve = serve  # type: ignore[method-assign]  # the fault that is planted
        with pytest.raises(LookupError):
            await read(session)


async def test_a_body_that_is_sent_in_pieces_arrives() -> None:
    """Chunked by the library."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"model": '
        yield b'"toy-1"}'

    async with talk() as (toy, session):
        toy.when().say("a")
        async with session.post(URL, data=pieces()) as response:
            assert response.status == 200
        assert toy.requests.only().json == {"model": "toy-1"}


async def test_large_bodies_pass_in_both_directions() -> None:
    """Beyond what the library reads at once, so that it holds the other side back."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"model": "toy-1", "fill": "'
        for _ in range(40):
            yield b"x" * 50_000
        yield b'"}'

    async with talk() as (toy, session):
        toy.when().say("y" * 3_000_000)
        async with session.post(URL, data=pieces()) as response:
            answer = await response.json()
        assert len(answer["choices"][0]["text"]) == 3_000_000
        assert len(toy.requests.only().json["fill"]) == 2_000_000


async def test_a_slow_reader_gets_the_whole_stream() -> None:
    """The other side waits for it."""
    async with talk() as (toy, session):
        toy.when().say(" ".join(["y" * 50_000] * 20))
        async with session.post(URL, json=body(stream=True)) as response:
            size = len(await response.content.read(1))
            for _ in range(100):
                await asyncio.sleep(0)
            assert toy.requests.only().progress.n_chunks < 20
            while data := await response.content.read(1_000):
                size += len(data)
        assert size > 1_000_000


async def test_a_client_that_asks_whether_to_send_its_body_is_told_to() -> None:
    """It would wait for ever otherwise."""
    async with talk() as (toy, session):
        toy.when().say("a")
        async with session.post(URL, json=body(), expect100=True) as response:
            assert response.status == 200
        assert toy.requests.only().json == body()
