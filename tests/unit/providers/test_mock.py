from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel, computed_field

from tierwise.domain import Message, ToolCall, Usage
from tierwise.errors import MisuseError
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    MockProvider,
    Provider,
    Request,
    Tool,
    count_tokens,
)


class Move(BaseModel):
    to: str


class Other(BaseModel):
    to: str


def ask(schema: type[BaseModel] | None = Move, **changes: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content="go on"),), schema=schema, **changes)


async def one(answer: Any, request: Request[Any] | None = None) -> Answer[Any] | Failure:
    return await MockProvider([answer]).generate(request or ask())


@pytest.mark.parametrize(
    "answer",
    [
        Move(to="inn"),
        {"to": "inn"},
        '{"to": "inn"}',
        Answer(text='{"to": "inn"}'),
        Answer(text="", data=Move(to="inn")),
        lambda _: {"to": "inn"},
    ],
)
async def test_each_form_of_answer_becomes_data(answer: Any) -> None:
    """Objects, dicts, text, replies and functions all end as data that fits its text."""
    reply = await one(answer)
    assert isinstance(reply, Answer)
    assert reply.data == Move(to="inn")
    assert Move.model_validate_json(reply.text) == reply.data


async def test_an_async_function_may_answer() -> None:
    """A coroutine function is awaited, with the request as its argument."""

    async def answer(request: Request[Any]) -> dict[str, str]:
        await asyncio.sleep(0)
        return {"to": request.purpose}

    reply = await one(answer, ask(purpose="inn"))
    assert isinstance(reply, Answer)
    assert reply.data == Move(to="inn")


async def test_without_a_schema_there_is_no_data() -> None:
    """Success without a schema has text and no data, whatever the answer was."""
    for answer in ("hello", {"to": "inn"}, Answer(text="hello", data=Move(to="inn"))):
        reply = await one(answer, ask(None))
        assert isinstance(reply, Answer)
        assert reply.data is None
        assert reply.text in ("hello", '{"to": "inn"}')


async def test_an_object_of_another_class_is_a_mismatch() -> None:
    """An answer meant for another request is caught, even when its fields would fit."""
    reply = await one(Other(to="inn"))
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.SCHEMA_MISMATCH
    assert "Other" in reply.message
    assert "Move" in reply.message


async def test_an_object_that_dodged_its_own_checks_is_a_mismatch() -> None:
    """Data is checked again: `model_construct` smuggles nothing in."""
    reply = await one(Move.model_construct(to=5))
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.SCHEMA_MISMATCH


async def test_computed_fields_do_not_get_in_the_way() -> None:
    """An object with a computed field passes a schema that forbids extra fields."""

    class Box(BaseModel, extra="forbid"):
        side: int

        @computed_field  # type: ignore[prop-decorator]
        @property
        def area(self) -> int:
            return self.side**2

    reply = await one(Box(side=2), ask(Box))
    assert isinstance(reply, Answer)


async def test_malformed_and_mismatch_are_told_apart() -> None:
    """Text that is no JSON is malformed, JSON of another shape is a mismatch; both keep text."""
    provider = MockProvider(["nope", '{"at": 1}'])
    first, second = [await provider.generate(ask()) for _ in range(2)]
    assert isinstance(first, Failure)
    assert isinstance(second, Failure)
    assert (first.kind, first.text) == (FailureKind.MALFORMED, "nope")
    assert (second.kind, second.text) == (FailureKind.SCHEMA_MISMATCH, '{"at": 1}')


async def test_a_failure_is_given_as_it_is() -> None:
    """A scripted failure keeps its kind, message and waiting time."""
    busy = Failure(kind=FailureKind.BUSY, message="later", retry_after_s=2.0)
    reply = await one(busy)
    assert isinstance(reply, Failure)
    assert (reply.kind, reply.message, reply.retry_after_s) == (busy.kind, "later", 2.0)


async def test_wire_exceptions_are_failures_and_others_are_raised() -> None:
    """A TimeoutError is returned as a failure; a ValueError is the program's and is raised."""
    reply = await one(TimeoutError())
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.TIMEOUT
    provider = MockProvider([ValueError("mine")])
    with pytest.raises(ValueError, match="mine"):
        await provider.generate(ask())
    assert provider.exchanges[0].failure == "raised:ValueError"


async def test_an_exhausted_mock_is_a_failure_that_is_kept() -> None:
    """A call beyond the last answer fails, is among the calls, and is complained of."""
    provider = MockProvider([])
    reply = await provider.generate(ask())
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.EXHAUSTED
    assert [exchange.failure for exchange in provider.exchanges] == ["exhausted"]
    assert len(provider.finish()) == 1
    assert "1 time(s)" in provider.finish()[0]


