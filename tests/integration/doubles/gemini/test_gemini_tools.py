"""Functions: declared, called, answered, by hand and by the SDK's own loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.genai import types

from tierwise.domain import ToolCall
from tierwise.doubles.gateway import Say

if TYPE_CHECKING:
    from conftest import Sdk

    from tierwise.doubles.gateway import Gateway

NEW = "gemini-3.8-flash"
PARAMETERS = {
    "type": "OBJECT",
    "properties": {"city": {"type": "STRING", "nullable": True}, "days": {"type": "INTEGER"}},
    "required": ["days"],
}
WEATHER: Any = {"name": "weather", "description": "Of a city.", "parameters": PARAMETERS}


def tools(*declarations: Any) -> dict[str, Any]:
    """Return a config that offers functions and leaves calling them to us."""
    return {
        "tools": [{"function_declarations": list(declarations)}],
        "automatic_function_calling": {"disable": True},
    }


async def test_one_call(gateway: Gateway, sdk: Sdk) -> None:
    """Name, arguments and an id arrive, and the reason is STOP as Gemini has it."""
    gateway.when(tool="weather").call("weather", {"days": 2})
    reply = await sdk.generate(**tools(WEATHER))
    (call,) = reply.function_calls
    assert (call.name, call.args) == ("weather", {"days": 2})
    assert call.id
    assert reply.candidates[0].finish_reason == types.FinishReason.STOP
    assert reply.text is None


async def test_parallel_calls_have_ids_of_their_own(gateway: Gateway, sdk: Sdk) -> None:
    """Several calls in one turn, in order; an id that was said is kept."""
    calls = [
        ToolCall(name="weather", arguments={"days": 1}),
        ToolCall(name="weather", arguments={"days": 2}, id="mine"),
        ToolCall(name="weather", arguments={"days": 3}),
    ]
    gateway.when().say(Say(tool_calls=tuple(calls)))
    found = (await sdk.generate(**tools(WEATHER))).function_calls
    assert [call.args["days"] for call in found] == [1, 2, 3]
    assert len({call.id for call in found}) == 3
    assert found[1].id == "mine"


async def test_text_beside_a_call(gateway: Gateway, sdk: Sdk) -> None:
    """The text comes before the call."""
    call = ToolCall(name="weather", arguments={"days": 1})
    gateway.when().say(Say(text="One moment.", tool_calls=(call,)))
    parts = (await sdk.generate(**tools(WEATHER))).candidates[0].content.parts
    assert parts[0].text == "One moment."
    assert parts[1].function_call.name == "weather"


async def test_declarations_are_read(gateway: Gateway, sdk: Sdk) -> None:
    """A function arrives with a JSON schema, whichever way its parameters were declared."""
    gateway.when().say("x")
    other = {"name": "other", "parameters_json_schema": {"type": "object", "properties": {}}}
    await sdk.generate(**tools(WEATHER, other, {"name": "bare"}))
    read, plain, bare = gateway.requests.only().asked.tools
    assert (read.name, read.description) == ("weather", "Of a city.")
    assert read.parameters == {
        "type": "object",
        "properties": {"city": {"type": ["string", "null"]}, "days": {"type": "integer"}},
        "required": ["days"],
    }
    assert plain.parameters == bare.parameters == {"type": "object", "properties": {}}


async def test_what_has_to_be_called(gateway: Gateway, sdk: Sdk) -> None:
    """ANY with one allowed name is that name, with none any; AUTO is no duty."""
    gateway.when().call("weather", {"days": 1})
    for config in (
        {"mode": "ANY", "allowed_function_names": ["weather"]},
        {"mode": "ANY"},
        {"mode": "AUTO"},
    ):
        await sdk.generate(**tools(WEATHER), tool_config={"function_calling_config": config})
    duties = [entry.asked.must_call for entry in gateway.requests]
    assert duties == ["weather", "*", None]


async def test_a_loop_by_hand(gateway: Gateway, sdk: Sdk) -> None:
    """The model's content goes back as it came, the result after it, and both are read."""
    gateway.when(tool_result=False).call("weather", {"days": 1})
    gateway.when(tool_result="sunny").say("It will be sunny.")
    first = await sdk.generate("weather?", NEW, **tools(WEATHER))
    call = first.function_calls[0]
    result = types.Part(
        function_response=types.FunctionResponse(
            id=call.id, name=call.name, response={"sky": "sunny"}
        )
    )
    contents = [
        types.UserContent("weather?"),
        first.candidates[0].content,
        types.UserContent(result),
    ]
    second = await sdk.generate(contents, NEW, **tools(WEATHER))
    assert second.text == "It will be sunny."
    turns = gateway.requests[1].asked.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool"]
    assert turns[1].tool_calls[0].arguments == {"days": 1}
    assert (turns[2].tool_name, turns[2].tool_call_id) == ("weather", call.id)
    assert turns[2].text == '{"sky": "sunny"}'


