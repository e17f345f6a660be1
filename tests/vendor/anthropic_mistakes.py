"""Mistakes that Anthropic refuses, each beside a near miss that it serves."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from anthropic_box import HELLO, OLD, WEATHER

from tierwise.doubles.gateway.anthropic.signing import sign

PIXEL = base64.b64encode(b"pixel").decode()
CALL = {"type": "tool_use", "id": "t1", "name": "weather", "input": {"city": "Rom"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "sun"}
MARK = {"cache_control": {"type": "ephemeral"}}


def ask(**fields: Any) -> dict[str, Any]:
    return HELLO | fields


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def said(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def text(words: str = "Hello?", **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **fields}


def image(data: str = PIXEL, kind: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def talk(*messages: Any, **fields: Any) -> dict[str, Any]:
    return ask(messages=list(messages), tools=[WEATHER], **fields)


def tool(**fields: Any) -> dict[str, Any]:
    return ask(tools=[WEATHER | fields])


def schema(found: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return ask(output_config={"format": {"type": "json_schema", "schema": found}}, **fields)


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in HELLO.items() if key != name}


DOCUMENT = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "a"},
}
CITED = DOCUMENT | {"citations": {"enabled": True}}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": sign("Hm.")}
CITATION = {
    "type": "char_location",
    "cited_text": "a",
    "document_index": 0,
    "document_title": None,
    "start_char_index": 0,
    "end_char_index": 1,
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A body that breaks a rule, how the vendor's words begin, and a twin that breaks none."""

    rule: str
    says: str
    bad: dict[str, Any]
    good: dict[str, Any]


