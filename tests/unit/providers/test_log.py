"""What a log shares with those who call, and what it copies."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from tierwise.domain import Message, ToolCall
from tierwise.providers import (
    MockProvider,
    RecordingProvider,
    Request,
    SchemaProvider,
    SimulatedProvider,
    Tool,
)
from tierwise.providers.log import copy_request


class Move(BaseModel):
    to: str


def test_a_request_that_nobody_can_change_is_not_copied() -> None:
    """Messages are frozen, and copying long prompts took most of a trial's time."""
    request: Request[Any] = Request(messages=(Message(role="user", content="hi"),), schema=Move)
    assert copy_request(request) is request


def test_messages_in_a_list_are_kept_as_they_were() -> None:
    """An app that goes on with its own list does not change the record."""
    turns: Any = [Message(role="user", content="hi")]
    kept = copy_request(Request(messages=turns))
    turns.append(Message(role="user", content="again"))
    assert kept.messages == (Message(role="user", content="hi"),)


def test_arguments_of_tool_calls_are_kept_as_they_were() -> None:
    """They are dicts inside frozen messages."""
    given = {"at": ["chest"]}
    wish = ToolCall(name="look", arguments=given)
    said = Message(role="assistant", content="", tool_calls=(wish,))
    plain = Message(role="user", content="hi")
    kept = copy_request(Request(messages=(plain, said)))
    given["at"].append("door")
    assert kept.messages[1].tool_calls[0].arguments == {"at": ["chest"]}
    assert kept.messages[0] is plain


def test_parameters_of_tools_are_kept_as_they_were() -> None:
    """They are dicts inside frozen tools."""
    parameters: dict[str, Any] = {"type": "object"}
    request: Request[Any] = Request(messages=(), tools=(Tool(name="look", parameters=parameters),))
    kept = copy_request(request)
    parameters["type"] = "string"
    assert kept.tools[0].parameters == {"type": "object"}


async def test_data_of_a_reply_is_kept_as_it_was() -> None:
    """A pydantic object can change; a test may do so with what it was given."""
    recorder = RecordingProvider(MockProvider([{"to": "inn"}]))
    request: Request[Any] = Request(messages=(Message(role="user", content="hi"),), schema=Move)
    reply = await recorder.generate(request)
    reply.data.to = "cellar"  # type: ignore[union-attr]
    assert recorder.exchanges[0].data == {"to": "inn"}


async def test_a_schema_is_written_out_once_and_a_changed_tool_anew() -> None:
    """The audit reads both, and neither from a call before."""
    recorder = RecordingProvider(SchemaProvider())
    for description in ("opens doors", "opens chests"):
        await recorder.generate(
            Request(
                messages=(Message(role="user", content="hi"),),
                schema=Move,
                tools=(Tool(name="open", description=description),),
            )
        )
    first, second = (said.attached for said in recorder.exchanges)
    assert "opens doors" in first
    assert "opens chests" in second
    assert '"to"' in first
    assert '"to"' in second


async def test_a_double_can_be_told_to_keep_no_calls() -> None:
    """A million trials are kept in the run store, not in memory as well."""
    for provider in (SchemaProvider(keep_calls=False), SimulatedProvider(keep_calls=False)):
        reply = await provider.generate(Request(messages=(Message(role="user", content="hi"),)))
        assert reply.text
        assert provider.calls == ()
        assert provider.exchanges == ()
