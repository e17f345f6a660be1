"""The fake vendor itself: what it says, how it fails, and that its counts are true."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fake_vendor import Asked, FakeVendor, Faults, Response
from vendor_replies import Draw, make_up

from tierwise.providers import Answer, FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.providers import HttpProvider, Request

    Serve = Callable[..., FakeVendor]
    Connect = Callable[..., HttpProvider]
    Form = Callable[..., Request[Any]]

PROGRAM = Path(__file__).parents[2] / "vendor" / "fake_vendor.py"


async def test_an_answer_can_be_computed(serve: Serve, connect: Connect, form: Form) -> None:
    """A function of the request decides, and may give a whole response."""

    def answer(asked: Asked) -> str | Response:
        return Response(status=503) if asked.body["seed"] else f"to {asked.prompt}"

    vendor = serve(answer)
    assert (await connect(vendor).generate(form("you", seed=0))).text == "to you"
    assert (await connect(vendor).generate(form("you", seed=1))).kind is FailureKind.UNAVAILABLE


async def test_what_is_in_flight_is_counted(
    serve: Serve, connect: Connect, form: Form, await_that: Callable[..., None]
) -> None:
    """Requests count from their arrival; those that the client left are told apart."""
    vendor = serve(Response(way="hang", counted="hanging"))
    provider = connect(vendor)
    tasks = [asyncio.create_task(provider.generate(form(str(index)))) for index in range(5)]
    await asyncio.to_thread(await_that, lambda: vendor.n_in_flight == 5)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.to_thread(await_that, lambda: vendor.n_in_flight == 0)
    assert vendor.tell() == {
        "counts": {"hanging": 5},
        "n_requests": 5,
        "n_in_flight": 0,
        "most_in_flight": 5,
        "n_abandoned": 5,
        "n_connections": 5,
    }


async def test_who_asks_for_something_else_is_told(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """Another path is no model's, and is counted as such."""
    vendor = serve()
    provider = connect(vendor)
    provider._client._url = provider._client._url.with_path("/v1/other")
    assert (await provider.generate(form())).kind is FailureKind.NOT_FOUND
    assert vendor.counts == {"no such path": 1}


def test_faults_come_in_their_shares_and_again_alike() -> None:
    """Which request fails follows from seed and request, and a repetition is drawn anew."""
    shares = Faults(busy=0.2, hanging=0.1, seed=4)

    def draw(faults: Faults, n: int = 4000) -> list[str]:
        chooses = Draw(faults)
        drawn = [chooses.choose(str(index).encode()) for index in range(n)]
        return ["" if one is None else one.counted for one in drawn]

    first = draw(shares)
    assert first == draw(shares)
    assert first != draw(Faults(busy=0.2, hanging=0.1, seed=5))
    assert 700 < first.count("busy") < 900
    assert 330 < first.count("hanging") < 470
    one = Draw(Faults(busy=0.5))
    assert {one.choose(b"same") is None for _ in range(40)} == {True, False}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "object", "properties": {"a": {"type": "integer"}}}, {"a": 1}),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"const": "x"}}}, "x"),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, None),
        ({"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2}, ["x", "x"]),
        ({"type": "boolean"}, True),
    ],
)
def test_answers_fit_their_schema(schema: dict[str, Any], value: object) -> None:
    """Without an answer of its own it makes the plainest valid one up."""
    assert make_up(schema) == value


def test_it_runs_as_a_program_too(connect: Connect, form: Form) -> None:
    """It prints its port, fails as its options say, tells its counts, and ends with its input."""
    options = ["--answer", "yes", "--busy", "0.5", "--latency", "0.01"]
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        vendor = FakeVendor()
        vendor.port = int(child.stdout.readline())
        provider = connect(vendor)

        async def ask_often() -> list[Any]:
            calls = (provider.generate(form(str(index))) for index in range(100))
            return await asyncio.gather(*calls)

        replies = asyncio.run(ask_often())
        with urllib.request.urlopen(vendor.url.replace("/v1", "/counts")) as counts:  # noqa: S310
            told = json.load(counts)
        child.communicate("")
    n_answers = sum(isinstance(reply, Answer) for reply in replies)
    assert told["counts"] == {"answered": n_answers, "busy": 100 - n_answers}
    assert 0 < n_answers < 100
    assert child.returncode == 0
