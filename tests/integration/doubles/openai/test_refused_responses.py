"""Requests for responses and embeddings that the vendor refuses, each beside a near miss."""

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
CALL: Any = {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}
OUTPUT: Any = {"type": "function_call_output", "call_id": "a", "output": "here"}
TOOL: Any = {"type": "function", "name": "look", "parameters": None, "strict": False}
OPEN: Any = {"type": "object", "properties": {"x": {"type": "string"}}}
CLOSED: Any = {**OPEN, "required": ["x"], "additionalProperties": False}


def text(schema: Any, *, name: str = "answer", **more: Any) -> Any:
    return {"text": {"format": {"type": "json_schema", "name": name, "schema": schema, **more}}}


THOUGHT: Any = {"type": "reasoning", "id": "rs_1", "summary": []}
SAID: Any = {"role": "assistant", "content": "There."}
CUSTOM: Any = {"type": "custom_tool_call", "call_id": "a", "name": "look", "input": "x"}
CUSTOM_OUTPUT: Any = {"type": "custom_tool_call_output", "call_id": "a", "output": "here"}
REFUSED: list[Mistake] = [
    Mistake(
        "loose_reasoning",
        {"model": "gpt-5", "input": [USER, THOUGHT]},
        {"model": "gpt-5", "input": [USER, THOUGHT, SAID]},
        "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        None,
    ),
    Mistake(
        "loose_reasoning",
        {"model": "gpt-5", "input": [USER, THOUGHT, USER]},
        {"model": "gpt-5", "input": [USER, THOUGHT, CALL, OUTPUT]},
        "without its required following item",
        None,
    ),
    Mistake(
        "unanswered_custom_call",
        {"model": "gpt-5", "input": [USER, CUSTOM]},
        {"model": "gpt-5", "input": [USER, CUSTOM, CUSTOM_OUTPUT]},
        "No tool output found for custom tool call a.",
        None,
    ),
    Mistake(
        "required_without_tools",
        {"tool_choice": "required"},
        {"tool_choice": "required", "tools": [TOOL]},
        "Tool choice 'required' must be specified with 'tools' parameter.",
        None,
    ),
    Mistake(
        "unknown_effort",
        {"model": "gpt-5", "reasoning": {"effort": "none"}},
        {"model": "gpt-5.1", "reasoning": {"effort": "none"}},
        "'reasoning.effort' does not support 'none' with this model",
        "unsupported_value",
    ),
    Mistake(
        "moved_parameter",
        {"extra_body": {"messages": [USER]}},
        {"input": [USER]},
        "'messages'. In the Responses API, this parameter has moved to 'input'",
        "unsupported_parameter",
    ),
    Mistake(
        "moved_parameter",
        {"extra_body": {"response_format": {"type": "json_object"}}},
        {},
        "has moved to 'text.format'",
        "unsupported_parameter",
    ),
    Mistake(
        "moved_parameter",
        {"extra_body": {"max_tokens": 50}},
        {"max_output_tokens": 50},
        "has moved to 'max_output_tokens'",
        "unsupported_parameter",
    ),
    Mistake("types", {"extra_body": {"n": 2}}, {}, "Unknown parameter: 'n'", "unknown_parameter"),
    Mistake(
        "types",
        {"input": 5},
        {"input": "5"},
        "Invalid type for 'input': expected one of a string or array",
        "invalid_type",
    ),
    Mistake(
        "types",
        {"input": [{"role": "tool", "content": "x"}]},
        {"input": [USER]},
        "Invalid value: 'tool'",
        "invalid_value",
    ),
    Mistake(
        "types",
        {"input": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]},
        {"input": [{"role": "user", "content": [{"type": "input_text", "text": "x"}]}]},
        "Invalid value: 'text'. Supported values are: 'input_text'",
        "invalid_value",
    ),
    Mistake(
        "types",
        {"input": [USER, {**CALL, "call_id": None}, OUTPUT]},
        {"input": [USER, CALL, OUTPUT]},
        "Invalid type for 'input[1].call_id'",
        "invalid_type",
    ),
    Mistake(
        "types",
        {"tools": [{"type": "function", "function": {"name": "look"}}]},
        {"tools": [TOOL]},
        "Missing required parameter: 'tools[0].name'",
        "missing_required_parameter",
    ),
    Mistake(
        "types",
        {"temperature": "warm"},
        {"temperature": 1.5},
        "Invalid type for 'temperature'",
        "invalid_type",
    ),
    Mistake(
        "no_input", {"input": []}, {"input": [USER]}, "Invalid 'input': empty array", "empty_array"
    ),
    Mistake(
        "number_range",
        {"max_output_tokens": 15},
        {"max_output_tokens": 16},
        "Expected a value >= 16, but got 15",
        "integer_below_min_value",
    ),
    Mistake(
        "number_range",
        {"temperature": 2.5},
        {"temperature": 2},
        "decimal above maximum value",
        "decimal_above_max_value",
    ),
    Mistake(
        "both_histories",
        {"previous_response_id": "resp_1", "conversation": "conv_1"},
        {"conversation": "conv_1"},
        "Mutually exclusive parameters",
        "mutually_exclusive_parameters",
    ),
    Mistake(
        "bad_previous_response",
        {"previous_response_id": "chatcmpl-1"},
        {"previous_response_id": "resp_1"},
        "Expected an ID that begins with 'resp'",
        "invalid_value",
    ),
    Mistake(
        "orphan_function_output",
        {"input": [USER, OUTPUT]},
        {"input": [USER, CALL, OUTPUT]},
        "No tool call found for function call output with call_id a",
        None,
    ),
    Mistake(
        "orphan_function_output",
        {"input": [USER, CALL, {**OUTPUT, "call_id": "b"}]},
        {"input": [OUTPUT], "previous_response_id": "resp_1"},
        "with call_id b",
        None,
    ),
    Mistake(
        "unanswered_function_call",
        {"input": [USER, CALL]},
        {"input": [USER, CALL, OUTPUT]},
        "No tool output found for function call a",
        None,
    ),
    Mistake(
        "assistant_content",
        {"input": [{"role": "assistant", "content": [{"type": "input_text", "text": "x"}]}]},
        {"input": [USER, {"role": "assistant", "content": "x"}]},
        "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'",
        "invalid_value",
    ),
    Mistake(
        "bad_function",
        {"tools": [{**TOOL, "name": "look up"}]},
        {"tools": [TOOL]},
        "Invalid 'tools[0].name': string does not match pattern",
        "invalid_value",
    ),
    Mistake(
        "bad_function",
        {"tools": [{**TOOL, "parameters": OPEN, "strict": True}]},
        {"tools": [{**TOOL, "parameters": CLOSED, "strict": True}]},
        "Invalid schema for function 'look'",
        "invalid_function_parameters",
    ),
    Mistake(
        "unknown_tool_choice",
        {"tools": [TOOL], "tool_choice": {"type": "function", "name": "go"}},
        {"tools": [TOOL], "tool_choice": {"type": "function", "name": "look"}},
        "Tool choice 'go' not found in 'tools' parameter",
        None,
    ),
    Mistake(
        "fixed_sampling",
        {"model": "o3", "temperature": 0.5},
        {"model": "o3"},
        "'temperature' is not supported with this model",
        "unsupported_parameter",
    ),
    Mistake(
        "no_reasoning",
        {"reasoning": {"effort": "low"}},
        {"model": "o3", "reasoning": {"effort": "low"}},
        "'reasoning.effort' is not supported with this model",
        "unsupported_parameter",
    ),
    Mistake(
        "stream_options",
        {"stream_options": {"include_obfuscation": False}},
        {},
        "only allowed when 'stream' is enabled",
        None,
    ),
    Mistake(
        "bad_text_format",
        text(OPEN, strict=True),
        text(CLOSED, strict=True),
        "Invalid schema for response_format 'answer'",
        "invalid_json_schema",
    ),
    Mistake(
        "bad_text_format",
        text(CLOSED, name="my answer"),
        text(CLOSED, name="my_answer"),
        "Invalid 'text.format.name'",
        "invalid_value",
    ),
    Mistake(
        "json_word",
        {"text": {"format": {"type": "json_object"}}},
        {"text": {"format": {"type": "json_object"}}, "input": "As JSON."},
        "must contain the word 'json'",
        None,
    ),
    Mistake(
        "metadata",
        {"metadata": {"a": "x" * 513}},
        {"metadata": {"a": "x" * 512}},
        "string too long",
        "string_above_max_length",
    ),
]