async def test_unused_answers_are_complained_of() -> None:
    """Answers that were never asked for are counted at the end; used ones are not."""
    provider = MockProvider([{"to": "inn"}, {"to": "mill"}, {"to": "well"}])
    await provider.generate(ask())
    (complaint,) = provider.finish()
    assert "2 unused answer(s) of 3" in complaint
    await provider.generate(ask())
    await provider.generate(ask())
    assert provider.finish() == ()


async def test_a_bad_request_eats_no_answer() -> None:
    """A request that is refused leaves the next answer for the next request."""
    provider = MockProvider([{"to": "inn"}])
    await provider.generate(Request(messages=(), schema=Move))
    assert isinstance(await provider.generate(ask()), Answer)


async def test_usage_is_counted_by_the_declared_tokenizer() -> None:
    """Input is all messages, output the text, by `count_tokens`."""
    reply = await one('{"to": "inn"}')
    assert reply.usage == Usage(input_tokens=2, output_tokens=count_tokens('{"to": "inn"}'))
    assert count_tokens("Hello, world!") == 4


async def test_given_usage_is_kept() -> None:
    """An answer that brings its usage keeps it."""
    reply = await one(Answer(text='{"to": "inn"}', usage=Usage(input_tokens=7)))
    assert reply.usage.input_tokens == 7


async def test_later_changes_do_not_reach_answers() -> None:
    """Answers are copied when given, and what a caller changes is not the record."""
    answer = {"to": "inn"}
    provider = MockProvider([answer])
    answer["to"] = "mill"
    reply = await provider.generate(ask())
    assert isinstance(reply, Answer)
    assert reply.data == Move(to="inn")
    reply.data.to = "well"
    assert provider.exchanges[0].data == {"to": "inn"}


async def test_later_changes_do_not_reach_the_record() -> None:
    """The record holds the prompt as it was, though the caller's list and objects change."""
    arguments = {"at": {"x": 1}}
    messages = [
        Message(
            role="assistant", content="a", tool_calls=(ToolCall(name="f", arguments=arguments),)
        )
    ]
    provider = MockProvider(["one"])
    await provider.generate(Request(messages=messages))  # type: ignore[arg-type]  # a user's list
    messages.clear()
    arguments["at"]["x"] = 2
    (call,) = provider.calls
    assert call.request.messages[0].tool_calls[0].arguments == {"at": {"x": 1}}


async def test_tool_calls_are_answers() -> None:
    """A wish for an offered tool is an answer; for any other tool it is a mismatch."""
    offered = ask(None, tools=(Tool(name="look"),))
    reply = await one(ToolCall(name="look", arguments={}), offered)
    assert isinstance(reply, Answer)
    assert reply.tool_calls[0].name == "look"
    wrong = await one([ToolCall(name="lok", arguments={})], offered)
    assert isinstance(wrong, Failure)
    assert "'lok'" in wrong.message


@pytest.mark.parametrize("answer", [None, 5, Move, object()])
def test_what_can_be_no_answer_is_misuse(answer: Any) -> None:
    """A value that can never be an answer is refused where it is given."""
    with pytest.raises(MisuseError, match="Answer 0 of 'mock'"):
        MockProvider([answer])


async def test_a_function_that_returns_no_answer_is_misuse() -> None:
    """A function's wrong result is raised: the test is at fault, not the model."""
    with pytest.raises(MisuseError, match="returned 5"):
        await one(lambda _: 5)


async def test_concurrent_calls_take_answers_in_the_order_they_began() -> None:
    """Answers go to calls in the order in which these began, though they end otherwise."""
    gate = asyncio.Event()

    async def slow(_: Request[Any]) -> dict[str, str]:
        await gate.wait()
        return {"to": "slow"}

    provider = MockProvider([slow, {"to": "fast"}])
    first = asyncio.create_task(provider.generate(ask(purpose="1")))
    await asyncio.sleep(0)
    await provider.generate(ask(purpose="2"))
    assert [e.failure for e in provider.exchanges] == ["in_flight", None]
    gate.set()
    await first
    assert [(e.purpose, e.data) for e in provider.exchanges] == [
        ("1", {"to": "slow"}),
        ("2", {"to": "fast"}),
    ]


def test_it_is_a_provider_and_not_real() -> None:
    """A double satisfies the protocol and says that it reaches no model."""
    provider = MockProvider([], name="judge")
    assert isinstance(provider, Provider)
    assert (provider.name, provider.real) == ("judge", False)


@dataclass
class _Callable:
    """A function object, as users write them."""

    def __call__(self, request: Request[Any]) -> str:
        return request.messages[-1].content


async def test_any_callable_may_answer() -> None:
    """An object with `__call__` is asked for the answer."""
    reply = await one(_Callable(), ask(None))
    assert reply.text == "go on"
