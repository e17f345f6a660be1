"""The gateway's Gemini beside the SDK's types: every answer fits, every field may be sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from google import genai
from google.genai import types

from tierwise.domain import ToolCall, Usage
from tierwise.doubles.gateway import Gateway, HttpRequest, Say, Stop

if TYPE_CHECKING:
    from tierwise.doubles.gateway.wire import Chunk

CALL = ToolCall(name="f", arguments={"a": [1, {"b": None}]})
USED = Usage(input_tokens=9, output_tokens=7, cached_input_tokens=4, reasoning_tokens=2)
SAYS = {
    "text": (Say(text="one two"),),
    "nothing": (Say(),),
    "cut off": (Say(stop=Stop.LENGTH),),
    "thoughts": (Say(text="a", thinking="b c"),),
    "calls": (Say(text="a", tool_calls=(CALL, CALL)),),
    "signed": (Say(thinking="x", tool_calls=(CALL,)),),
    "refused": (Say(refusal="no"),),
    "blocked": (Say(stop=Stop.FILTERED, refusal="no"),),
    "filtered": (Say(text="so far", stop=Stop.FILTERED),),
    "paused": (Say(text="so far", stop=Stop.PAUSED),),
    "several": (Say(text="a"), Say(text="b c")),
    "counted": (Say(text="a", usage=USED),),
}


def ask(says: tuple[Say, ...], method: str, **query: str) -> tuple[Chunk, ...]:
    """Return what a gateway answers to a client that wants to see all."""
    gateway = Gateway()
    gateway.when().say(*says)
    config = {"candidateCount": len(says), "thinkingConfig": {"includeThoughts": True}}
    body = {"contents": [{"parts": [{"text": "hi"}]}], "generationConfig": config}
    http = HttpRequest(
        method="POST",
        path=f"/v1/models/gemini-2.5-flash:{method}",
        headers={"x-goog-api-key": "k"},
        query=query,
        body=json.dumps(body).encode(),
    )
    return gateway.handle_now(http).chunks


def check(found: Any) -> None:
    """Have the SDK's type read a body as it is; it forbids whatever it does not know."""
    types.GenerateContentResponse.model_validate_json(json.dumps(found))


@pytest.mark.parametrize("name", SAYS)
def test_answers_fit_the_sdks_type(name: str) -> None:
    """Each kind of answer is one that the type takes without dropping a field."""
    check(json.loads(ask(SAYS[name], "generateContent")[0].data))


def test_a_refusal_stands_beside_its_reason() -> None:
    """The SDK drops it on the way; who reads the wire finds it."""
    (candidate,) = json.loads(ask(SAYS["refused"], "generateContent")[0].data)["candidates"]
    assert (candidate["finishReason"], candidate["finishMessage"]) == ("SAFETY", "no")


@pytest.mark.parametrize("name", SAYS)
def test_pieces_fit_the_sdks_type(name: str) -> None:
    """So is each piece of a stream."""
    for chunk in ask(SAYS[name], "streamGenerateContent", alt="sse"):
        check(json.loads(chunk.data[6:]))


@pytest.mark.parametrize("name", SAYS)
def test_pieces_say_what_the_whole_says(name: str) -> None:
    """Text, calls, thoughts, reasons and tokens together are those of the whole answer."""
    whole = json.loads(ask(SAYS[name], "generateContent")[0].data)
    pieces = [
        json.loads(chunk.data[6:]) for chunk in ask(SAYS[name], "streamGenerateContent", alt="sse")
    ]
    assert pieces[-1]["usageMetadata"] == whole["usageMetadata"]
    assert pieces[-1].get("promptFeedback") == whole.get("promptFeedback")
    assert join(pieces) == join([whole])


def join(bodies: list[Any]) -> dict[int, Any]:
    """Return by candidate what all bodies together say."""
    joined: dict[int, Any] = {}
    for candidate in (one for body in bodies for one in body.get("candidates", [])):
        said = joined.setdefault(
            candidate["index"], {"text": "", "thought": "", "calls": [], "end": None}
        )
        for part in candidate["content"].get("parts", []):
            said["thought" if part.get("thought") else "text"] += part.get("text", "")
            if "functionCall" in part:
                said["calls"].append(part)
        said["end"] = said["end"] or candidate.get("finishReason")
    return joined


EVERYTHING: dict[str, Any] = {
    "system_instruction": "x",
    "temperature": 1.0,
    "top_p": 0.5,
    "top_k": 3,
    "candidate_count": 2,
    "max_output_tokens": 9,
    "stop_sequences": ["x"],
    "response_logprobs": True,
    "logprobs": 2,
    "presence_penalty": 0.1,
    "frequency_penalty": 0.1,
    "seed": 1,
    "response_mime_type": "application/json",
    "response_schema": {"type": "STRING"},
    "safety_settings": [
        {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"},
    ],
    "labels": {"a": "b"},
    "response_modalities": ["TEXT"],
    "media_resolution": "MEDIA_RESOLUTION_LOW",
    "speech_config": {"language_code": "en-US"},
    "thinking_config": {"include_thoughts": True, "thinking_level": "LOW"},
    "image_config": {"aspect_ratio": "1:1"},
    "enable_enhanced_civic_answers": True,
    "service_tier": "flex",
    "store": False,
}


@pytest.mark.parametrize("name", EVERYTHING)
def test_whatever_the_sdk_can_send_is_read(gateway: Gateway, name: str) -> None:
    """No field of the SDK's own is unknown here."""
    gateway.when().say("x")
    config = {name: EVERYTHING[name]}
    if name == "logprobs":
        config["response_logprobs"] = True
    if name == "response_schema":
        config["response_mime_type"] = "application/json"
    client = genai.Client(api_key="k")
    client.models.generate_content(model="gemini-3.8-flash", contents="hi", config=config)
    assert gateway.requests.only().refused is None


def test_every_kind_of_part_is_read(gateway: Gateway) -> None:
    """Code, its result, videos and tools of the vendor pass."""
    gateway.when().say("x")
    parts = [
        types.Part(executable_code=types.ExecutableCode(code="1", language="PYTHON")),
        types.Part(code_execution_result=types.CodeExecutionResult(outcome="OUTCOME_OK")),
        types.Part(
            file_data=types.FileData(file_uri="https://youtu.be/x"),
            video_metadata=types.VideoMetadata(start_offset="1s", fps=2.0),
        ),
        types.Part(text="and?"),
    ]
    config = types.GenerateContentConfig(
        tools=[
            types.Tool(google_search=types.GoogleSearch()),
            types.Tool(url_context=types.UrlContext()),
            types.Tool(code_execution=types.ToolCodeExecution()),
        ]
    )
    client = genai.Client(api_key="k")
    client.models.generate_content(model="gemini-2.5-flash", contents=parts, config=config)
    assert gateway.requests.only().asked.last_user == "and?"


def test_what_only_the_enterprise_has_is_refused_by_the_sdk_too() -> None:
    """The fields that are hidden here are those for which the SDK raises."""
    client = genai.Client(api_key="k")
    safety = {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "OFF", "method": "SEVERITY"}
    for config in (
        {"audio_timestamp": True},
        {"tools": [{"enterprise_web_search": {}}]},
        {"safety_settings": [safety]},
        {
            "tool_config": {
                "function_calling_config": {"stream_function_call_arguments": True},
            }
        },
    ):
        with pytest.raises(ValueError, match="only supported in Gemini Enterprise"):
            client.models.generate_content(model="m", contents="hi", config=config)
