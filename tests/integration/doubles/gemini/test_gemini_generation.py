"""generateContent through google-genai: what was said arrives, with all that comes beside it."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any

import pytest
from google.genai import types
from pydantic import BaseModel

from tierwise.domain import Usage
from tierwise.doubles.gateway import Say, Stop

if TYPE_CHECKING:
    from conftest import Sdk

    from tierwise.doubles.gateway import Gateway


class City(BaseModel):
    name: str
    people: int


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


async def test_text_arrives(gateway: Gateway, sdk: Sdk) -> None:
    """The text, the role, the index and the reason of the end are there, by the SDK's words."""
    gateway.when(last_user="hi").say("Hello there.")
    reply = await sdk.generate()
    candidate = reply.candidates[0]
    assert (reply.text, candidate.content.role) == ("Hello there.", "model")
    assert (candidate.index, candidate.finish_reason) == (0, types.FinishReason.STOP)


async def test_the_model_and_an_id_are_told(gateway: Gateway, sdk: Sdk) -> None:
    """Each response names its model and has an id of its own."""
    gateway.when().say("a")
    first, second = await sdk.generate(), await sdk.generate(model="gemini-2.5-pro")
    assert first.model_version == "gemini-2.5-flash"
    assert second.model_version == "gemini-2.5-pro"
    assert first.response_id
    assert first.response_id != second.response_id


async def test_usage_is_plausible_unless_said(gateway: Gateway, sdk: Sdk) -> None:
    """Prompt and answer are counted, their sum is the total, and kinds are told apart."""
    gateway.when().say("four words are said")
    usage = (await sdk.generate("two words")).usage_metadata
    assert (usage.prompt_token_count, usage.candidates_token_count) == (2, 4)
    assert usage.total_token_count == 6
    assert usage.prompt_tokens_details[0].modality == types.MediaModality.TEXT
    assert usage.prompt_tokens_details[0].token_count == 2


async def test_usage_as_it_was_said(gateway: Gateway, sdk: Sdk) -> None:
    """Thought tokens stand beside those of the candidates; cached ones are part of the prompt."""
    said = Usage(input_tokens=100, output_tokens=30, cached_input_tokens=40, reasoning_tokens=20)
    gateway.when().say(Say(text="x", usage=said))
    usage = (await sdk.generate()).usage_metadata
    assert usage.prompt_token_count == 100
    assert usage.candidates_token_count == 10
    assert usage.thoughts_token_count == 20
    assert usage.cached_content_token_count == 40
    assert usage.total_token_count == 130


async def test_counts_of_zero_are_left_out(gateway: Gateway, sdk: Sdk) -> None:
    """As protocol buffers do; a client that expects a number there has to be found out."""
    gateway.when().say("x")
    usage = (await sdk.generate()).usage_metadata
    assert usage.thoughts_token_count is None
    assert usage.cached_content_token_count is None


async def test_several_candidates(gateway: Gateway, sdk: Sdk) -> None:
    """As many candidates as candidateCount says are there, in order."""
    gateway.when().say(Say(text="a"), Say(text="b"), Say(text="c"))
    reply = await sdk.generate(candidate_count=3)
    assert [one.content.parts[0].text for one in reply.candidates] == ["a", "b", "c"]
    assert [one.index for one in reply.candidates] == [0, 1, 2]


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (Stop.END, "STOP"),
        (Stop.LENGTH, "MAX_TOKENS"),
        (Stop.SEQUENCE, "STOP"),
        (Stop.REFUSED, "SAFETY"),
        (Stop.FILTERED, "SAFETY"),
    ],
)
async def test_each_stop_has_its_reason(
    gateway: Gateway, sdk: Sdk, stop: Stop, reason: str
) -> None:
    """Why the model stopped is told in Gemini's words, with the text so far."""
    gateway.when().say(Say(text="so far", stop=stop))
    reply = await sdk.generate()
    assert reply.candidates[0].finish_reason == types.FinishReason[reason]
    assert reply.text == "so far"


async def test_a_pause_is_gone_on_with(gateway: Gateway, sdk: Sdk) -> None:
    """The SDK asks again with the token of the pause, and joins what was said."""
    gateway.when().say(Say(text="so far, ", stop=Stop.PAUSED)).then.say("and on.")
    reply = await sdk.generate()
    assert reply.text == "so far, and on."
    assert reply.candidates[0].finish_reason == types.FinishReason.STOP
    assert "continuationToken" in gateway.requests[1].asked.body