@pytest.mark.parametrize("mistake", REFUSED, ids=lambda one: one.rule)
def test_a_mistake_is_refused_as_the_vendor_does(
    gateway: Gateway, client: OpenAI, mistake: Mistake
) -> None:
    """The mistake is refused by its rule in the vendor's words, and the near miss is served."""
    gateway.when().say("Yes.")
    asked: dict[str, Any] = {"model": "gpt-4.1-mini", "input": "Where?"}

    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(**asked | mistake.wrong)
    client.responses.create(**asked | mistake.right)

    body: Any = caught.value.body
    assert mistake.words in body["message"]
    assert (caught.value.type, caught.value.code) == ("invalid_request_error", mistake.code)
    assert gateway.requests[0].refused == mistake.rule


@pytest.mark.parametrize("missing", ["model", "input"])
def test_a_field_that_has_to_be_there(gateway: Gateway, client: OpenAI, missing: str) -> None:
    """Without model or input a request is refused, and the field is named."""
    asked: dict[str, Any] = {"model": "gpt-4.1-mini", "input": "Where?"}
    del asked[missing]

    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(**asked)

    assert (caught.value.param, caught.value.code) == (missing, "missing_required_parameter")


@pytest.mark.parametrize("model", ["gpt-nope", "text-embedding-3-small"])
def test_a_model_that_is_not_there(gateway: Gateway, client: OpenAI, model: str) -> None:
    """A model that nobody has, or that is for embeddings, is not found."""
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model=model, input="Where?")


