from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Usage
from tierwise.doubles.gateway import Stop

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    from tierwise.doubles.gateway import Gateway

MODEL = "gpt-4.1-mini"
TOOL: Any = {
    "type": "function",
    "name": "get_weather",
    "parameters": {
        "type": "object",
        "properties": {"place": {"type": "string"}},
        "required": ["place"],
        "additionalProperties": False,
    },
    "strict": True,
}


def test_a_response_is_what_the_vendor_sends(gateway: Gateway, client: OpenAI) -> None:
    """A response is completed, has one message with one text, and its usage."""
    gateway.when().say("By the sea.")

    reply = client.responses.create(model=MODEL, input="Where?", instructions="Be brief.")

    assert reply.id.startswith("resp_")
    assert (reply.object, reply.status, reply.model) == ("response", "completed", MODEL)
    assert reply.output_text == "By the sea."
    assert [item.type for item in reply.output] == ["message"]
    message: Any = reply.output[0]
    assert (message.role, message.status) == ("assistant", "completed")
    assert reply.instructions == "Be brief."
    assert reply.error is None
    assert reply.incomplete_details is None
    assert reply.usage
    assert reply.usage.total_tokens == reply.usage.input_tokens + reply.usage.output_tokens


async def test_an_async_client_gets_the_same(gateway: Gateway, async_client: AsyncOpenAI) -> None:
    """An async client is answered as a sync one."""
    gateway.when().say("By the sea.")

    reply = await async_client.responses.create(model=MODEL, input="Where?")

    assert reply.output_text == "By the sea."


def test_a_response_repeats_its_request(gateway: Gateway, client: OpenAI) -> None:
    """Settings of the request stand in the response, defaults where there was none."""
    gateway.when().call("get_weather", {"place": "Oslo"})

    reply = client.responses.create(
        model=MODEL,
        input="Where?",
        tools=[TOOL],
        tool_choice={"type": "function", "name": "get_weather"},
        temperature=0.5,
        max_output_tokens=100,
        metadata={"run": "7"},
        previous_response_id="resp_before",
        parallel_tool_calls=False,
    )

    assert (reply.temperature, reply.top_p, reply.max_output_tokens) == (0.5, 1.0, 100)
    assert reply.metadata == {"run": "7"}
    assert reply.previous_response_id == "resp_before"
    assert reply.parallel_tool_calls is False
    assert reply.truncation == "disabled"
    tool: Any = reply.tools[0]
    assert tool.name == "get_weather"
    choice: Any = reply.tool_choice
    assert choice.name == "get_weather"
    assert gateway.requests[0].asked.must_call == "get_weather"


def test_usage_is_what_the_rule_says(gateway: Gateway, client: OpenAI) -> None:
    """Cached and reasoning tokens stand in the details, as parts of the whole."""
    usage = Usage(input_tokens=100, output_tokens=30, cached_input_tokens=80, reasoning_tokens=20)
    gateway.when().say("Yes.", usage=usage)

    told = client.responses.create(model=MODEL, input="Where?").usage

    assert told
    assert (told.input_tokens, told.output_tokens, told.total_tokens) == (100, 30, 130)
    assert told.input_tokens_details.cached_tokens == 80
    assert told.output_tokens_details.reasoning_tokens == 20


def test_reasoning_is_told_to_those_who_ask(gateway: Gateway, client: OpenAI) -> None:
    """With a summary asked for, what was thought is an item before the message."""
    gateway.when().say("Yes.", thinking="Let me see.")

    reply = client.responses.create(
        model="o3",
        input="Where?",
        reasoning={"effort": "low", "summary": "auto"},
        include=["reasoning.encrypted_content"],
    )

    assert [item.type for item in reply.output] == ["reasoning", "message"]
    item: Any = reply.output[0]
    assert [part.text for part in item.summary] == ["Let me see."]
    assert item.encrypted_content
    assert reply.usage
    assert reply.usage.output_tokens_details.reasoning_tokens == 4


def test_reasoning_is_not_told_to_others(gateway: Gateway, client: OpenAI) -> None:
    """Without that the item is there and says nothing."""
    gateway.when().say("Yes.", thinking="Let me see.")

    item: Any = client.responses.create(model="o3", input="Where?").output[0]

    assert (item.type, item.summary, item.encrypted_content) == ("reasoning", [], None)


def test_a_refusal_is_a_part_of_the_message(gateway: Gateway, client: OpenAI) -> None:
    """A refusal is a part of its own kind, and there is no text."""
    gateway.when().say(refusal="I can't help.")

    reply = client.responses.create(model=MODEL, input="Where?")

    message: Any = reply.output[0]
    assert [(part.type, part.refusal) for part in message.content] == [
        ("refusal", "I can't help.")
    ]
    assert reply.output_text == ""
    assert reply.status == "completed"


@pytest.mark.parametrize(
    ("stop", "reason"),
    [(Stop.LENGTH, "max_output_tokens"), (Stop.FILTERED, "content_filter")],
)
def test_a_response_that_is_cut_is_incomplete(
    gateway: Gateway, client: OpenAI, stop: Stop, reason: str
) -> None:
    """A limit or a filter makes a response incomplete, and it says which."""
    gateway.when().say("By the", stop=stop)

    reply = client.responses.create(model=MODEL, input="Where?")

    assert reply.status == "incomplete"
    assert reply.incomplete_details
    assert reply.incomplete_details.reason == reason
    message: Any = reply.output[0]
    assert message.status == "incomplete"


