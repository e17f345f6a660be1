"""What the SDK's clients see of a message that comes whole."""

import asyncio
import base64
import json
from typing import Any

import anthropic
import pydantic
import pytest
from anthropic_box import HELLO, KEY, MODEL, OLD, WEATHER, Box, post

from tierwise.domain import ToolCall, Usage
from tierwise.doubles.gateway.saying import Say, Stop
from tierwise.doubles.gateway.vendor import Account

both = pytest.mark.parametrize("how", ["sync", "async"])


@both
def test_a_text_arrives_as_one_message(box: Box, how: str) -> None:
    """The message is compared whole: id, role, model, blocks, reason, tokens."""
    message = box.create(how)

    assert message.to_dict() == {
        "id": "msg_010000000000000000000001",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [{"type": "text", "text": "Hello there."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 2,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 3,
            "output_tokens_details": {"thinking_tokens": 0},
            "service_tier": "standard",
        },
    }


def test_the_request_is_told_in_neutral_words(box: Box) -> None:
    """Model, turns, tools and limit are read from the body that the SDK sent."""
    box.create("sync", system="Be brief.", tools=[WEATHER], stop_sequences=["END"])

    asked = box.asked[0]
    assert (asked.vendor, asked.endpoint, asked.model) == ("anthropic", "messages", MODEL)
    assert [(turn.role, turn.text) for turn in asked.turns] == [
        ("system", "Be brief."),
        ("user", "Hello?"),
    ]
    assert [tool.name for tool in asked.tools] == ["weather"]
    assert asked.tools[0].parameters == WEATHER["input_schema"]
    assert (asked.max_tokens, asked.stream, asked.schema) == (64, False, None)
    assert asked.body["stop_sequences"] == ["END"]


@both
def test_a_tool_call_arrives_as_a_block_with_input(box: Box, how: str) -> None:
    """A wish of the model's is a tool_use block, and the reason says so."""
    box.says = (Say(tool_calls=(ToolCall(name="weather", arguments={"city": "Rom"}),)),)

    message = box.create(how, tools=[WEATHER])

    assert message.stop_reason == "tool_use"
    assert [block.to_dict() for block in message.content] == [
        {
            "type": "tool_use",
            "id": "toolu_010000000000000001000000",
            "name": "weather",
            "input": {"city": "Rom"},
        }
    ]


def test_parallel_tool_calls_have_ids_of_their_own(box: Box) -> None:
    """Two wishes stand behind the text, in order, and are told apart."""
    wishes = tuple(ToolCall(name="weather", arguments={"city": city}) for city in ("A", "B"))
    box.says = (Say(text="I look.", tool_calls=wishes),)

    content = box.create("sync", tools=[WEATHER]).content

    assert [block.type for block in content] == ["text", "tool_use", "tool_use"]
    assert [block.input["city"] for block in content[1:]] == ["A", "B"]
    assert content[1].id != content[2].id


def test_a_tool_loop_goes_round(box: Box) -> None:
    """What the SDK got is sent back as it is, with the result, and is read again."""
    box.says = (Say(tool_calls=(ToolCall(name="weather", arguments={"city": "Rom"}, id="t1"),)),)
    client = box.client()
    asked = HELLO | {"tools": [WEATHER]}
    first = client.messages.create(**asked)
    box.says = (Say(text="Sunny."),)
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "sun"}

    second = client.messages.create(
        **asked
        | {
            "messages": [
                *HELLO["messages"],
                {"role": "assistant", "content": first.content},
                {"role": "user", "content": [result, {"type": "text", "text": "And?"}]},
            ]
        }
    )

    assert second.content[0].text == "Sunny."
    _, wish, told, user = box.asked[1].turns
    assert wish.tool_calls == (ToolCall(name="weather", arguments={"city": "Rom"}, id="t1"),)
    assert (told.role, told.tool_name, told.tool_call_id, told.text) == (
        "tool",
        "weather",
        "t1",
        "sun",
    )
    assert (user.role, user.text) == ("user", "And?")