EMBEDDINGS: list[Mistake] = [
    Mistake(
        "types",
        {"input": {"text": "a"}},
        {"input": "a"},
        "Invalid type for 'input'",
        "invalid_type",
    ),
    Mistake(
        "types",
        {"encoding_format": "hex"},
        {"encoding_format": "float"},
        "Invalid value: 'hex'",
        "invalid_value",
    ),
    Mistake("no_text", {"input": []}, {"input": ["a"]}, "empty array", "empty_array"),
    Mistake("no_text", {"input": ["a", ""]}, {"input": ["a", "b"]}, "'$.input' is invalid", None),
    Mistake(
        "many_texts",
        {"input": ["a"] * 2049},
        {"input": ["a", "b"]},
        "maximum length 2048",
        "array_above_max_length",
    ),
    Mistake(
        "long_text",
        {"input": [7] * 8193},
        {"input": [7] * 8192},
        "maximum context length is 8192 tokens, however you requested 8193",
        None,
    ),
    Mistake(
        "dimensions",
        {"dimensions": 1537},
        {"dimensions": 1536},
        "less than or equal to 1536",
        None,
    ),
    Mistake(
        "dimensions",
        {"dimensions": 0},
        {"dimensions": 1},
        "Expected a value >= 1",
        "integer_below_min_value",
    ),
    Mistake(
        "dimensions",
        {"model": "text-embedding-ada-002", "dimensions": 10},
        {"model": "text-embedding-ada-002"},
        "does not support specifying dimensions",
        None,
    ),
]


@pytest.mark.parametrize("mistake", EMBEDDINGS, ids=lambda one: one.rule)
def test_a_mistake_with_embeddings(gateway: Gateway, client: OpenAI, mistake: Mistake) -> None:
    """The mistake is refused with the vendor's words; the near miss is served."""
    asked: dict[str, Any] = {
        "model": "text-embedding-3-small",
        "input": "harbour",
        "encoding_format": "float",
    }

    with pytest.raises(openai.BadRequestError) as caught:
        client.embeddings.create(**asked | mistake.wrong)
    client.embeddings.create(**asked | mistake.right)

    body: Any = caught.value.body
    assert mistake.words in body["message"]
    assert caught.value.code == mistake.code
    assert gateway.requests[0].refused == mistake.rule


def test_a_chat_model_makes_no_embeddings(gateway: Gateway, client: OpenAI) -> None:
    """A model that talks is not allowed to embed."""
    with pytest.raises(openai.PermissionDeniedError):
        client.embeddings.create(model="gpt-4o", input="harbour")