async def test_a_pause_for_those_who_go_on_themselves(gateway: Gateway, sdk: Sdk) -> None:
    """The reason is CONTINUATION, and a token is there."""
    gateway.when().say(Say(text="so far", stop=Stop.PAUSED))
    candidate = (await sdk.generate(automatic_continuation=False)).candidates[0]
    assert candidate.finish_reason == types.FinishReason.CONTINUATION
    assert candidate.continuation_token


async def test_a_refusal(gateway: Gateway, sdk: Sdk) -> None:
    """A refusal has no parts, the reason SAFETY and a blocked rating."""
    gateway.when().say(Say(refusal="I may not say that."))
    candidate = (await sdk.generate()).candidates[0]
    assert candidate.finish_reason == types.FinishReason.SAFETY
    assert candidate.content.parts is None
    assert candidate.safety_ratings[0].blocked


async def test_a_blocked_prompt(gateway: Gateway, sdk: Sdk) -> None:
    """There are no candidates; the feedback says why, and the prompt is still counted."""
    gateway.when().say(Say(stop=Stop.FILTERED))
    reply = await sdk.generate("one two")
    assert reply.candidates is None
    assert reply.text is None
    assert reply.prompt_feedback.block_reason == types.BlockedReason.SAFETY
    assert reply.usage_metadata.prompt_token_count == 2


async def test_an_empty_answer(gateway: Gateway, sdk: Sdk) -> None:
    """Nothing said is an empty text and no error."""
    gateway.when().say("")
    assert (await sdk.generate()).text == ""


async def test_cut_off_before_the_first_word(gateway: Gateway, sdk: Sdk) -> None:
    """All tokens went into thinking: a content without parts, and MAX_TOKENS."""
    gateway.when().say(Say(thinking="long thoughts", stop=Stop.LENGTH))
    reply = await sdk.generate(max_output_tokens=3)
    assert reply.text is None
    assert reply.candidates[0].content.parts is None
    assert reply.usage_metadata.thoughts_token_count == 2
    assert reply.usage_metadata.candidates_token_count is None


async def test_thoughts_are_shown_to_those_who_ask(gateway: Gateway, sdk: Sdk) -> None:
    """The thought comes first, is marked, and is no part of the text."""
    gateway.when().say(Say(text="42", thinking="six times seven"))
    reply = await sdk.generate(thinking_config={"include_thoughts": True})
    thought, said = reply.candidates[0].content.parts
    assert (thought.text, thought.thought) == ("six times seven", True)
    assert (said.text, said.thought) == ("42", None)
    assert reply.text == "42"


async def test_thoughts_are_not_shown_otherwise(gateway: Gateway, sdk: Sdk) -> None:
    """Who does not ask gets the count alone."""
    gateway.when().say(Say(text="42", thinking="six times seven"))
    reply = await sdk.generate()
    assert len(reply.candidates[0].content.parts) == 1
    assert reply.usage_metadata.thoughts_token_count == 3


@pytest.mark.parametrize("field", ["response_schema", "response_json_schema"])
async def test_structured_output(gateway: Gateway, sdk: Sdk, field: str) -> None:
    """Either kind of schema is parsed into the class by the SDK itself."""
    gateway.when(schema=True).data({"name": "Ulm", "people": 126_000})
    given: Any = City if field == "response_schema" else City.model_json_schema()
    reply = await sdk.generate(**{"response_mime_type": "application/json", field: given})
    parsed = City.model_validate(reply.parsed) if isinstance(reply.parsed, dict) else reply.parsed
    assert parsed == City(name="Ulm", people=126_000)
    asked = gateway.requests.only().asked
    schema = asked.schema
    assert not asked.wants_json, "a schema is more than any JSON"
    assert schema["properties"]["people"]["type"] == "integer"
    assert schema["required"] == ["name", "people"]


async def test_an_enumeration(gateway: Gateway, sdk: Sdk) -> None:
    """text/x.enum answers with one of the names."""
    gateway.when().say("small")
    reply = await sdk.generate(response_mime_type="text/x.enum", response_schema=Size)
    assert reply.parsed is Size.SMALL
    assert gateway.requests.only().asked.schema["enum"] == ["small", "large"]