def test_function_calls_are_items(gateway: Gateway, client: OpenAI) -> None:
    """Each call is an item with two ids, and there is no message."""
    gateway.when(tool="get_weather").call("get_weather", {"place": "Zürich"}).call(
        "get_weather", {"place": "Oslo"}
    )

    reply = client.responses.create(model=MODEL, input="Where?", tools=[TOOL])

    calls: Any = reply.output
    assert [call.type for call in calls] == ["function_call", "function_call"]
    assert [json.loads(call.arguments)["place"] for call in calls] == ["Zürich", "Oslo"]
    assert len({call.call_id for call in calls} | {call.id for call in calls}) == 4
    assert {call.status for call in calls} == {"completed"}


def test_a_tool_loop_goes_round(gateway: Gateway, client: OpenAI) -> None:
    """The vendor's own items go back as they came, with the output after them."""
    gateway.when(tool_result="get_weather").say("It rains.")
    gateway.when().call("get_weather", {"place": "Oslo"})
    items: list[Any] = [{"role": "user", "content": "Weather?"}]
    first = client.responses.create(model=MODEL, input=items, tools=[TOOL])
    call: Any = first.output[0]
    items += first.output
    items.append({"type": "function_call_output", "call_id": call.call_id, "output": "rain"})

    second = client.responses.create(model=MODEL, input=items, tools=[TOOL])

    assert second.output_text == "It rains."
    turns = gateway.requests[1].asked.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool"]
    assert (turns[2].tool_name, turns[2].text) == ("get_weather", "rain")


def test_a_conversation_with_reasoning_goes_round(gateway: Gateway, client: OpenAI) -> None:
    """Messages and reasoning items of the vendor's own are accepted again."""
    gateway.when().say("Yes.", thinking="Hm.")
    items: list[Any] = [{"role": "user", "content": "Really?"}]
    items += client.responses.create(model="o3", input=items).output
    items.append({"role": "user", "content": "And now?"})

    client.responses.create(model="o3", input=items)

    asked = gateway.requests[1].asked
    assert [(turn.role, turn.text) for turn in asked.turns] == [
        ("user", "Really?"),
        ("assistant", "Yes."),
        ("user", "And now?"),
    ]


def test_parse_gives_the_schema_s_own_class(gateway: Gateway, client: OpenAI, place: Any) -> None:
    """`parse` sends a strict schema and gets an instance of it back."""
    gateway.when(schema=True).data({"name": "Pier", "depth": 7})

    reply = client.responses.parse(model=MODEL, input="Where?", text_format=place)

    assert reply.output_parsed == place(name="Pier", depth=7)
    asked = gateway.requests[0].asked
    assert asked.schema
    assert set(asked.schema["properties"]) == {"name", "depth"}


def test_what_is_no_text_is_read(gateway: Gateway, client: OpenAI) -> None:
    """Images and files are accepted, and their kinds are known to the scenario."""
    gateway.when().say("A harbour.")
    content: Any = [
        {"type": "input_text", "text": "What is this?"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"},
        {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,A"},
    ]

    client.responses.create(model="gpt-4o", input=[{"role": "user", "content": content}])

    turn = gateway.requests[0].asked.turns[0]
    assert turn.text == "What is this?"
    assert turn.media == ("image/png", "application/pdf")


def test_raw_responses_have_the_vendor_s_headers(gateway: Gateway, client: OpenAI) -> None:
    """`with_raw_response` shows the request's id, and still parses."""
    gateway.when().say("Yes.")

    raw = client.responses.with_raw_response.create(model=MODEL, input="Where?")

    assert raw.headers["x-request-id"].startswith("req_")
    assert raw.parse().output_text == "Yes."


def test_tokens_are_counted_as_a_response_tells_them(gateway: Gateway, client: OpenAI) -> None:
    """The count of an input is what its response says was read."""
    gateway.when().say("Yes.")
    asked: Any = {"model": MODEL, "input": "Where is it?", "tools": [TOOL]}

    counted = client.responses.input_tokens.count(**asked)
    told = client.responses.create(**asked).usage

    assert told
    assert (counted.object, counted.input_tokens) == ("response.input_tokens", told.input_tokens)


def test_whatever_is_read_counts(gateway: Gateway, client: OpenAI) -> None:
    """Pictures, tools and schemas are read as the text is."""
    text: Any = {"type": "input_text", "text": "Where is it?"}
    image: Any = {"type": "input_image", "image_url": "data:image/png;base64,A", "detail": "low"}
    form: Any = {"format": {"type": "json_schema", "name": "a", "schema": {"type": "object"}}}

    def count(*parts: Any, **more: Any) -> int:
        asked: Any = [{"role": "user", "content": [text, *parts]}]
        return client.responses.input_tokens.count(model=MODEL, input=asked, **more).input_tokens

    assert count(image) == count() + 85
    assert count(image, image) == count() + 170
    assert count(tools=[TOOL]) > count()
    assert count(text=form) > count()


@pytest.mark.parametrize(
    "before",
    [
        {"role": "assistant", "content": [{"type": "output_text", "text": "In Rome."}]},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "In Rome."}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "In Rome.", "annotations": []}],
        },
        {"role": "user", "content": [{"type": "input_image", "image_url": "https://a.com/b.png"}]},
        {"role": "user", "content": [{"type": "input_image", "file_id": "file-1"}]},
    ],
    ids=["text", "refusal", "annotations", "image", "file"],
)
def test_what_the_vendor_takes_in_short_is_served(
    gateway: Gateway, client: OpenAI, before: Any
) -> None:
    """The types ask for an id, a status and a detail, which the vendor's examples leave out."""
    gateway.when().say("Yes.")

    items: Any = [before, {"role": "user", "content": "Where?"}]
    reply = client.responses.create(model=MODEL, input=items)
    count = client.responses.input_tokens.count(model=MODEL, input=items)

    assert reply.output_text == "Yes."
    assert reply.usage
    assert count.input_tokens == reply.usage.input_tokens
    assert gateway.requests[0].json["input"][0] == before
