"""Tools of other kinds than functions, and functions as they were before there were tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import OpenAIVendor

if TYPE_CHECKING:
    from openai import OpenAI

    from tierwise.doubles.gateway import Gateway

MODEL = "gpt-5"
CUSTOM: Any = {"type": "custom", "custom": {"name": "shell"}}
FLAT: Any = {"type": "custom", "name": "shell"}
FUNCTION: Any = {"name": "look", "parameters": {"type": "object", "properties": {}}}


def test_a_custom_tool_gets_text(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """A completion calls it with `input`, and goes on after its result."""
    gateway.when(tool_result="shell").say("Done.")
    gateway.when().call("shell", {"input": "ls -l"})
    first = client.chat.completions.create(model=MODEL, messages=ask, tools=[CUSTOM])
    message: Any = first.choices[0].message
    call = message.tool_calls[0]
    result: Any = {"role": "tool", "tool_call_id": call.id, "content": "a.txt"}

    second = client.chat.completions.create(
        model=MODEL, messages=[*ask, message, result], tools=[CUSTOM]
    )

    assert (call.type, call.custom.name, call.custom.input) == ("custom", "shell", "ls -l")
    assert second.choices[0].message.content == "Done."
    assert gateway.requests[1].asked.turns[1].tool_calls[0].arguments == {"input": "ls -l"}


def test_a_custom_tool_s_text_is_streamed(gateway: Gateway, client: OpenAI) -> None:
    """A response lets the input grow, and has it whole at the end."""
    gateway.when().call("shell", {"input": "ls -l /harbour"})

    events: list[Any] = list(
        client.responses.create(model=MODEL, input="List.", tools=[FLAT], stream=True)
    )

    deltas = [e.delta for e in events if e.type == "response.custom_tool_call_input.delta"]
    assert len(deltas) > 1
    assert "".join(deltas) == "ls -l /harbour"
    item = events[-1].response.output[0]
    assert (item.type, item.name, item.input) == ("custom_tool_call", "shell", "ls -l /harbour")
    added = next(event for event in events if event.type == "response.output_item.added")
    assert added.item.input == ""


def test_functions_are_called_as_they_were(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """A client that declares `functions` gets `function_call`, and its own reason to stop."""
    gateway.when(tool="look").call("look", {"x": 1})

    choice = client.chat.completions.create(
        model="gpt-4.1-mini", messages=ask, functions=[FUNCTION]
    ).choices[0]

    assert choice.finish_reason == "function_call"
    assert choice.message.tool_calls is None
    assert choice.message.function_call
    assert choice.message.function_call.name == "look"
    assert json.loads(choice.message.function_call.arguments) == {"x": 1}


def test_functions_are_streamed_as_they_were(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """The name comes first, the arguments in pieces."""
    gateway.when().call("look", {"place": "harbour"})

    chunks = list(
        client.chat.completions.create(
            model="gpt-4.1-mini", messages=ask, functions=[FUNCTION], stream=True
        )
    )

    calls = [c.choices[0].delta.function_call for c in chunks]
    found = [call for call in calls if call is not None]
    assert found[0].name == "look"
    assert json.loads("".join(call.arguments or "" for call in found)) == {"place": "harbour"}
    assert chunks[-1].choices[0].finish_reason == "function_call"


def test_the_page_lists_each_rule() -> None:
    """docs/gateway-openai.md says of each rule its status, its ground and what it holds."""
    page = (Path(__file__).parents[4] / "docs" / "gateway-openai.md").read_text(encoding="utf-8")
    listed = [line for line in page.splitlines() if line.startswith("| `")]

    for rule in OpenAIVendor().rules:
        says = f"{rule.says[0].upper()}{rule.says[1:]}."
        assert f"| `{rule.name}` | {rule.status} | {rule.ground} | {says} |" in listed