@both
def test_thinking_comes_before_the_text_and_is_signed(box: Box, how: str) -> None:
    """A thought is a block with a signature, and its tokens are part of the output."""
    box.says = (Say(thinking="Let me see.", text="Four."),)

    message = box.create(how, thinking={"type": "adaptive"})

    thought, text = message.content
    assert (thought.type, thought.thinking, text.text) == ("thinking", "Let me see.", "Four.")
    assert base64.b64decode(thought.signature)
    assert message.usage.output_tokens_details.thinking_tokens == 4
    assert message.usage.output_tokens == 6


def test_thinking_that_is_not_to_be_shown_keeps_its_signature(box: Box) -> None:
    """With `display: omitted` the thought is empty, and can still be sent back."""
    box.says = (Say(thinking="Let me see.", text="Four."),)
    thinking = {"type": "adaptive", "display": "omitted"}

    message = box.create("sync", thinking=thinking)

    assert message.content[0].thinking == ""
    assert message.content[0].signature
    box.create(
        "sync",
        thinking=thinking,
        messages=[
            *HELLO["messages"],
            {"role": "assistant", "content": message.content},
            {"role": "user", "content": "Sure?"},
        ],
    )
    assert not box.refused


def test_redacted_thinking_is_a_block_of_the_scenario(box: Box) -> None:
    """Fields of the scenario overwrite those of the message, such as its blocks."""
    blocks = [
        {"type": "redacted_thinking", "data": "ZW5jcnlwdGVk"},
        {"type": "text", "text": "Four."},
    ]
    box.says = (Say(extra={"content": blocks}),)

    message = box.create("sync")

    assert [block.type for block in message.content] == ["redacted_thinking", "text"]
    assert message.content[0].data == "ZW5jcnlwdGVk"


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (Stop.END, "end_turn"),
        (Stop.LENGTH, "max_tokens"),
        (Stop.SEQUENCE, "stop_sequence"),
        (Stop.PAUSED, "pause_turn"),
        (Stop.FILTERED, "refusal"),
        (Stop.TOOL, "tool_use"),
    ],
)
def test_each_reason_to_stop_has_the_vendor_s_word(box: Box, stop: Stop, reason: str) -> None:
    """A scenario stops in neutral words, the SDK reads Anthropic's."""
    box.says = (Say(text="So far", stop=stop),)

    assert box.create("sync").stop_reason == reason


def test_a_met_stop_sequence_is_named(box: Box) -> None:
    """The sequence is the one that was said, or else the first that was asked for."""
    box.says = (Say(text="1 2", stop=Stop.SEQUENCE),)
    assert box.create("sync", stop_sequences=["3", "4"]).stop_sequence == "3"

    box.says = (Say(text="1 2", stop=Stop.SEQUENCE, stop_sequence="4"),)
    assert box.create("sync", stop_sequences=["3", "4"]).stop_sequence == "4"


def test_only_a_stop_sequence_names_one(box: Box) -> None:
    """A reply that ended by itself has none, whatever was asked for."""
    assert box.create("sync", stop_sequences=["3"]).stop_sequence is None


@both
def test_a_refusal_is_a_reason_with_details(box: Box, how: str) -> None:
    """The model's no stands in stop_details, beside what it had said by then."""
    box.says = (Say(text="Well,", refusal="I can't help with that."),)

    message = box.create(how)

    assert message.stop_reason == "refusal"
    assert message.stop_details.explanation == "I can't help with that."
    assert message.content[0].text == "Well,"


def test_an_answer_of_nothing_has_no_blocks(box: Box) -> None:
    """An empty text is no block, as with the vendor."""
    box.says = (Say(),)

    assert box.create("sync").content == []


