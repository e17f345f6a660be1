"""Conversations that the vendor holds: the SDK's own loop of tools, and turns by hand."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import anthropic
import pytest
from anthropic_box import KEY, MODEL, WEATHER

from tierwise.doubles.gateway import Gateway

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    find_spec("anthropic.lib.threads") is None, reason="threads came with version 2 of the SDK"
)
BETAS = ["message-threads-2026-08-12"]


@pytest.fixture
def played() -> Iterator[Gateway]:
    """Return a gateway that is installed."""
    gateway = Gateway()
    with gateway.installed():
        yield gateway


def ask(text: str, thread: dict[str, str] | None, **more: Any) -> Any:
    """Return the message of one turn."""
    turns = [{"role": "user", "content": text}]
    asked: dict[str, Any] = {"model": MODEL, "max_tokens": 64, "messages": turns, "betas": BETAS}
    client = anthropic.Anthropic(api_key=KEY, max_retries=0)
    return client.beta.messages.create(**asked | {"thread": thread} | more)


def go_on(message: Any) -> dict[str, str]:
    """Return the thread behind a message."""
    return {"type": "continue", "previous_message_id": message.id}


def use_tools(*, stream: bool = False) -> str:
    """Have the SDK call a tool until there is an answer."""

    @anthropic.beta_tool
    def weather(city: str) -> str:
        """Tell the weather."""
        return f"sunny in {city}"

    client = anthropic.Anthropic(api_key=KEY, max_retries=0)
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=64,
        tools=[weather],
        messages=[{"role": "user", "content": "An umbrella?"}],
        stream=stream,
    )
    if stream:
        return [turn.get_final_message() for turn in runner][-1].content[0].text
    return runner.until_done().content[0].text


async def use_tools_async() -> str:
    """Do the same with the async client."""

    @anthropic.beta_async_tool
    async def weather(city: str) -> str:
        """Tell the weather."""
        return f"sunny in {city}"

    client = anthropic.AsyncAnthropic(api_key=KEY, max_retries=0)
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=64,
        tools=[weather],
        messages=[{"role": "user", "content": "An umbrella?"}],
    )
    return (await runner.until_done()).content[0].text


@pytest.mark.parametrize("how", ["plain", "stream", "async"])
def test_the_sdk_s_loop_of_tools_gets_to_its_end(played: Gateway, how: str) -> None:
    """The loop sends the tool's result alone, and the rules see the whole conversation."""
    played.when(tool_result="sunny in Oslo", tool="weather").say("None.")
    played.when(tool="weather").call("weather", {"city": "Oslo"})

    if how == "async":
        answer = asyncio.run(use_tools_async())
    else:
        answer = use_tools(stream=how == "stream")

    assert answer == "None."
    assert played.finish() == ()
    last = played.requests[-1]
    assert [turn["role"] for turn in last.json["messages"]] == ["user"]
    assert [turn.role for turn in last.asked.turns] == ["user", "assistant", "tool"]


def test_what_a_thread_was_begun_with_stays(played: Gateway) -> None:
    """System and tools are not sent again, and are there for the next turn all the same."""
    played.when(system="Be brief.", tool="weather").sequence("one", "two")

    first = ask("Hello?", {"type": "create"}, system="Be brief.", tools=[WEATHER])
    second = ask("And?", go_on(first))

    assert (first.content[0].text, second.content[0].text) == ("one", "two")
    assert played.requests[1].asked.text == "Be brief.\nHello?\none\nAnd?"


def test_the_same_beginning_twice_is_two_threads(played: Gateway) -> None:
    """A request that came before is not answered from what was rendered for it."""
    played.when().say("one")

    begun = [ask("Hello?", {"type": "create"}) for _ in range(4)]

    assert [ask("And?", go_on(one)).content[0].text for one in begun] == ["one"] * 4


@pytest.mark.parametrize("kind", ["unknown", "twice", "unheld"])
def test_what_cannot_be_gone_on_from_is_refused(played: Gateway, kind: str) -> None:
    """An id of nobody's, one that was gone on from already, and one that no thread was for."""
    played.when(optional=True).say("one")
    if kind == "unknown":
        thread = {"type": "continue", "previous_message_id": "msg_nobody"}
    else:
        first = ask("Hello?", None if kind == "unheld" else {"type": "create"})
        thread = go_on(first)
    if kind == "twice":
        ask("And?", thread)

    with pytest.raises(anthropic.APIStatusError) as caught:
        ask("And?", thread)

    expected = (400, "thread_already_continued") if kind == "twice" else (404, "thread_not_found")
    assert (caught.value.status_code, caught.value.error_code) == expected


def test_a_turn_of_the_system_may_hold_settings_alone(played: Gateway) -> None:
    """Such a turn has no content; without settings it says nothing, and is refused."""
    played.when().say("one")
    user = {"role": "user", "content": "Hello?"}
    settings = {"role": "system", "output_config": {"effort": "low"}}

    assert ask("", None, messages=[user, settings]).content[0].text == "one"
    with pytest.raises(anthropic.BadRequestError, match="must have non-empty content"):
        ask("", None, messages=[user, {"role": "system", "output_config": {}}])