MISTAKES = [
    Mistake("fields", "max_tokens: Field required", without("max_tokens"), ask()),
    Mistake("fields", "messages: Field required", without("messages"), ask()),
    Mistake("fields", "model: Field required", without("model"), ask()),
    Mistake(
        "fields",
        "max_tokens: Input should be a valid integer",
        ask(max_tokens="64"),
        ask(max_tokens=64),
    ),
    Mistake(
        "fields",
        "messages: Input should be a valid list",
        ask(messages="Hello?"),
        ask(messages=[user(text())]),
    ),
    Mistake(
        "fields",
        "temperature: Extra inputs are not permitted",
        ask(temperature=1.0),
        ask(service_tier="auto"),
    ),
    Mistake(
        "fields",
        "max_completion_tokens: Extra inputs are not permitted",
        ask(max_completion_tokens=64),
        ask(max_tokens=65),
    ),
    Mistake(
        "fields",
        "response_format: Extra inputs are not permitted",
        ask(response_format={"type": "json_object"}),
        schema(closed()),
    ),
    Mistake(
        "fields",
        'messages: Unexpected role "tool"',
        ask(messages=[{"role": "tool", "content": "sun"}]),
        ask(messages=[{"role": "user", "content": "sun"}]),
    ),
    Mistake(
        "fields",
        "messages.0.content: Field required",
        ask(messages=[{"role": "user"}]),
        ask(messages=[{"role": "user", "content": "a"}]),
    ),
    Mistake(
        "fields",
        "messages.0.content.0.text.text: Field required",
        ask(messages=[user({"type": "text"})]),
        ask(messages=[user(text())]),
    ),
    Mistake(
        "fields",
        "messages.0.content.0: Input tag 'input_text' found using 'type' does not match",
        ask(messages=[user({"type": "input_text", "text": "a"})]),
        ask(messages=[user(text("a"))]),
    ),
    Mistake(
        "fields",
        "messages.0.content.0: Input tag 'image_url' found using 'type' does not match",
        ask(messages=[user({"type": "image_url", "image_url": {"url": "https://a.b/c.png"}})]),
        ask(messages=[user({"type": "image", "source": {"type": "url", "url": "https://a.b"}})]),
    ),
    Mistake(
        "fields",
        "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg'",
        ask(messages=[user(image(kind="image/bmp"))]),
        ask(messages=[user(image(kind="image/webp"))]),
    ),
    Mistake(
        "fields",
        "tool_choice: Input should be a valid dictionary",
        ask(tools=[WEATHER], tool_choice="auto"),
        ask(tools=[WEATHER], tool_choice={"type": "auto"}),
    ),
    Mistake(
        "fields",
        "tool_choice: Input tag 'function' found using 'type' does not match",
        ask(tools=[WEATHER], tool_choice={"type": "function", "function": {"name": "weather"}}),
        ask(tools=[WEATHER], tool_choice={"type": "tool", "name": "weather"}),
    ),
    Mistake(
        "fields",
        "tools.0: Input tag 'function' found using 'type' does not match",
        ask(tools=[{"type": "function", "function": WEATHER}]),
        ask(tools=[WEATHER | {"type": "custom"}]),
    ),
    Mistake(
        "fields",
        "tools.0.custom.input_schema: Field required",
        ask(tools=[{"name": "weather", "parameters": {"type": "object"}}]),
        ask(tools=[{"name": "weather", "input_schema": {"type": "object"}}]),
    ),
    Mistake(
        "fields",
        "stop_sequences: Input should be a valid list",
        ask(stop_sequences="END"),
        ask(stop_sequences=["END"]),
    ),
    Mistake(
        "fields",
        "thinking.enabled.budget_tokens: Field required",
        ask(thinking={"type": "enabled"}),
        ask(thinking={"type": "adaptive"}),
    ),
    Mistake(
        "fields",
        "output_config.format.type: Input should be 'json_schema'",
        ask(output_config={"format": {"type": "json_object", "schema": closed()}}),
        schema(closed()),
    ),
    Mistake(
        "fields",
        "output_config.effort: Input should be 'low'",
        ask(output_config={"effort": "minimal"}),
        ask(output_config={"effort": "low"}),
    ),
    Mistake(
        "fields",
        "stream: Input should be a valid boolean",
        ask(stream="true"),
        ask(stream=True),
    ),
    Mistake(
        "messages",
        "messages: at least one message is required",
        ask(messages=[]),
        ask(messages=[user(text())]),
    ),
    Mistake(
        "content",
        "messages.0: user messages must have non-empty content",
        ask(messages=[{"role": "user", "content": ""}]),
        ask(messages=[{"role": "user", "content": "a"}]),
    ),
    Mistake(
        "content",
        "messages.1: all messages must have non-empty content except for the optional final",
        ask(messages=[user(text()), said(), user(text())]),
        ask(messages=[user(text()), said()], model=OLD),
    ),
    Mistake(
        "text",
        "messages: text content blocks must be non-empty",
        ask(messages=[user(text(""))]),
        ask(messages=[user(text("."))]),
    ),
    Mistake(
        "text",
        "messages: text content blocks must contain non-whitespace text",
        ask(messages=[user(text(" \n"))]),
        ask(messages=[user(text(" .\n"))]),
    ),
    Mistake(
        "calls-from-assistant",
        "messages.0: `tool_use` blocks can only be in `assistant` messages",
        talk(user(CALL)),
        talk(user(text()), said(CALL), user(RESULT)),
    ),
    Mistake(
        "results-from-user",
        "messages.2: `tool_result` blocks can only be in `user` messages",
        talk(user(text()), said(CALL), said(RESULT), user(text())),
        talk(user(text()), said(CALL), user(RESULT)),
    ),
    Mistake(
        "ids-once",
        "messages.3.content.0: `tool_use` ids must be unique",
        talk(user(text()), said(CALL), user(RESULT), said(CALL), user(RESULT)),
        talk(
            user(text()),
            said(CALL),
            user(RESULT),
            said(CALL | {"id": "t2"}),
            user(RESULT | {"tool_use_id": "t2"}),
        ),
    ),
    Mistake(
        "calls-answered",
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1",
        talk(user(text()), said(CALL), user(text())),
        talk(user(text()), said(CALL), user(RESULT, text())),
    ),
    Mistake(
        "calls-answered",
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t2",
        talk(user(text()), said(CALL, CALL | {"id": "t2"}), user(RESULT)),
        talk(
            user(text()),
            said(CALL, CALL | {"id": "t2"}),
            user(RESULT, RESULT | {"tool_use_id": "t2"}),
        ),
    ),
    Mistake(
        "calls-answered",
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1",
        talk(user(text()), said(CALL), user(text("Here:"), RESULT)),
        talk(user(text()), said(CALL), user(RESULT, text("There."))),
    ),
    Mistake(
        "results-wished",
        "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1",
        talk(user(RESULT)),
        talk(user(text()), said(CALL), user(RESULT)),
    ),
    Mistake(
        "results-wished",
        "messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1",
        talk(user(text()), said(CALL), user(RESULT), said(text("So.")), user(RESULT)),
        talk(user(text()), said(CALL), user(RESULT), said(text("So.")), user(text())),
    ),
    Mistake(
        "results-once",
        "messages.2: each tool_use must have a single result",
        talk(user(text()), said(CALL), user(RESULT, RESULT)),
        talk(user(text()), said(CALL), user(RESULT)),
    ),
    Mistake(
        "trailing-blank",
        "messages: final assistant content cannot end with trailing whitespace",
        ask(messages=[user(text()), said(text("Well, "))], model=OLD),
        ask(messages=[user(text()), said(text("Well,"))], model=OLD),
    ),
    Mistake(
        "prefill",
        "This model does not support assistant message prefill",
        ask(messages=[user(text()), said(text("Well,"))]),
        ask(messages=[user(text()), said(text("Well,")), user(text())]),
    ),
    Mistake(
        "document-of-assistant",
        "messages.1.content.0: `document` blocks can only be in `user` messages",
        ask(messages=[user(text()), said(DOCUMENT), user(text())]),
        ask(messages=[user(DOCUMENT, text())]),
    ),
    Mistake(
        "citations-of-user",
        "messages.0.content.0.text.citations:",
        ask(messages=[user(text(citations=[CITATION]))]),
        ask(messages=[user(text(citations=[]))]),
    ),
    Mistake(
        "tool-name",
        "tools.0.custom.name: String should match pattern",
        tool(name="the weather"),
        tool(name="the_weather-2"),
    ),
    Mistake(
        "tool-name",
        "tools.0.custom.name: String should match pattern",
        tool(name="a" * 129),
        tool(name="a" * 128),
    ),
    Mistake(
        "tools-once",
        "tools: Tool names must be unique",
        ask(tools=[WEATHER, WEATHER]),
        ask(tools=[WEATHER, WEATHER | {"name": "weather2"}]),
    ),
    Mistake(
        "tool-schema",
        "tools.0.custom.input_schema.type: Field required",
        tool(input_schema={"properties": {}}),
        tool(input_schema={"type": "object"}),
    ),
    Mistake(
        "tool-schema",
        "tools.0.custom.input_schema.type: Input should be 'object'",
        tool(input_schema={"type": "string"}),
        tool(input_schema={"type": "object", "properties": {}}),
    ),
    Mistake(
        "choice-with-tools",
        "tool_choice: tool_choice may only be specified while providing tools",
        ask(tool_choice={"type": "any"}),
        ask(tool_choice={"type": "any"}, tools=[WEATHER]),
    ),
    Mistake(
        "choice-of-tool",
        "Tool 'wether' not found in provided tools",
        ask(tool_choice={"type": "tool", "name": "wether"}, tools=[WEATHER]),
        ask(tool_choice={"type": "tool", "name": "weather"}, tools=[WEATHER]),
    ),
    Mistake(
        "thinking-budget",
        "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
        ask(thinking={"type": "enabled", "budget_tokens": 1023}, max_tokens=2000, model=OLD),
        ask(thinking={"type": "enabled", "budget_tokens": 1024}, max_tokens=2000, model=OLD),
    ),
    Mistake(
        "thinking-limit",
        "`max_tokens` must be greater than `thinking.budget_tokens`",
        ask(thinking={"type": "enabled", "budget_tokens": 2000}, max_tokens=2000, model=OLD),
        ask(thinking={"type": "enabled", "budget_tokens": 1999}, max_tokens=2000, model=OLD),
    ),
    Mistake(
        "thinking-adaptive",
        "adaptive thinking is not supported on this model",
        ask(thinking={"type": "adaptive"}, model=OLD),
        ask(thinking={"type": "adaptive"}, model="claude-opus-4-6"),
    ),
    Mistake(
        "text",
        "system: text content blocks must be non-empty",
        ask(system=[text("")]),
        ask(system=[text(".")]),
    ),
    Mistake(
        "tool-schema",
        "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf",
        tool(input_schema={"type": "object", "anyOf": [{}]}),
        tool(input_schema={"type": "object", "properties": {"x": {"anyOf": [{}]}}}),
    ),
    Mistake(
        "tool-schema",
        "tools.0.custom.input_schema.properties: Property keys should match pattern",
        tool(input_schema={"type": "object", "properties": {"a b": {}}}),
        tool(input_schema={"type": "object", "properties": {"a.b-c_1": {}}}),
    ),
    Mistake(
        "thinking-forced",
        "Thinking may not be enabled when tool_choice forces tool use",
        ask(thinking={"type": "adaptive"}, tools=[WEATHER], tool_choice={"type": "any"}),
        ask(thinking={"type": "adaptive"}, tools=[WEATHER], tool_choice={"type": "auto"}),
    ),
    Mistake(
        "thinking-first",
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`",
        talk(
            user(text()),
            said(CALL),
            user(RESULT),
            thinking={"type": "enabled", "budget_tokens": 1024},
            max_tokens=2000,
            model=OLD,
        ),
        talk(
            user(text()),
            said(THOUGHT, CALL),
            user(RESULT),
            thinking={"type": "enabled", "budget_tokens": 1024},
            max_tokens=2000,
            model=OLD,
        ),
    ),
    Mistake(
        "thinking-signed",
        "messages.1.content.0: Invalid `signature` in `thinking` block",
        ask(messages=[user(text()), said(THOUGHT | {"thinking": "Ha."}), user(text())]),
        ask(messages=[user(text()), said(THOUGHT, text("So.")), user(text())]),
    ),
    Mistake(
        "thinking-signed",
        "messages.1.content.0: Invalid `signature` in `thinking` block",
        ask(messages=[user(text()), said(THOUGHT | {"signature": "?"}), user(text())]),
        ask(messages=[user(text()), said(THOUGHT | {"signature": "QUJD" * 9}), user(text())]),
    ),
    Mistake(
        "breakpoints",
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
        ask(messages=[user(*[text(**MARK)] * 4)], system=[text(**MARK)]),
        ask(messages=[user(*[text(**MARK)] * 3)], system=[text(**MARK)]),
    ),
    Mistake(
        "base64",
        "messages.0.content.0.image.source.base64: invalid base64 data",
        ask(messages=[user(image(f"data:image/png;base64,{PIXEL}"))]),
        ask(messages=[user(image())]),
    ),
    Mistake(
        "base64",
        "messages.0.content.0.image.source.base64.data: image cannot be empty",
        ask(messages=[user(image(""))]),
        ask(messages=[user(image("AA=="))]),
    ),
    Mistake(
        "schema-closed",
        "output_config.format.schema: For 'object' type, 'additionalProperties' must be",
        schema({"type": "object", "properties": {}}),
        schema(closed()),
    ),
    Mistake(
        "schema-closed",
        "output_config.format.schema: For 'object' type, 'additionalProperties' must be",
        schema(closed(inner={"anyOf": [{"type": "object", "properties": {}}]})),
        schema(closed(inner={"anyOf": [closed()]})),
    ),
    Mistake(
        "schema-keywords",
        "output_config.format.schema: For 'integer' type, properties 'minimum', 'maximum' are not",
        schema(closed(stars={"type": "integer", "minimum": 1, "maximum": 5})),
        schema(closed(stars={"type": "integer", "enum": [1, 2, 3]})),
    ),
    Mistake(
        "schema-keywords",
        "output_config.format.schema: For 'array' type, property 'minItems' is not supported",
        schema(closed(all={"type": "array", "items": {"type": "string"}, "minItems": 2})),
        schema(closed(all={"type": "array", "items": {"type": "string"}, "minItems": 1})),
    ),
    Mistake(
        "schema-closed",
        "tools: For 'object' type, 'additionalProperties' must be explicitly set to false",
        tool(strict=True),
        tool(strict=False),
    ),
    Mistake(
        "schema-citations",
        "output_config.format: structured outputs are not compatible with citations",
        schema(closed(), messages=[user(CITED, text())]),
        schema(closed(), messages=[user(DOCUMENT, text())]),
    ),
    Mistake(
        "schema-prefill",
        "output_config.format: structured outputs are not compatible with message prefilling",
        schema(closed(), messages=[user(text()), said(text("{"))], model=OLD),
        schema(closed(), messages=[user(text())], model=OLD),
    ),
    Mistake(
        "max-tokens",
        "max_tokens: Input should be greater than or equal to 0",
        ask(max_tokens=-1),
        ask(max_tokens=0),
    ),
    Mistake(
        "max-tokens",
        "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for",
        ask(max_tokens=64_001, model=OLD),
        ask(max_tokens=64_000, model=OLD),
    ),
    Mistake(
        "stop-sequences",
        "stop_sequences: each stop sequence must contain non-whitespace",
        ask(stop_sequences=["END", " "]),
        ask(stop_sequences=["END", " ."]),
    ),
    Mistake("model-known", "model: claude-sonet-5", ask(model="claude-sonet-5"), ask(model=OLD)),
]
