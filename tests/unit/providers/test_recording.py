from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel, RootModel

from tierwise.domain import Message, ToolCall
from tierwise.providers import Failure, FailureKind, MockProvider, RecordingProvider, Request, Tool


class Move(BaseModel):
    to: str


def ask(prompt: str = "go", **fields: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content=prompt),), **fields)


async def test_it_passes_through_and_keeps_both_sides_with_labels() -> None:
    """A reply comes back unchanged, and the exchange has prompt, reply, data and labels."""
    recorder = RecordingProvider(MockProvider([{"to": "inn"}], name="m"))
    reply = await recorder.generate(ask(schema=Move, purpose="intent", viewer="mira"))
    (exchange,) = recorder.exchanges
    assert reply.text == exchange.reply == '{"to": "inn"}'
    assert exchange.data == {"to": "inn"}
    assert (exchange.purpose, exchange.viewer) == ("intent", "mira")
    assert (exchange.provider, exchange.model, exchange.failure) == ("m", "m", None)
    assert exchange.usage == reply.usage
    assert exchange.prompt_text == "go"


async def test_failures_are_kept_with_their_text() -> None:
    """A failure is an exchange with its kind, and what the model said."""
    failure = Failure(kind=FailureKind.REFUSED, message="no", text="I can't.")
    recorder = RecordingProvider(MockProvider([failure]))
    await recorder.generate(ask())
    (exchange,) = recorder.exchanges
    assert (exchange.failure, exchange.reply, exchange.data) == ("refused", "I can't.", None)


async def test_exceptions_are_kept_and_raised_on() -> None:
    """What the inner provider raises is recorded by its class and reaches the caller."""
    recorder = RecordingProvider(MockProvider([KeyError("x")]))
    with pytest.raises(KeyError):
        await recorder.generate(ask())
    assert recorder.exchanges[0].failure == "raised:KeyError"


async def test_a_cancelled_call_is_kept() -> None:
    """A prompt that was sent is on record even when nobody waited for the reply."""

    async def hang(_: Request[Any]) -> str:
        await asyncio.Event().wait()
        return ""

    recorder = RecordingProvider(MockProvider([hang]))
    task = asyncio.create_task(recorder.generate(ask()))
    await asyncio.sleep(0)
    assert recorder.exchanges[0].failure == "in_flight"
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert recorder.exchanges[0].failure == "cancelled"


async def test_concurrent_calls_keep_the_order_in_which_they_began() -> None:
    """The record is in order of beginning, whatever ends first."""
    gates = [asyncio.Event() for _ in range(5)]

    def wait_for(index: int) -> Any:
        async def answer(_: Request[Any]) -> str:
            await gates[index].wait()
            return f"reply {index}"

        return answer

    recorder = RecordingProvider(MockProvider([wait_for(index) for index in range(5)]))
    tasks = [asyncio.create_task(recorder.generate(ask(f"prompt {i}"))) for i in range(5)]
    for gate in reversed(gates):
        await asyncio.sleep(0)
        gate.set()
    await asyncio.gather(*tasks)
    pairs = [(e.prompt_text, e.reply) for e in recorder.exchanges]
    assert pairs == [(f"prompt {i}", f"reply {i}") for i in range(5)]


def test_it_speaks_for_the_inner_provider() -> None:
    """Name and realness are those of what is wrapped."""

    class Real(MockProvider):
        real = True

    recorder = RecordingProvider(Real([], name="vendor"))
    assert (recorder.name, recorder.real) == ("vendor", True)


async def test_data_that_is_no_mapping_is_kept_under_root() -> None:
    """The data of a root model is kept as a mapping with one key."""
    recorder = RecordingProvider(MockProvider(["[1, 2]"]))
    await recorder.generate(ask(schema=RootModel[list[int]]))
    assert recorder.exchanges[0].data == {"root": [1, 2]}


async def test_the_tools_that_a_reply_asks_for_are_kept() -> None:
    """They are the last act of an agent, and no later prompt repeats them."""
    wish = ToolCall(name="look", arguments={"at": "chest"}, id="1")
    recorder = RecordingProvider(MockProvider([wish]))
    await recorder.generate(ask(tools=(Tool(name="look"),)))
    assert recorder.exchanges[0].tool_calls == (wish,)