def test_usage_can_be_said(box: Box) -> None:
    """Tokens from the cache stand beside the others on the wire, and inside them with us."""
    usage = Usage(input_tokens=100, output_tokens=20, cached_input_tokens=60, reasoning_tokens=5)
    box.says = (Say(text="Yes.", usage=usage),)

    told = box.create("sync").usage

    assert (told.input_tokens, told.cache_read_input_tokens, told.output_tokens) == (40, 60, 20)
    assert told.output_tokens_details.thinking_tokens == 5


def test_images_and_documents_are_media_of_a_turn(box: Box) -> None:
    """Parts that are no text are named by their kind, wherever they come from."""
    data = base64.b64encode(b"pixels").decode()
    content: list[dict[str, Any]] = [
        {"type": "text", "text": "What is this?"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": data},
        },
    ]

    box.create("sync", messages=[{"role": "user", "content": content}])

    turn = box.asked[0].turns[0]
    assert turn.text == "What is this?"
    assert turn.media == ("image/png", "image/url", "application/pdf")


def test_a_choice_of_tool_is_read(box: Box) -> None:
    """A tool that has to be called is named, any tool is a star, none is None."""
    for choice in ({"type": "tool", "name": "weather"}, {"type": "any"}, {"type": "auto"}):
        box.create("sync", tools=[WEATHER], tool_choice=choice)

    assert [asked.must_call for asked in box.asked] == ["weather", "*", None]


class Note(pydantic.BaseModel):
    """What is asked for as JSON."""

    title: str
    stars: int


@both
def test_parse_returns_the_instance(box: Box, how: str) -> None:
    """The SDK's own helper for structured output works, and the schema is read."""
    box.says = (Say(text='{"title": "Rom", "stars": 3}'),)

    async def parse() -> Any:
        return await box.async_client().messages.parse(**HELLO, output_format=Note)

    message = (
        box.client().messages.parse(**HELLO, output_format=Note)
        if how == "sync"
        else asyncio.run(parse())
    )

    assert message.parsed_output == Note(title="Rom", stars=3)
    schema = box.asked[0].schema
    assert schema is not None
    assert schema["required"] == ["title", "stars"]
    assert schema["additionalProperties"] is False


def test_headers_tell_the_request_and_the_limits(box: Box) -> None:
    """with_raw_response shows an id for each request and what is left of the limits."""
    raw = box.client().messages.with_raw_response.create(**HELLO)
    second = box.client().messages.with_raw_response.create(**HELLO)

    assert raw.parse().content[0].text == "Hello there."
    assert raw.headers["request-id"] == "req_010000000000000000000001"
    assert second.headers["request-id"] == "req_010000000000000000000002"
    assert raw.headers["anthropic-ratelimit-requests-remaining"] == "3999"
    assert raw.headers["anthropic-ratelimit-requests-reset"].endswith("Z")
    assert raw.headers["content-type"] == "application/json"


def test_headers_can_be_added(box: Box) -> None:
    """A scenario's headers stand beside the vendor's."""
    box.says = (Say(text="Yes.", headers=(("x-scenario", "one"),)),)

    raw = box.client().messages.with_raw_response.create(**HELLO)

    assert raw.headers["x-scenario"] == "one"
    assert "request-id" in raw.headers


def test_the_message_knows_its_request(box: Box) -> None:
    """The SDK hands the id of the request on with each message."""
    assert box.create("sync")._request_id == "req_010000000000000000000001"


def test_the_beta_client_is_answered_too(box: Box) -> None:
    """Beta parameters are read by the beta types."""
    message = box.client().beta.messages.create(
        **HELLO, betas=["context-management-2025-06-27"], mcp_servers=[]
    )

    assert message.content[0].text == "Hello there."


