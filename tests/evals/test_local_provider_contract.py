"""The real model on this machine keeps the contract of providers, and its own promises.

Without the engine or the weights each test here ends in the error that names the command.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from pydantic import BaseModel

from tierwise.contracts import Implementation, ProviderContract, ProviderSubject
from tierwise.domain import Message
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    LocalProvider,
    ModelLoader,
    RecordingProvider,
    Request,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

LOADER = ModelLoader()


def local(**settings: Any) -> LocalProvider:
    return LocalProvider(loader=LOADER, **settings)


@pytest.fixture(scope="module", autouse=True)
def loader() -> Iterator[None]:
    """Give the memory back when the last test here has ended."""
    yield
    LOADER.close()


def make_subject() -> ProviderSubject:
    return ProviderSubject(
        answering=local,
        failing={FailureKind.CUT_OFF: partial(local, max_tokens=1)},
        hanging=local,
        begin_s=1.5,
    )


def make_recorded() -> ProviderSubject:
    return ProviderSubject(
        answering=lambda: RecordingProvider(local()), calls=lambda provider: provider.calls
    )


class TestLocalModel(ProviderContract):
    """SmolLM2, by itself and under the recorder: what the doubles are measured by."""

    implementations = (
        Implementation("local", make_subject, real=True),
        Implementation("recorded local", make_recorded, real=True),
    )


class City(BaseModel):
    city: str
    country: Literal["France", "Italy"]


def ask(prompt: str, schema: type[BaseModel] | None = None, **fields: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content=prompt),), schema=schema, **fields)


async def test_it_knows_something() -> None:
    """The answer is the model's own: it knows the capital of France."""
    reply = await local().generate(ask("What is the capital of France?", City, temperature=0.0))
    assert isinstance(reply, Answer), reply
    assert reply.data == City(city="Paris", country="France")
    assert reply.model.startswith("SmolLM2")
    assert reply.latency_s > 0


async def test_a_long_reply_is_cut_off_with_its_text() -> None:
    """max_tokens is honoured: the failure keeps what was said and counts it."""
    reply = await local().generate(ask("Tell a long story.", max_tokens=5, temperature=0.0))
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.CUT_OFF
    assert reply.text
    assert reply.usage.output_tokens == 5


async def test_a_prompt_too_long_is_a_bad_request() -> None:
    """A prompt that no slot holds is refused with both sizes."""
    reply = await local().generate(ask("word " * 3000))
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.BAD_REQUEST
    assert "2048" in reply.message
    assert "word" not in reply.message


async def test_seeds_and_temperature_decide() -> None:
    """At 0 the seed does not matter; above, equal seeds agree and different ones do not."""
    provider = local()
    prompt = "Name an animal and say what it does."

    async def say(temperature: float, seed: int) -> str:
        fields: dict[str, Any] = {"temperature": temperature, "seed": seed, "max_tokens": 24}
        return (await provider.generate(ask(prompt, **fields))).text

    assert await say(0.0, 1) == await say(0.0, 2)
    assert await say(1.0, 1) == await say(1.0, 1)
    assert len({await say(1.0, seed) for seed in range(5)}) > 1


async def test_the_same_seed_says_the_same_alone_and_among_others() -> None:
    """A trial can be repeated by its seed, whatever else ran beside it."""
    provider = local()
    requests = [
        ask("Name a town and say why.", temperature=0.8, seed=seed, max_tokens=24)
        for seed in range(8)
    ]
    alone = [(await provider.generate(request)).text for request in requests]
    together = await asyncio.gather(*(provider.generate(request) for request in requests))
    assert [reply.text for reply in together] == alone


async def test_calls_overlap() -> None:
    """A short call that begins after a long one ends before it: slots work at once."""
    provider = local()
    await provider.generate(ask("Hi", max_tokens=1))
    long = asyncio.create_task(
        provider.generate(ask("Tell a very long story.", max_tokens=300, temperature=0.9, seed=1))
    )
    await asyncio.wait({long}, timeout=0.2)
    await provider.generate(ask("Hi", max_tokens=2))
    assert not long.done()
    await long


async def test_a_cancelled_call_frees_its_slot() -> None:
    """With one slot, the next call after a cancelled long one is served soon."""
    provider = local(slots=1, n_ctx=4096, max_tokens=3500)
    await provider.generate(ask("Hi", max_tokens=1))
    long = asyncio.create_task(provider.generate(ask("Tell a story.", temperature=1.5, seed=1)))
    await asyncio.wait({long}, timeout=0.5)
    assert not long.done()
    long.cancel()
    async with asyncio.timeout(10):
        await provider.generate(ask("Hi", max_tokens=2))


async def test_it_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    """Loading and running write nothing to the terminal."""
    async with LocalProvider(slots=1) as provider:
        await provider.generate(ask("What is the capital of Italy?", City, max_tokens=30))
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_no_port_is_opened() -> None:
    """No descriptor of this process is an internet socket that listens."""
    await local().generate(ask("Hi", max_tokens=1))
    assert find_listening() == []


def find_listening() -> list[Any]:
    """Return the addresses at which this process listens, Unix sockets left out."""
    found = []
    for link in list(Path("/proc/self/fd").iterdir()):
        if link.exists() and str(link.readlink()).startswith("socket:"):
            with socket.socket(fileno=os.dup(int(link.name))) as one:
                is_open = one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
                if is_open and one.family is not socket.AF_UNIX:
                    found.append(one.getsockname())
    return found
