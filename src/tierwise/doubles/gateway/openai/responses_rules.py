"""What OpenAI refuses in a request for a response, beyond the types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import checks, known_models
from tierwise.doubles.gateway.openai.problems import Problem, empty_array, missing, wrong_value
from tierwise.doubles.gateway.saying import Ground

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.doubles.gateway.openai.checks import Body

_LIMITS: Mapping[str, tuple[float | None, float | None]] = {
    "temperature": (0.0, 2.0),
    "top_p": (0.0, 1.0),
    "top_logprobs": (0, 20),
    "max_output_tokens": (16, None),
    "max_tool_calls": (1, None),
}
_MOVED = {
    "messages": "input",
    "response_format": "text.format",
    "max_tokens": "max_output_tokens",
    "max_completion_tokens": "max_output_tokens",
    "reasoning_effort": "reasoning.effort",
    "verbosity": "text.verbosity",
}
_IN_STEAD = ("prompt", "previous_response_id", "conversation")


def find_moved(body: Body) -> Iterator[Problem]:
    """Yield the faults of parameters that chat completions has, and that have moved."""
    for name, there in _MOVED.items():
        if name in body:
            yield Problem(
                message=f"Unsupported parameter: '{name}'. In the Responses API, this parameter "
                f"has moved to '{there}'. Try again with the new parameter.",
                param=name,
                code="unsupported_parameter",
            )


def _nothing_asked(body: Body) -> Iterator[Problem]:
    if all(body.get(name) is None for name in ("input", *_IN_STEAD)):
        yield missing("input")
    if body.get("input") == []:
        yield empty_array("input")


def _no_model(body: Body) -> Iterator[Problem]:
    if body.get("model") is None and body.get("prompt") is None:
        yield missing("model")


def _both_histories(body: Body) -> Iterator[Problem]:
    if body.get("previous_response_id") and body.get("conversation"):
        yield Problem(
            message="Mutually exclusive parameters: 'previous_response_id' and 'conversation'. "
            "Ensure you are only providing one of them.",
            param="conversation",
            code="mutually_exclusive_parameters",
        )


def _bad_previous(body: Body) -> Iterator[Problem]:
    previous = body.get("previous_response_id")
    if previous is not None and not previous.startswith("resp_"):
        yield Problem(
            message=f"Invalid 'previous_response_id': '{previous}'. Expected an ID that begins "
            "with 'resp'.",
            param="previous_response_id",
            code="invalid_value",
        )


def _items(body: Body) -> list[Mapping[str, Any]]:
    found = body.get("input")
    return found if isinstance(found, list) else []


def _orphan_outputs(body: Body) -> Iterator[Problem]:
    # What was said before is the vendor's to know.
    if any(body.get(name) for name in _IN_STEAD):
        return
    called: set[str] = set()
    for item in _items(body):
        if item.get("type") == "function_call":
            called.add(item["call_id"])
        elif item.get("type") == "function_call_output" and item.get("call_id") not in called:
            yield Problem(
                message="No tool call found for function call output with call_id "
                f"{item.get('call_id')}.",
                param="input",
            )


def _unanswered_calls(body: Body) -> Iterator[Problem]:
    answered = {
        item.get("call_id") for item in _items(body) if item.get("type") == "function_call_output"
    }
    for item in _items(body):
        if item.get("type") == "function_call" and item["call_id"] not in answered:
            yield Problem(
                message=f"No tool output found for function call {item['call_id']}.",
                param="input",
            )


def _mixed_parts(body: Body) -> Iterator[Problem]:
    for index, item in enumerate(_items(body)):
        content = item.get("content")
        if item.get("role") != "assistant" or not isinstance(content, list):
            continue
        for place, part in enumerate(content):
            if part["type"] not in {"output_text", "refusal"}:
                param = f"input[{index}].content[{place}]"
                yield wrong_value(param, part["type"], ("output_text", "refusal"))


def _bad_functions(body: Body) -> Iterator[Problem]:
    for index, tool in enumerate(body.get("tools") or ()):
        if tool["type"] == "function":
            yield from checks.find_bad_name(f"tools[{index}].name", tool["name"])
            yield from checks.find_bad_function(
                f"tools[{index}]", tool, schema_param=".parameters"
            )


def _unknown_choice(body: Body) -> Iterator[Problem]:
    choice = body.get("tool_choice")
    if not isinstance(choice, dict) or choice["type"] != "function":
        return
    if choice["name"] not in {tool.get("name") for tool in body.get("tools") or ()}:
        yield Problem(
            message=f"Tool choice '{choice['name']}' not found in 'tools' parameter.",
            param="tool_choice",
        )


def _format(body: Body) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (body.get("text") or {}).get("format") or {}
    return found


def _bad_format(body: Body) -> Iterator[Problem]:
    found = _format(body)
    if found.get("type") == "json_schema":
        yield from checks.find_bad_name("text.format.name", found["name"])
        yield from checks.find_bad_schema("text.format.schema", found, code="invalid_json_schema")


def _no_json_word(body: Body) -> Iterator[Problem]:
    said = f"{body.get('input')}{body.get('instructions')}".lower()
    if _format(body).get("type") == "json_object" and "json" not in said:
        yield Problem(
            message="Response input messages must contain the word 'json' in some form to use "
            "'text.format' of type 'json_object'.",
            param="input",
        )


def _fixed_sampling(body: Body) -> Iterator[Problem]:
    if not known_models.has_fixed_sampling(body.get("model", "")):
        return
    for name in ("temperature", "top_p"):
        if body.get(name) is not None:
            yield Problem(
                message=f"Unsupported parameter: '{name}' is not supported with this model.",
                param=name,
                code="unsupported_parameter",
            )


def _no_effort(body: Body) -> Iterator[Problem]:
    effort = (body.get("reasoning") or {}).get("effort")
    if effort is not None and known_models.is_plain(body.get("model", "")):
        yield Problem(
            message="Unsupported parameter: 'reasoning.effort' is not supported with this model.",
            param="reasoning.effort",
            code="unsupported_parameter",
        )


def _stream_options(body: Body) -> Iterator[Problem]:
    if body.get("stream_options") is not None and not body.get("stream"):
        yield Problem(
            message="The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            param="stream_options",
        )


RESPONSES_CHECKS = (
    checks.check("no_model", "model is given, or a prompt that has one", _no_model),
    checks.check("no_input", "input is given, or what stands in its stead", _nothing_asked),
    checks.check("number_range", "numbers are in range", checks.limit_numbers(_LIMITS)),
    checks.check(
        "both_histories",
        "previous_response_id and conversation exclude each other",
        _both_histories,
    ),
    checks.check(
        "bad_previous_response",
        "an id of a response begins with resp_",
        _bad_previous,
        ground=Ground.OBSERVED,
    ),
    checks.check(
        "orphan_function_output", "an output follows the call that it is of", _orphan_outputs
    ),
    checks.check(
        "unanswered_function_call", "each function call has its output", _unanswered_calls
    ),
    checks.check(
        "assistant_content", "what the assistant said is output_text or a refusal", _mixed_parts
    ),
    checks.check("bad_function", "names and schemas of functions can be kept", _bad_functions),
    checks.check("unknown_tool_choice", "tool_choice names one of the tools", _unknown_choice),
    checks.check("fixed_sampling", "reasoning models have one temperature", _fixed_sampling),
    checks.check(
        "no_reasoning",
        "only reasoning models have an effort",
        _no_effort,
        ground=Ground.OBSERVED,
    ),
    checks.check("stream_options", "stream_options comes with stream", _stream_options),
    checks.check("bad_text_format", "the strict mode knows the schema", _bad_format),
    checks.check("json_word", "json_object comes with the word JSON", _no_json_word),
    checks.check("metadata", "metadata has 16 short entries at most", checks.find_bad_metadata),
)