@both
def test_tokens_are_counted_without_an_answer(box: Box, how: str) -> None:
    """The count is that of the message which would be asked for."""
    request = {name: HELLO[name] for name in ("model", "messages")} | {"system": "Be brief."}

    async def count() -> Any:
        return await box.async_client().messages.count_tokens(**request)

    counted = (
        box.client().messages.count_tokens(**request) if how == "sync" else asyncio.run(count())
    )

    assert counted.input_tokens == 5
    assert box.create("sync", system="Be brief.").usage.input_tokens == 5


def test_a_count_can_be_said(box: Box) -> None:
    """A scenario may count as it likes."""
    box.says = (Say(usage=Usage(input_tokens=7)),)

    counted = box.client().messages.count_tokens(model=MODEL, messages=HELLO["messages"])

    assert counted.input_tokens == 7


@both
def test_models_are_listed_page_by_page(box: Box, how: str) -> None:
    """The SDK's pages go on until the last model, each of them once."""

    async def collect() -> list[Any]:
        return [model async for model in box.async_client().models.list(limit=5)]

    models = list(box.client().models.list(limit=5)) if how == "sync" else asyncio.run(collect())

    names = [model.id for model in models]
    assert MODEL in names
    assert len({*names}) == len(names) > 5
    assert len(box.sent) == -(-len(names) // 5)


def test_pages_go_backwards_too(box: Box) -> None:
    """`before_id` shows what stands right before a model."""
    names = [model.id for model in box.client().models.list(limit=100)]

    page = box.client().models.list(before_id=names[4], limit=2)

    assert [model.id for model in page.data] == names[2:4]
    assert page.has_more


def test_one_model_is_described(box: Box) -> None:
    """A model has a name to show, a date where its id has one, and a stage of life."""
    model = box.client().models.retrieve("claude-opus-4-5-20251101")

    assert (model.id, model.display_name) == ("claude-opus-4-5-20251101", "Claude Opus 4.5")
    assert model.created_at.isoformat() == "2025-11-01T00:00:00+00:00"
    stages = {one.id: one.lifecycle for one in box.client().models.list(limit=1000)}
    assert stages[MODEL] == "active"
    assert "deprecated" in stages.values()


def test_models_of_the_account_exist(box: Box) -> None:
    """An account may have models of its own, by name or by the beginning of it."""
    box.account = Account(models=frozenset({"house-model", "claude-next-*"}))

    assert box.create("sync", model="house-model").model == "house-model"
    assert box.create("sync", model="claude-next-1").model == "claude-next-1"
    assert box.client().models.list().data[0].id == "house-model"
    with pytest.raises(anthropic.NotFoundError, match="model: house-models"):
        box.create("sync", model="house-models")


def test_any_model_exists_where_the_account_says_so(box: Box) -> None:
    """Nothing is unknown then."""
    box.account = Account(any_model=True)

    assert box.create("sync", model="llama").model == "llama"


@pytest.mark.parametrize("header", ["x-api-key", "authorization"])
def test_a_key_is_taken_from_either_header(box: Box, header: str) -> None:
    """The current SDK sends a bearer token, the ones before it x-api-key."""
    box.account = Account(keys=frozenset({KEY}))
    value = KEY if header == "x-api-key" else f"Bearer {KEY}"
    request = post(
        b'{"model":"claude-sonnet-5","max_tokens":1,"messages":[{"role":"user","content":"a"}]}',
        **{"x_api_key": "", header.replace("-", "_"): value},
    )

    assert box.answer(request).status == 200


def test_the_version_before_takes_sampling_parameters(box: Box) -> None:
    """A client of the earlier major sends its version and a temperature, and is served."""
    body = HELLO | {"model": OLD, "temperature": 0.5, "top_k": 3}
    request = post(json.dumps(body).encode(), anthropic_version="2023-06-01")

    assert box.answer(request).status == 200


def test_paths_of_nobody_are_not_found(box: Box) -> None:
    """What the vendor has not is no endpoint."""
    with pytest.raises(anthropic.NotFoundError):
        box.client().messages.batches.list()
