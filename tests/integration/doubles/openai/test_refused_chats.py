"""Chat completions that the vendor refuses, each beside a near miss that it serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import openai
import pytest

if TYPE_CHECKING:
    from openai import OpenAI

    from tierwise.doubles.gateway import Gateway


class Mistake(NamedTuple):
    """What is wrong, what is right beside it, and how the vendor says so."""

    rule: str
    wrong: dict[str, Any]
    right: dict[str, Any]
    words: str
    code: str | None


USER: Any = {"role": "user", "content": "Where?"}
CALL: Any = {
    "role": "assistant",
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        {"id": "b", "type": "function", "function": {"name": "look", "arguments": "{}"}},
    ],
}
RESULT_A: Any = {"role": "tool", "tool_call_id": "a", "content": "here"}
RESULT_B: Any = {"role": "tool", "tool_call_id": "b", "content": "there"}
OPEN: Any = {"type": "object", "properties": {"x": {"type": "string"}}}
CLOSED: Any = {**OPEN, "required": ["x"], "additionalProperties": False}
DATA = "data:image/png;base64,AAAA"


def tool(name: str = "look", **function: Any) -> Any:
    return {"type": "function", "function": {"name": name, **function}}


def schema(found: Any, *, name: str = "answer", **more: Any) -> Any:
    inner = {"name": name, "schema": found, **more}
    return {"response_format": {"type": "json_schema", "json_schema": inner}}


def strict(**properties: Any) -> Any:
    closed = {"type": "object", "additionalProperties": False, "properties": properties}
    return schema({**closed, "required": list(properties)}, strict=True)


def image(url: str) -> Any:
    return {"messages": [{"role": "user", "content": [
        {"type": "image_url", "image_url": {"url": url}}]}]}  # fmt: skip


def called(identifier: str, name: str = "look") -> Any:
    call = {"id": identifier, "type": "function", "function": {"name": name, "arguments": "{}"}}
    result = RESULT_A | {"tool_call_id": identifier}
    return {"messages": [USER, {"role": "assistant", "tool_calls": [call]}, result]}


LONG = "string_above_max_length"
LIST: Any = {"type": "array", "items": {"type": "string"}}
PARAMETERS: Any = {"type": "object"}
REFUSED: list[Mistake] = [
    # name, refused, served, a piece of the message, code
    Mistake("no_messages", {"messages": []}, {}, "Invalid 'messages': empty array", "empty_array"),
    Mistake("types", {"messages": "Where?"}, {}, "Invalid type for 'messages'", "invalid_type"),
    Mistake(
        "types",
        {"messages": [{"role": "bot", "content": "x"}]},
        {},
        "Invalid value: 'bot'. Supported values are: 'developer'",
        "invalid_value",
    ),
    Mistake(
        "types",
        {"messages": [{"content": "x"}]},
        {},
        "Missing required parameter: 'messages[0].role'",
        "missing_required_parameter",
    ),
    Mistake(
        "types",
        {"messages": [{"role": "user"}]},
        {},
        "Missing required parameter: 'messages[0].content'",
        "missing_required_parameter",
    ),
    Mistake(
        "types",
        {"messages": [{**USER, "mood": "good"}]},
        {"messages": [{**USER, "name": "Ann"}]},
        "Unknown parameter: 'messages[0].mood'",
        "unknown_parameter",
    ),
    Mistake(
        "types",
        {"messages": [{"role": "user", "content": [{"type": "input_text", "text": "x"}]}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]},
        "Invalid value: 'input_text'",
        "invalid_value",
    ),
    Mistake(
        "types",
        {"temperature": "0.5"},
        {"temperature": 0.5},
        "Invalid type for 'temperature': expected a decimal, but got a string",
        "invalid_type",
    ),
    Mistake(
        "types",
        {"max_tokens": 5.5},
        {"max_tokens": 5},
        "Invalid type for 'max_tokens': expected an integer, but got a decimal",
        "invalid_type",
    ),
    Mistake(
        "types",
        {"extra_body": {"max_output_tokens": 5}},
        {"max_completion_tokens": 5},
        "Unrecognized request argument supplied: max_output_tokens",
        None,
    ),
    Mistake(
        "types",
        {"tools": [{"name": "look", "input_schema": {}}]},
        {"tools": [tool()]},
        "Missing required parameter: 'tools[0].type'",
        "missing_required_parameter",
    ),
    Mistake(
        "types",
        {"tools": [{"type": "function", "name": "look"}]},
        {"tools": [tool()]},
        "Missing required parameter: 'tools[0].function'",
        "missing_required_parameter",
    ),
    Mistake(
        "types",
        {"reasoning_effort": "huge", "model": "o3"},
        {"reasoning_effort": "high", "model": "o3"},
        "Invalid value: 'huge'",
        "invalid_value",
    ),
    Mistake(
        "types",
        {"response_format": {"type": "json"}},
        {"response_format": {"type": "text"}},
        "Invalid value: 'json'",
        "invalid_value",
    ),
    Mistake(
        "number_range",
        {"temperature": 2.1},
        {"temperature": 2},
        "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 2.1",
        "decimal_above_max_value",
    ),
    Mistake(
        "number_range",
        {"top_p": -0.1},
        {"top_p": 0.1},
        "Expected a value >= 0",
        "decimal_below_min_value",
    ),
    Mistake(
        "number_range",
        {"n": 129},
        {"n": 2},
        "integer above maximum value. Expected a value <= 128",
        "integer_above_max_value",
    ),
    Mistake(
        "number_range",
        {"max_tokens": 0},
        {"max_tokens": 1},
        "Expected a value >= 1, but got 0",
        "integer_below_min_value",
    ),
    Mistake(
        "empty_assistant",
        {"messages": [USER, {"role": "assistant", "content": None}, USER]},
        {"messages": [USER, {"role": "assistant", "content": ""}, USER]},
        "expected a string, got null",
        None,
    ),
    Mistake(
        "empty_assistant",
        {"messages": [USER, {"role": "assistant", "content": "x", "tool_calls": []}]},
        {"messages": [USER, {"role": "assistant", "content": "x"}]},
        "Invalid 'messages[1].tool_calls': empty array",
        "empty_array",
    ),
    Mistake(
        "orphan_tool_result",
        {"messages": [USER, RESULT_A]},
        {"messages": [USER, CALL, RESULT_A, RESULT_B]},
        "must be a response to a preceeding message with 'tool_calls'",
        None,
    ),
    Mistake(
        "orphan_tool_result",
        {"messages": [USER, CALL, RESULT_A, RESULT_B, {**RESULT_A, "tool_call_id": "z"}]},
        {"messages": [USER, CALL, RESULT_B, RESULT_A]},
        "'tool_call_id' of 'z' not found",
        None,
    ),
    Mistake(
        "unanswered_tool_call",
        {"messages": [USER, CALL, RESULT_A, USER]},
        {"messages": [USER, CALL, RESULT_A, RESULT_B, USER]},
        "did not have response messages: b",
        None,
    ),
    Mistake(
        "bad_image_url",
        image("data:text/plain;base64,AAAA"),
        image(DATA),
        "MIME type",
        "invalid_image_format",
    ),
    Mistake(
        "bad_image_url",
        image("pictures/a.png"),
        image("https://example.com/a.png"),
        "expected a valid URL",
        "invalid_value",
    ),
    Mistake(
        "empty_tools",
        {"tools": []},
        {"tools": [tool()]},
        "Invalid 'tools': empty array",
        "empty_array",
    ),
    Mistake(
        "choice_without_tools",
        {"tool_choice": "auto"},
        {"tool_choice": "auto", "tools": [tool()]},
        "'tool_choice' is only allowed when 'tools' are specified",
        None,
    ),
    Mistake(
        "choice_without_tools",
        {"parallel_tool_calls": False},
        {"parallel_tool_calls": False, "tools": [tool()]},
        "'parallel_tool_calls' is only",
        None,
    ),
    Mistake(
        "bad_function",
        {"tools": [tool("look up")]},
        {"tools": [tool("look_up")]},
        "Invalid 'tools[0].function.name': string does not match pattern",
        "invalid_value",
    ),
    Mistake(
        "bad_function",
        {"tools": [tool("a" * 65)]},
        {"tools": [tool("a" * 64)]},
        "string too long. Expected a string with maximum length 64",
        "string_above_max_length",
    ),
    Mistake(
        "bad_function",
        {"tools": [tool(parameters={"type": "string"})]},
        {"tools": [tool(parameters={"type": "object"})]},
        "got 'type: \"string\"'",
        "invalid_function_parameters",
    ),
    Mistake(
        "bad_function",
        {"tools": [tool(parameters=OPEN, strict=True)]},
        {"tools": [tool(parameters=OPEN)]},
        "'additionalProperties' is required to be supplied and to be false",
        "invalid_function_parameters",
    ),
    Mistake(
        "unknown_tool_choice",
        {"tools": [tool()], "tool_choice": {"type": "function", "function": {"name": "go"}}},
        {"tools": [tool()], "tool_choice": {"type": "function", "function": {"name": "look"}}},
        "'go'",
        None,
    ),
    Mistake(
        "both_token_limits",
        {"max_tokens": 5, "max_completion_tokens": 5},
        {"max_tokens": 5},
        "at the same time is not supported",
        "invalid_parameter_combination",
    ),
    Mistake(
        "old_token_limit",
        {"model": "o3", "max_tokens": 5},
        {"model": "o3", "max_completion_tokens": 5},
        "Use 'max_completion_tokens' instead",
        "unsupported_parameter",
    ),
    Mistake(
        "too_many_tokens",
        {"max_tokens": 32_769},
        {"max_tokens": 32_768},
        "max_tokens is too large: 32769",
        "invalid_value",
    ),
    Mistake(
        "fixed_sampling",
        {"model": "gpt-5-mini", "temperature": 0},
        {"model": "gpt-5-mini", "temperature": 1},
        "Only the default (1) value is supported",
        "unsupported_value",
    ),
    Mistake(
        "no_reasoning",
        {"reasoning_effort": "low"},
        {"model": "o3", "reasoning_effort": "low"},
        "Unrecognized request argument supplied: reasoning_effort",
        None,
    ),
    Mistake(
        "top_logprobs",
        {"top_logprobs": 2},
        {"top_logprobs": 2, "logprobs": True},
        "only allowed when 'logprobs' is enabled",
        None,
    ),
    Mistake(
        "stream_options",
        {"stream_options": {"include_usage": True}},
        {},
        "only allowed when 'stream' is enabled",
        None,
    ),
    Mistake(
        "many_stops",
        {"stop": ["a", "b", "c", "d", "e"]},
        {"stop": ["a", "b", "c", "d"]},
        "array too long. Expected an array with maximum length 4",
        "array_above_max_length",
    ),
    Mistake(
        "schemas_unsupported",
        {"model": "gpt-4", **schema(CLOSED)},
        {"model": "gpt-4o", **schema(CLOSED)},
        "not supported with this model",
        None,
    ),
    Mistake(
        "bad_response_format",
        schema(OPEN, strict=True),
        schema(CLOSED, strict=True),
        "Invalid schema for response_format 'answer': In context=(), 'additionalProperties'",
        None,
    ),
    Mistake(
        "bad_response_format",
        schema({"type": "array", "items": {"type": "string"}}),
        schema({"type": "object"}),
        "got 'type: \"array\"'",
        None,
    ),
    Mistake(
        "bad_response_format",
        schema({**CLOSED, "required": []}, strict=True),
        schema({**CLOSED, "required": []}),
        "Missing 'x'",
        None,
    ),
    Mistake(
        "bad_response_format",
        schema({**CLOSED, "required": ["x", "y"]}, strict=True),
        schema(CLOSED, strict=True),
        "Extra required key 'y'",
        None,
    ),
    Mistake(
        "bad_response_format",
        strict(x={"type": "string", "default": "a"}),
        strict(x={"type": "string", "enum": ["a"]}),
        "In context=('properties', 'x'), 'default' is not permitted",
        None,
    ),
    Mistake(
        "bad_response_format",
        strict(x={"oneOf": [{"type": "string"}]}),
        strict(x={"anyOf": [{"type": "string"}]}),
        "'oneOf' is not permitted",
        None,
    ),
    Mistake(
        "bad_response_format",
        strict(x={"description": "any"}),
        strict(x={"type": "string", "description": "any"}),
        "must have a 'type' key",
        None,
    ),
    Mistake(
        "bad_response_format",
        strict(x={"type": "string", "format": "uri"}),
        strict(x={"type": "string", "format": "uuid"}),
        "'uri' is not a valid format",
        None,
    ),
    Mistake(
        "bad_response_format",
        strict(x={"type": "array"}),
        strict(x={"type": "array", "items": {"type": "string"}}),
        "missing items",
        None,
    ),
    Mistake(
        "bad_response_format",
        schema(CLOSED, name="my answer"),
        schema(CLOSED, name="my-answer"),
        "Invalid 'response_format.json_schema.name'",
        "invalid_value",
    ),
    Mistake(
        "bad_response_format",
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a"}}},
        schema(CLOSED),
        "Missing required parameter: 'response_format.json_schema.schema'",
        "missing_required_parameter",
    ),
    Mistake(
        "json_word",
        {"response_format": {"type": "json_object"}},
        {
            "response_format": {"type": "json_object"},
            "messages": [{"role": "user", "content": "Where? As JSON."}],
        },
        "'messages' must contain the word 'json'",
        None,
    ),
    Mistake(
        "metadata",
        {"metadata": {str(n): "x" for n in range(17)}},
        {"metadata": {str(n): "x" for n in range(16)}},
        "too many properties",
        "object_above_max_properties",
    ),
    Mistake(
        "audio",
        {"model": "gpt-4o-audio-preview", "modalities": ["text", "audio"]},
        {"model": "gpt-4o-audio-preview", "modalities": ["text"]},
        "Missing required parameter: 'audio'",
        "missing_required_parameter",
    ),
    Mistake(
        "bad_function",
        {"tools": [tool(parameters=PARAMETERS | {"properties": {"x": {"type": "array"}}})]},
        {"tools": [tool(parameters=PARAMETERS | {"properties": {"x": LIST}})]},
        "In context=('properties', 'x'), array schema missing items.",
        "invalid_function_parameters",
    ),
    Mistake(
        "bad_function",
        {"tools": [tool(parameters=PARAMETERS | {"properties": {"x": {"type": "text"}}})]},
        {"tools": [tool(parameters=PARAMETERS | {"properties": {"x": {"type": "string"}}})]},
        "In context=('properties', 'x', 'type'), 'text' is not valid",
        "invalid_function_parameters",
    ),
    Mistake(
        "bad_response_format",
        strict(x={"type": ["array", "null"]}),
        strict(x=LIST | {"type": ["array", "null"]}),
        "missing items",
        None,
    ),
    Mistake(
        "bad_response_format",
        strict(x={"type": ["object", "null"]}),
        strict(x=CLOSED | {"type": ["object", "null"]}),
        "'additionalProperties' is required",
        None,
    ),
    Mistake(
        "many_tools",
        {"tools": [tool(f"look_{n}") for n in range(129)]},
        {"tools": [tool(f"look_{n}") for n in range(128)]},
        "Invalid 'tools': array too long",
        "array_above_max_length",
    ),
    Mistake(
        "bad_name",
        {"messages": [USER | {"name": "Ann Lee"}]},
        {"messages": [USER | {"name": "Ann_Lee"}]},
        "Invalid 'messages[0].name': string does not match pattern",
        "invalid_value",
    ),
    Mistake("bad_name", called("a" * 41), called("a" * 40), "with maximum length 40", LONG),
    Mistake("bad_name", called("a", "look up"), called("a"), "does not match", "invalid_value"),
    Mistake(
        "unknown_effort",
        {"model": "o3", "reasoning_effort": "minimal"},
        {"model": "gpt-5", "reasoning_effort": "minimal"},
        "Supported values are: 'low', 'medium', and 'high'.",
        "unsupported_value",
    ),
    *(
        Mistake(
            "no_settings",
            {"model": "gpt-5", name: value},
            {"model": "gpt-5.1", name: value},
            f"'{name}' is not supported with this model",
            "unsupported_parameter",
        )
        for name, value in {
            "stop": "x",
            "presence_penalty": 0.5,
            "frequency_penalty": 0.5,
            "logprobs": True,
            "logit_bias": {"1": 2},
        }.items()
    ),
]


@pytest.mark.parametrize("mistake", REFUSED, ids=lambda one: one.rule)
def test_a_mistake_is_refused_as_the_vendor_does(
    gateway: Gateway, client: OpenAI, mistake: Mistake
) -> None:
    """The mistake is refused by its rule in the vendor's words, and the near miss is served."""
    gateway.when().say("Yes.")
    asked: dict[str, Any] = {"model": "gpt-4.1-mini", "messages": [USER]}

    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(**asked | mistake.wrong)
    client.chat.completions.create(**asked | mistake.right)

    body: Any = caught.value.body
    assert mistake.words in body["message"]
    assert (caught.value.type, caught.value.code) == ("invalid_request_error", mistake.code)
    assert gateway.requests[0].refused == mistake.rule


