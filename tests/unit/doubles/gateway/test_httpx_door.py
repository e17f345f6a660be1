"""Clients of httpx and httpx2 in this process: answered chunk by chunk, with no socket."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import httpx
import httpx2
import pytest
from toy_vendor import CHAT, DONE, ToyVendor

from tierwise.doubles.gateway import Gateway
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from tierwise.doubles.gateway import Rule

URL = f"https://api.openai.com{CHAT}"


@pytest.fixture
def toy() -> Iterator[Gateway]:
    """Return an installed gateway that plays the toy vendor."""
    with Gateway(vendors=[ToyVendor()]).installed() as toy:
        yield toy


@pytest.fixture(params=[httpx, httpx2], ids=["httpx", "httpx2"], scope="session")
def http(request: pytest.FixtureRequest) -> Any:
    """Return each of the two libraries."""
    return request.param


@pytest.fixture(scope="session")
def client(http: Any) -> Any:
    """Return a client that is made before any gateway is installed."""
    return http.Client(timeout=10)


def body(**more: Any) -> dict[str, Any]:
    """Return the body of a request."""
    return {"model": "toy-1", "says": ["x"], **more}


def chunks(client: Any) -> list[bytes]:
    """Return what a stream brings, until it ends or breaks."""
    found = []
    with client.stream("POST", URL, json=body(stream=True)) as response:
        found.extend(response.iter_raw())
    return found


def test_a_client_that_was_made_earlier_is_answered(toy: Gateway, client: Any) -> None:
    """The class is taken over, not the client."""
    toy.when().say("Paris")
    response = client.post(URL, json=body(), headers={"X-Trace": "t"}, params={"a": "b c"})
    assert response.status_code == 200
    assert response.json()["choices"][0]["text"] == "Paris"
    entry = toy.requests.only()
    assert entry.json == body()
    assert (entry.headers["x-trace"], entry.query) == ("t", {"a": "b c"})


async def test_an_async_client_is_answered(toy: Gateway, http: Any) -> None:
    """By the same rules, streams too."""
    toy.when().say("one two")
    async with http.AsyncClient() as client:
        assert (await client.post(URL, json=body())).json()["choices"][0]["text"] == "one two"
        async with client.stream("POST", URL, json=body(stream=True)) as response:
            found = [data async for data in response.aiter_raw()]
    assert len(found) == 3


def test_a_stream_comes_chunk_by_chunk(toy: Gateway, client: Any) -> None:
    """One event at a time, as the vendor sends them; what is not read is not sent."""
    toy.when().say("one two three")
    with client.stream("POST", URL, json=body(stream=True)) as response:
        assert next(iter(response.iter_raw())) == b'data: {"word": "one"}\n\n'
        assert toy.requests.only().progress.n_chunks == 1
    assert toy.requests.only().progress.closed_early
    assert chunks(client)[-1] == DONE
    assert not toy.requests[1].progress.closed_early


@pytest.mark.parametrize(
    ("begin", "error"),
    [
        (lambda rule: rule.say("a b").cut(1), "RemoteProtocolError"),
        (lambda rule: rule.say("a b").reset(1), "ReadError"),
        (lambda rule: rule.say("a b").stall(1), "ReadTimeout"),
        (lambda rule: rule.say("a b").slow(per_token_s=11), "ReadTimeout"),
        (lambda rule: rule.say("a b").slow(11), "ReadTimeout"),
        (lambda rule: rule.cut(), "RemoteProtocolError"),
        (lambda rule: rule.reset(), "ReadError"),
        (lambda rule: rule.stall(), "ReadTimeout"),
    ],
)
async def test_what_breaks_is_the_library_s_own_error(
    toy: Gateway, client: Any, *, http: Any, begin: Callable[[Rule], object], error: str
) -> None:
    """The same that a real connection raises, and no time passes."""
    begin(toy.when())
    with pytest.raises(getattr(http, error)) as caught:
        chunks(client)
    assert type(caught.value) is getattr(http, error)
    async with http.AsyncClient(timeout=10) as other:
        with pytest.raises(getattr(http, error)):
            await other.post(URL, json=body(stream=True))
    assert toy.complaints == ()


async def test_without_a_status_line_there_is_no_response(toy: Gateway, http: Any) -> None:
    """The request itself fails, before anybody reads a body."""
    toy.when().cut()
    told = "Server disconnected without sending a response"
    with http.Client() as client, pytest.raises(http.RemoteProtocolError, match=told):
        client.send(client.build_request("POST", URL, json=body()), stream=True)
    async with http.AsyncClient() as other:
        with pytest.raises(http.RemoteProtocolError, match=told):
            await other.send(other.build_request("POST", URL, json=body()), stream=True)


def test_time_that_a_client_waits_for_is_counted_and_not_spent(toy: Gateway, client: Any) -> None:
    """Each read has the whole time-out, as in the library."""
    toy.when().say("a b c").slow(9, first_token_s=8, per_token_s=7).then.say("a").slow(20)
    assert len(chunks(client)) == 4
    assert toy.requests.only().progress.elapsed_s == 9 + 8 + 3 * 7
    assert toy.requests.only().progress.real_s == 0
    with pytest.raises(Exception, match="timed out"):
        client.post(URL, json=body())
    progress = toy.requests[1].progress
    assert (progress.elapsed_s, progress.timed_out) == (10, True)


def test_a_client_without_a_time_out_would_wait_for_ever(toy: Gateway, http: Any) -> None:
    """It gets its time-out all the same, and the test hears why."""
    toy.when().stall()
    with http.Client(timeout=None) as patient, pytest.raises(http.ReadTimeout):
        patient.post(URL, json=body())
    assert "it would wait for ever" in toy.finish()[0]


def test_a_compressed_body_is_read(toy: Gateway, client: Any) -> None:
    """As a server would; one that is damaged stays as it came."""
    toy.when().say("a")
    packed = gzip.compress(json.dumps(body()).encode())
    headers = {"content-encoding": "gzip"}
    assert client.post(URL, content=packed, headers=headers).status_code == 200
    assert toy.requests.only().json == body()


def test_a_streamed_request_body_is_read(toy: Gateway, client: Any) -> None:
    """Whatever a client sends piece by piece."""
    toy.when().say("a")
    text = json.dumps(body()).encode()
    assert client.post(URL, content=iter([text[:5], text[5:]])).status_code == 200


async def test_an_async_request_body_is_read(toy: Gateway, http: Any) -> None:
    """The same without blocking."""
    toy.when().say("a")

    async def pieces() -> AsyncIterator[bytes]:
        yield json.dumps(body()).encode()

    async with http.AsyncClient() as client:
        assert (await client.post(URL, content=pieces())).status_code == 200


async def test_no_client_leaves_the_process(toy: Gateway, http: Any, client: Any) -> None:
    """Whatever host it is; the message names the ways out, and the test fails at its end."""
    with pytest.raises(GatewayError, match=r"allow_hosts=\('example.com',\)"):
        client.get("https://example.com/")
    async with http.AsyncClient() as other:
        with pytest.raises(GatewayError, match=r"127\.0\.0\.1"):
            await other.get("http://127.0.0.1:1/")
    assert len(toy.complaints) == 2
    assert toy.requests == ()


def test_transports_of_a_test_s_own_are_left_alone(toy: Gateway, http: Any) -> None:
    """A client that never leaves the process anyway needs no door."""
    mock = http.MockTransport(lambda _request: http.Response(204))
    with http.Client(transport=mock) as client:
        assert client.get("https://example.com/").status_code == 204


def test_a_client_behind_a_proxy_is_answered(toy: Gateway, http: Any) -> None:
    """The proxy is never asked."""
    toy.when().say("a")
    with http.Client(proxy="http://proxy.example:3128") as client:
        assert client.post(URL, json=body()).status_code == 200
