from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Usage
from tierwise.doubles.gateway import Say, Stop

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    from tierwise.doubles.gateway import Gateway

MODEL = "gpt-4.1-mini"


def test_a_completion_is_what_the_vendor_sends(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """A completion has id, time, model, one choice that stopped, and its usage."""
    gateway.when().say("By the sea.")

    reply = client.chat.completions.create(model=MODEL, messages=ask)

    assert reply.id.startswith("chatcmpl-")
    assert (reply.object, reply.model, len(reply.choices)) == ("chat.completion", MODEL, 1)
    choice = reply.choices[0]
    assert (choice.index, choice.finish_reason) == (0, "stop")
    assert (choice.message.role, choice.message.content) == ("assistant", "By the sea.")
    assert choice.message.tool_calls is None
    assert choice.message.refusal is None
    assert reply.usage
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens
    assert reply.usage.prompt_tokens > 0


async def test_an_async_client_gets_the_same(
    gateway: Gateway, async_client: AsyncOpenAI, ask: list[Any]
) -> None:
    """An async client is answered as a sync one."""
    gateway.when().say("By the sea.")

    reply = await async_client.chat.completions.create(model=MODEL, messages=ask)

    assert reply.choices[0].message.content == "By the sea."


def test_usage_is_what_the_rule_says(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """Cached and reasoning tokens stand in the details, as parts of the whole."""
    usage = Usage(input_tokens=100, output_tokens=30, cached_input_tokens=80, reasoning_tokens=20)
    gateway.when().say("Yes.", usage=usage)

    told = client.chat.completions.create(model=MODEL, messages=ask).usage

    assert told
    assert (told.prompt_tokens, told.completion_tokens, told.total_tokens) == (100, 30, 130)
    assert told.prompt_tokens_details
    assert told.prompt_tokens_details.cached_tokens == 80
    assert told.completion_tokens_details
    assert told.completion_tokens_details.reasoning_tokens == 20


def test_thinking_counts_and_is_not_shown(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """What the model thinks is in the count of tokens alone, as with the vendor."""
    gateway.when().say("Yes.", thinking="Let me see now.")

    reply = client.chat.completions.create(model="o3", messages=ask)

    assert reply.usage
    assert reply.usage.completion_tokens_details
    assert reply.usage.completion_tokens_details.reasoning_tokens == 5
    assert reply.usage.completion_tokens == 7
    assert "Let me see" not in reply.model_dump_json()


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (Stop.END, "stop"),
        (Stop.LENGTH, "length"),
        (Stop.FILTERED, "content_filter"),
        (Stop.SEQUENCE, "stop"),
    ],
)
def test_why_it_stopped(
    gateway: Gateway, client: OpenAI, ask: list[Any], *, stop: Stop, reason: str
) -> None:
    """Each reason to stop has the vendor's word."""
    gateway.when().say("By the", stop=stop)

    reply = client.chat.completions.create(model=MODEL, messages=ask)

    assert reply.choices[0].finish_reason == reason


def test_a_refusal_stands_beside_no_content(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """A refusal is in `refusal`, the content is null, and the reason is `stop`."""
    gateway.when().say(refusal="I can't help with that.")

    choice = client.chat.completions.create(model=MODEL, messages=ask).choices[0]

    assert choice.message.refusal == "I can't help with that."
    assert choice.message.content is None
    assert choice.finish_reason == "stop"


def test_tool_calls_are_parallel_and_have_ids(
    gateway: Gateway, client: OpenAI, ask: list[Any], weather: Any
) -> None:
    """Two calls have two ids, their arguments are JSON, and there is no content."""
    gateway.when(tool="get_weather").call("get_weather", {"place": "Zürich"}).call(
        "get_weather", {"place": "Oslo"}, call_id="call_own"
    )

    choice = client.chat.completions.create(
        model=MODEL, messages=ask, tools=[weather], parallel_tool_calls=True
    ).choices[0]

    assert choice.finish_reason == "tool_calls"
    assert choice.message.content is None
    calls: Any = choice.message.tool_calls
    assert [json.loads(call.function.arguments)["place"] for call in calls] == ["Zürich", "Oslo"]
    assert calls[1].id == "call_own"
    assert calls[0].id != calls[1].id
    assert {call.type for call in calls} == {"function"}


def test_a_tool_loop_goes_round(
    gateway: Gateway, client: OpenAI, ask: list[Any], weather: Any
) -> None:
    """The vendor's own message goes back as it came, with the tool's result after it."""
    gateway.when(tool_result="get_weather").say("It rains.")
    gateway.when().call("get_weather", {"place": "Oslo"})
    first = client.chat.completions.create(model=MODEL, messages=ask, tools=[weather])
    message: Any = first.choices[0].message
    result: Any = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "rain"}

    second = client.chat.completions.create(
        model=MODEL, messages=[*ask, message, result], tools=[weather]
    )

    assert second.choices[0].message.content == "It rains."
    turns = gateway.requests[1].asked.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool"]
    assert (turns[2].tool_name, turns[2].text) == ("get_weather", "rain")


def test_n_choices_each_say_their_own(gateway: Gateway, client: OpenAI, ask: list[Any]) -> None:
    """With n=3 there are three choices, numbered, and their tokens are added up."""
    gateway.when().say("One.", "Two.", "Three.")

    reply = client.chat.completions.create(model=MODEL, messages=ask, n=3)

    said = [(choice.index, choice.message.content) for choice in reply.choices]
    assert said == [(0, "One."), (1, "Two."), (2, "Three.")]
    assert reply.usage
    assert reply.usage.completion_tokens == 6


def test_parse_gives_the_schema_s_own_class(
    gateway: Gateway, client: OpenAI, ask: list[Any], place: Any
) -> None:
    """`parse` sends a strict schema and gets an instance of it back."""
    gateway.when(schema=True).data({"name": "Pier", "depth": 7})

    reply = client.chat.completions.parse(model=MODEL, messages=ask, response_format=place)

    assert reply.choices[0].message.parsed == place(name="Pier", depth=7)
    asked = gateway.requests[0].asked
    assert asked.schema
    assert set(asked.schema["properties"]) == {"name", "depth"}


def test_parse_raises_when_the_answer_was_cut_off(
    gateway: Gateway, client: OpenAI, ask: list[Any], place: Any
) -> None:
    """`parse` raises the SDK's own error for an answer that was cut off."""
    from openai import LengthFinishReasonError  # noqa: PLC0415

    gateway.when().say('{"name": "Pi', stop=Stop.LENGTH)

    with pytest.raises(LengthFinishReasonError):
        client.chat.completions.parse(model=MODEL, messages=ask, response_format=place)


def test_parse_leaves_a_refusal_unparsed(
    gateway: Gateway, client: OpenAI, ask: list[Any], place: Any
) -> None:
    """`parse` keeps a refusal, and there is nothing parsed."""
    gateway.when().say(refusal="No.")

    message = (
        client.chat.completions.parse(model=MODEL, messages=ask, response_format=place)
        .choices[0]
        .message
    )

    assert (message.refusal, message.parsed) == ("No.", None)


def test_parse_reads_the_arguments_of_a_strict_tool(
    gateway: Gateway, client: OpenAI, ask: list[Any], place: Any
) -> None:
    """`pydantic_function_tool` is accepted, and its arguments come back as its class."""
    from openai import pydantic_function_tool  # noqa: PLC0415

    gateway.when().call("Place", {"name": "Pier", "depth": 7})

    reply = client.chat.completions.parse(
        model=MODEL, messages=ask, tools=[pydantic_function_tool(place)]
    )

    calls: Any = reply.choices[0].message.tool_calls
    assert calls[0].function.parsed_arguments == place(name="Pier", depth=7)


def test_raw_responses_have_the_vendor_s_headers(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """`with_raw_response` shows the request's id and the rate limits; `parse` still works."""
    gateway.when().say("Yes.", headers=[("x-custom", "1")])

    raw = client.chat.completions.with_raw_response.create(model=MODEL, messages=ask)

    assert raw.headers["x-request-id"].startswith("req_")
    assert int(raw.headers["x-ratelimit-remaining-requests"]) >= 0
    assert raw.headers["openai-version"] == "2020-10-01"
    assert raw.headers["x-custom"] == "1"
    reply = raw.parse()
    assert reply.choices[0].message.content == "Yes."
    assert reply._request_id == raw.headers["x-request-id"]


def test_logprobs_come_when_they_are_asked_for(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """Each piece has a log probability with its bytes, and as many others as asked for."""
    gateway.when().say("By the séa.")

    reply = client.chat.completions.create(
        model=MODEL, messages=ask, logprobs=True, top_logprobs=1
    )

    logprobs = reply.choices[0].logprobs
    assert logprobs
    assert logprobs.content
    assert "".join(token.token for token in logprobs.content) == "By the séa."
    assert bytes(logprobs.content[2].bytes or ()).decode() == " séa."
    assert [len(token.top_logprobs) for token in logprobs.content] == [1, 1, 1]


def test_what_is_no_text_is_read(gateway: Gateway, client: OpenAI) -> None:
    """Images, sound and files are accepted, and their kinds are known to the scenario."""
    gateway.when().say("A harbour.")
    content: Any = [
        {"type": "text", "text": "What is "},
        {"type": "text", "text": "this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
        {"type": "image_url", "image_url": {"url": "https://example.com/a", "detail": "low"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {
            "type": "file",
            "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"},
        },
    ]

    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": content}])

    turn = gateway.requests[0].asked.turns[0]
    assert turn.text == "What is this?"
    assert turn.media == ("image/png", "image/*", "audio/wav", "application/pdf")


def test_the_neutral_words_of_a_request(gateway: Gateway, client: OpenAI, weather: Any) -> None:
    """System, model, limits, tools and the tool that has to be called reach the scenario."""
    gateway.when().call("get_weather", {"place": "Oslo"})
    messages: Any = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "Weather?"},
    ]

    client.chat.completions.create(
        model=MODEL,
        messages=messages,
        tools=[weather],
        tool_choice={"type": "function", "function": {"name": "get_weather"}},
        max_completion_tokens=50,
    )

    asked = gateway.requests[0].asked
    assert (asked.system, asked.last_user, asked.model) == ("Be brief.", "Weather?", MODEL)
    assert (asked.must_call, asked.max_tokens, asked.stream) == ("get_weather", 50, False)
    assert [tool.name for tool in asked.tools] == ["get_weather"]
    assert asked.tools[0].parameters["required"] == ["place"]


def test_extra_overwrites_what_the_vendor_would_say(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """A field of `extra` stands in place of the response's own."""
    gateway.when().say("Yes.", extra={"model": "gpt-4.1-mini-2025-04-14", "usage": None})

    reply = client.chat.completions.create(model=MODEL, messages=ask)

    assert reply.model == "gpt-4.1-mini-2025-04-14"
    assert reply.usage is None


def test_text_beside_tool_calls_is_kept(
    gateway: Gateway, client: OpenAI, ask: list[Any], weather: Any
) -> None:
    """A model may say something and call a tool in one message."""
    gateway.when().say("One moment.").call("get_weather", {"place": "Oslo"})

    choice = client.chat.completions.create(model=MODEL, messages=ask, tools=[weather]).choices[0]

    assert choice.message.content == "One moment."
    assert choice.message.tool_calls
    assert choice.finish_reason == "tool_calls"


def test_half_a_surrogate_pair_is_sent_escaped(
    gateway: Gateway, client: OpenAI, ask: list[Any]
) -> None:
    """Text that UTF-8 can't carry is escaped, so that the body stays JSON."""
    gateway.when().say(Say(text="odd \ud83d end"))

    raw = client.chat.completions.with_raw_response.create(model=MODEL, messages=ask)

    assert b"\\ud83d" in raw.content