@pytest.mark.parametrize(
    ("model", "words", "code"),
    [
        ("gpt-nope", "does not exist or you do not have access", "model_not_found"),
        ("gpt-4.1-mini ", "does not exist", "model_not_found"),
        ("text-embedding-3-small", "This is not a chat model", None),
        ("o1-pro", "only supported in v1/responses", None),
    ],
)
def test_a_model_that_is_not_there(
    gateway: Gateway, client: OpenAI, *, model: str, words: str, code: str | None
) -> None:
    """A model that nobody has, or that is for something else, is not found."""
    with pytest.raises(openai.NotFoundError) as caught:
        client.chat.completions.create(model=model, messages=[USER])

    assert words in caught.value.message
    assert caught.value.code == code


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b'{"model": NaN}', b'{"model": "gpt-4o",}']
)
def test_a_body_that_is_no_json(gateway: Gateway, client: OpenAI, body: bytes) -> None:
    """What is no JSON object could not be parsed, says the vendor."""
    with pytest.raises(openai.BadRequestError) as caught:
        client.post("/chat/completions", cast_to=object, content=body)

    assert "could not parse the JSON body" in caught.value.message


def test_another_method_is_refused(gateway: Gateway, client: OpenAI) -> None:
    """The path knows one method."""
    with pytest.raises(openai.APIStatusError) as caught:
        client.get("/chat/completions", cast_to=object)

    assert (caught.value.status_code, caught.value.code) == (405, "method_not_supported")


@pytest.mark.parametrize("missing", ["model", "messages"])
def test_a_field_that_has_to_be_there(gateway: Gateway, client: OpenAI, missing: str) -> None:
    """Without model or messages a request is refused, and the field is named."""
    body: dict[str, Any] = {"model": "gpt-4o", "messages": [USER]}
    del body[missing]

    with pytest.raises(openai.BadRequestError) as caught:
        client.post("/chat/completions", cast_to=object, body=body)

    assert f"Missing required parameter: '{missing}'." in caught.value.message
    assert caught.value.param == missing