async def test_calls_are_signed(gateway: Gateway, sdk: Sdk) -> None:
    """From Gemini 3 on the first of parallel calls has a signature, and the others none."""
    calls = [ToolCall(name="weather", arguments={"days": n}) for n in (1, 2)]
    gateway.when().say(Say(tool_calls=tuple(calls)))
    parts = (await sdk.generate("hi", NEW, **tools(WEATHER))).candidates[0].content.parts
    assert parts[0].thought_signature
    assert parts[1].thought_signature is None


async def test_calls_of_older_models_are_signed_after_thinking(gateway: Gateway, sdk: Sdk) -> None:
    """Before Gemini 3 a signature comes with thoughts alone."""
    call = ToolCall(name="weather", arguments={"days": 1})
    gateway.when(last_user="quick").say(Say(tool_calls=(call,)))
    gateway.when(last_user="slow").say(Say(thinking="hm", tool_calls=(call,)))
    for text, is_signed in (("quick", False), ("slow", True)):
        parts = (await sdk.generate(text, **tools(WEATHER))).candidates[0].content.parts
        assert (parts[0].thought_signature is not None) is is_signed


async def test_the_sdk_calls_functions_itself(gateway: Gateway, sdk: Sdk) -> None:
    """Automatic function calling in a chat: called, answered, and the history kept."""
    asked: list[int] = []

    def double(number: int) -> int:
        """Return twice the number."""
        asked.append(number)
        return 2 * number

    gateway.when(tool_result=False).call("double", {"number": 4})
    gateway.when(tool_result="8").say("Eight.")
    reply = await sdk.send(sdk.chat(NEW, tools=[double]), "twice four?")
    assert reply.text == "Eight."
    assert asked == [4]
    assert gateway.requests[0].asked.tools[0].parameters["required"] == ["number"]


async def test_parallel_calls_by_the_sdk(gateway: Gateway, sdk: Sdk) -> None:
    """Both are called and both results come back in one turn."""

    def double(number: int) -> int:
        """Return twice the number."""
        return 2 * number

    calls = [ToolCall(name="double", arguments={"number": n}) for n in (1, 2)]
    gateway.when(tool_result=False).say(Say(tool_calls=tuple(calls)))
    gateway.when(tool_result=True).say("Two and four.")
    reply = await sdk.send(sdk.chat(NEW, tools=[double]), "twice one and two?")
    assert reply.text == "Two and four."
    results = [turn.text for turn in gateway.requests[1].asked.turns if turn.role == "tool"]
    assert results == ['{"result": 2}', '{"result": 4}']


async def test_a_chat_keeps_its_history(gateway: Gateway, sdk: Sdk) -> None:
    """Each message brings all turns before it."""
    gateway.when(turn=1).say("Hello, Ann.")
    gateway.when(turn=2, text="My name is Ann").say("You are Ann.")
    chat = sdk.chat()
    await sdk.send(chat, "My name is Ann.")
    assert (await sdk.send(chat, "Who am I?")).text == "You are Ann."
    roles = [turn.role for turn in gateway.requests[1].asked.turns]
    assert roles == ["user", "assistant", "user"]