async def test_json_without_a_schema(gateway: Gateway, sdk: Sdk) -> None:
    """Any JSON is asked for: that is known to a rule."""
    gateway.when(predicate=lambda asked: asked.wants_json).data({"a": [1, 2]})
    reply = await sdk.generate(response_mime_type="application/json")
    assert json.loads(reply.text) == {"a": [1, 2]}


async def test_system_and_history_are_read(gateway: Gateway, sdk: Sdk) -> None:
    """The instruction and every turn are there in neutral words."""
    gateway.when(system="Be brief", last_user="third", turn=2).say("ok")
    contents = [
        types.UserContent("first"),
        types.ModelContent("second"),
        types.UserContent("third"),
    ]
    await sdk.generate(contents, system_instruction="Be brief.")
    turns = gateway.requests.only().asked.turns
    assert [(turn.role, turn.text) for turn in turns] == [
        ("system", "Be brief."),
        ("user", "first"),
        ("assistant", "second"),
        ("user", "third"),
    ]


async def test_thoughts_that_come_back_are_not_what_was_said(gateway: Gateway, sdk: Sdk) -> None:
    """Clients send the model's content as it came, thoughts included."""
    gateway.when(turn=1).say(Say(text="yes", thinking="hm"))
    gateway.when(turn=2).say("still yes")
    shown = {"thinking_config": {"include_thoughts": True}}
    first = await sdk.generate(**shown)
    contents = [types.UserContent("hi"), first.candidates[0].content, types.UserContent("sure?")]
    await sdk.generate(contents, **shown)
    assert [turn.text for turn in gateway.requests[1].asked.turns] == ["hi", "yes", "sure?"]


async def test_inline_data_and_files_are_read(gateway: Gateway, sdk: Sdk) -> None:
    """Each part that is no text shows its kind, and pictures are counted as tokens."""
    gateway.when(last_user="what").say("A cat.")
    parts = [
        types.Part.from_text(text="what"),
        types.Part.from_bytes(data=b"\x89PNG", mime_type="image/png"),
        types.Part.from_uri(file_uri="gs://one/two.pdf", mime_type="application/pdf"),
    ]
    reply = await sdk.generate([types.UserContent(parts)])
    assert gateway.requests.only().asked.turns[0].media == ("image/png", "application/pdf")
    assert reply.usage_metadata.prompt_token_count == 1 + 2 * 258
    kinds = [one.modality.value for one in reply.usage_metadata.prompt_tokens_details]
    assert kinds == ["TEXT", "IMAGE"]


async def test_settings_are_read(gateway: Gateway, sdk: Sdk) -> None:
    """What limits the answer is there for a rule."""
    gateway.when().say("x")
    await sdk.generate(max_output_tokens=7, candidate_count=2, temperature=0.1, seed=3)
    asked = gateway.requests.only().asked
    assert (asked.max_tokens, asked.n, asked.stream) == (7, 2, False)
    assert asked.body["generationConfig"]["temperature"] == 0.1


async def test_headers_of_the_response(gateway: Gateway, sdk: Sdk) -> None:
    """Those of the vendor are there, and those that the test says."""
    gateway.when().say(Say(text="x", headers=(("x-gemini-service-tier", "standard"),)))
    headers = (await sdk.generate()).sdk_http_response.headers
    lower = {name.lower(): value for name, value in headers.items()}
    assert lower["content-type"] == "application/json; charset=UTF-8"
    assert lower["x-gemini-service-tier"] == "standard"


async def test_fields_beside_the_answer(gateway: Gateway, sdk: Sdk) -> None:
    """`extra` overwrites fields of the response."""
    feedback = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "candidates": None}
    gateway.when().say(Say(text="x", extra=feedback))
    reply = await sdk.generate()
    assert reply.prompt_feedback.block_reason == types.BlockedReason.PROHIBITED_CONTENT
    assert reply.candidates is None


async def test_text_beyond_ascii(gateway: Gateway, sdk: Sdk) -> None:
    """Letters of all kinds pass both ways, line separators included."""
    text = "Grüße, 世界 🌍\u2028next"
    gateway.when(last_user=text).say(text)
    assert (await sdk.generate(text)).text == text
