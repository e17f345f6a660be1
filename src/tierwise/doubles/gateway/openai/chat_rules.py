"""What OpenAI refuses in a chat completion, beyond the types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import checks, known_models
from tierwise.doubles.gateway.openai.problems import Problem, empty_array, long_array, missing
from tierwise.doubles.gateway.saying import Ground

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.doubles.gateway.openai.checks import Body

_MOST_STOPS = 4
_LIMITS: Mapping[str, tuple[float | None, float | None]] = {
    "temperature": (0.0, 2.0),
    "top_p": (0.0, 1.0),
    "presence_penalty": (-2.0, 2.0),
    "frequency_penalty": (-2.0, 2.0),
    "n": (1, 128),
    "top_logprobs": (0, 20),
    "max_tokens": (1, None),
    "max_completion_tokens": (1, None),
}
_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,", re.IGNORECASE)
_SCHEMA = "response_format.json_schema"


def _no_messages(body: Body) -> Iterator[Problem]:
    if not body["messages"]:
        yield empty_array("messages")


def _empty_assistant(body: Body) -> Iterator[Problem]:
    for index, message in enumerate(body["messages"]):
        if message["role"] != "assistant":
            continue
        if message.get("tool_calls") == []:
            yield empty_array(f"messages[{index}].tool_calls")
        said = ("content", "tool_calls", "function_call", "refusal", "audio")
        if all(message.get(name) is None for name in said):
            yield Problem(
                message="Invalid value for 'content': expected a string, got null.",
                param=f"messages.[{index}].content",
            )


def _orphan_results(body: Body) -> Iterator[Problem]:
    open_calls: set[str] = set()
    for index, message in enumerate(body["messages"]):
        if message["role"] == "assistant":
            open_calls = {call["id"] for call in message.get("tool_calls") or ()}
        elif message["role"] != "tool":
            open_calls = set()
        elif not open_calls:
            yield Problem(
                message="Invalid parameter: messages with role 'tool' must be a response to a "
                "preceeding message with 'tool_calls'.",
                param=f"messages.[{index}].role",
            )
        elif message["tool_call_id"] not in open_calls:
            yield Problem(
                message="Invalid parameter: 'tool_call_id' of "
                f"'{message['tool_call_id']}' not found in 'tool_calls' of previous message.",
                param=f"messages.[{index}].tool_call_id",
            )


def _unanswered_calls(body: Body) -> Iterator[Problem]:
    messages = body["messages"]
    for index, message in enumerate(messages):
        wanted = [call["id"] for call in message.get("tool_calls") or ()]
        for answer in messages[index + 1 :]:
            if answer["role"] != "tool":
                break
            wanted = [one for one in wanted if one != answer["tool_call_id"]]
        if wanted:
            yield Problem(
                message="An assistant message with 'tool_calls' must be followed by tool "
                "messages responding to each 'tool_call_id'. The following tool_call_ids did "
                f"not have response messages: {', '.join(wanted)}",
                param=f"messages.[{index}].role",
            )


def _bad_images(body: Body) -> Iterator[Problem]:
    for message in body["messages"]:
        if not isinstance(message.get("content"), list):
            continue
        for part in message["content"]:
            url = part["image_url"]["url"] if part["type"] == "image_url" else "https:"
            if url.startswith("data:") and not _IMAGE.match(url):
                yield Problem(
                    message="Invalid MIME type. Only image types are supported.",
                    code="invalid_image_format",
                )
            if not url.startswith(("data:", "https:", "http:")):
                yield Problem(
                    message="Invalid 'image_url': expected a valid URL, but got a value with an "
                    "invalid format.",
                    param="messages",
                    code="invalid_value",
                )


def _bad_functions(body: Body) -> Iterator[Problem]:
    for index, tool in enumerate(body.get("tools") or ()):
        if tool["type"] == "function":
            name = f"tools[{index}].function"
            yield from checks.find_bad_name(f"{name}.name", tool["function"]["name"])
            yield from checks.find_bad_function(name, tool["function"], schema_param=".parameters")


def _unknown_choice(body: Body) -> Iterator[Problem]:
    choice = body.get("tool_choice")
    if not isinstance(choice, dict) or choice["type"] == "allowed_tools":
        return
    name = choice[choice["type"]]["name"]
    if name not in {tool[tool["type"]]["name"] for tool in body.get("tools") or ()}:
        yield Problem(
            message=f"Invalid value for 'tool_choice': the tool '{name}' is not in 'tools'.",
            param="tool_choice",
        )


def _both_limits(body: Body) -> Iterator[Problem]:
    if body.get("max_tokens") is not None and body.get("max_completion_tokens") is not None:
        yield Problem(
            message="Setting 'max_tokens' and 'max_completion_tokens' at the same time is not "
            "supported.",
            param="max_tokens",
            code="invalid_parameter_combination",
        )


def _too_many_tokens(body: Body) -> Iterator[Problem]:
    most = known_models.find_limit(body["model"])
    for name in ("max_tokens", "max_completion_tokens"):
        value = body.get(name)
        if most is not None and value is not None and value > most:
            yield Problem(
                message=f"{name} is too large: {value}. This model supports at most {most} "
                f"completion tokens, whereas you provided {value}.",
                param=name,
                code="invalid_value",
            )


def _old_limit(body: Body) -> Iterator[Problem]:
    if body.get("max_tokens") is not None and known_models.has_fixed_sampling(body["model"]):
        yield Problem(
            message="Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            param="max_tokens",
            code="unsupported_parameter",
        )


def _fixed_sampling(body: Body) -> Iterator[Problem]:
    if not known_models.has_fixed_sampling(body["model"]):
        return
    for name, only in (("temperature", 1), ("top_p", 1)):
        value = body.get(name)
        if value is not None and value != only:
            yield Problem(
                message=f"Unsupported value: '{name}' does not support {value} with this model. "
                f"Only the default ({only}) value is supported.",
                param=name,
                code="unsupported_value",
            )


def _no_effort(body: Body) -> Iterator[Problem]:
    if body.get("reasoning_effort") is not None and known_models.is_plain(body["model"]):
        yield Problem(message="Unrecognized request argument supplied: reasoning_effort")


def _logprobs(body: Body) -> Iterator[Problem]:
    if body.get("top_logprobs") is not None and not body.get("logprobs"):
        yield Problem(
            message="The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
            param="top_logprobs",
        )


def _stream_options(body: Body) -> Iterator[Problem]:
    if body.get("stream_options") is not None and not body.get("stream"):
        yield Problem(
            message="The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            param="stream_options",
        )


def _many_stops(body: Body) -> Iterator[Problem]:
    stop = body.get("stop")
    if isinstance(stop, list) and len(stop) > _MOST_STOPS:
        yield long_array("stop", len(stop), most=_MOST_STOPS)


def _bad_format(body: Body) -> Iterator[Problem]:
    found = body.get("response_format") or {}
    if found.get("type") != "json_schema":
        return
    inner = found["json_schema"]
    if "schema" not in inner:
        yield missing(f"{_SCHEMA}.schema")
    yield from checks.find_bad_name(f"{_SCHEMA}.name", inner["name"])
    yield from checks.find_bad_schema("response_format", inner, code=None)


def _no_schemas(body: Body) -> Iterator[Problem]:
    found = body.get("response_format") or {}
    if found.get("type") == "json_schema" and known_models.lacks_schemas(body["model"]):
        yield Problem(
            message="Invalid parameter: 'response_format' of type 'json_schema' is not supported "
            "with this model.",
            param="response_format",
        )


def _no_json_word(body: Body) -> Iterator[Problem]:
    found = body.get("response_format") or {}
    if found.get("type") != "json_object":
        return
    if not any("json" in str(message.get("content")).lower() for message in body["messages"]):
        yield Problem(
            message="'messages' must contain the word 'json' in some form, to use "
            "'response_format' of type 'json_object'.",
            param="messages",
        )


def _audio(body: Body) -> Iterator[Problem]:
    wants: Any = body.get("modalities") or ()
    if "audio" in wants and body.get("audio") is None:
        yield missing("audio")


CHAT_CHECKS = (
    checks.check("no_messages", "messages has at least one", _no_messages),
    checks.check("number_range", "numbers are in range", checks.limit_numbers(_LIMITS)),
    checks.check("empty_assistant", "an assistant's turn says something", _empty_assistant),
    checks.check(
        "orphan_tool_result", "a tool's result follows the call that it is of", _orphan_results
    ),
    checks.check("unanswered_tool_call", "each tool call is answered at once", _unanswered_calls),
    checks.check(
        "bad_image_url",
        "an image is a URL or base64 of an image",
        _bad_images,
        ground=Ground.OBSERVED,
    ),
    checks.check("empty_tools", "tools has at least one", checks.find_empty_tools),
    checks.check(
        "choice_without_tools",
        "tool_choice and parallel_tool_calls come with tools",
        checks.find_choice_without_tools,
    ),
    checks.check("bad_function", "names and schemas of functions can be kept", _bad_functions),
    checks.check("unknown_tool_choice", "tool_choice names one of the tools", _unknown_choice),
    checks.check(
        "both_token_limits",
        "max_tokens and max_completion_tokens exclude each other",
        _both_limits,
        ground=Ground.OBSERVED,
    ),
    checks.check(
        "old_token_limit", "reasoning models know max_completion_tokens only", _old_limit
    ),
    checks.check(
        "too_many_tokens", "no more tokens are asked for than a model writes", _too_many_tokens
    ),
    checks.check(
        "fixed_sampling", "reasoning models have one temperature and top_p", _fixed_sampling
    ),
    checks.check(
        "no_reasoning",
        "only reasoning models have an effort",
        _no_effort,
        ground=Ground.OBSERVED,
    ),
    checks.check("top_logprobs", "top_logprobs comes with logprobs", _logprobs),
    checks.check("stream_options", "stream_options comes with stream", _stream_options),
    checks.check("many_stops", "there are at most 4 stop sequences", _many_stops),
    checks.check("schemas_unsupported", "older models have no structured output", _no_schemas),
    checks.check("bad_response_format", "the strict mode knows the schema", _bad_format),
    checks.check("json_word", "json_object comes with the word JSON", _no_json_word),
    checks.check("metadata", "metadata has 16 short entries at most", checks.find_bad_metadata),
    checks.check("audio", "audio output comes with its settings", _audio),
)
