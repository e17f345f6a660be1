"""Requests that Gemini refuses, each beside one that differs a little and is served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OLD, PRO, NEW, PLAIN = (
    "gemini-2.5-flash",
    "gemini-2.5-pro",
    "gemini-3.8-flash",
    "gemini-2.0-flash",
)
HI = {"role": "user", "parts": [{"text": "hi"}]}
OK = {"role": "model", "parts": [{"text": "ok"}]}
CALL = {"functionCall": {"name": "f", "args": {}}}
SIGNED = {**CALL, "thoughtSignature": "c2ln"}
RESULT = {"functionResponse": {"name": "f", "response": {"x": 1}}}
F = {"name": "f"}
TEXT_SCHEMA = {"type": "STRING"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One mistake, and its twin without it."""

    rule: str
    bad: Any
    good: Any
    says: str = ""
    """What the message of the refusal contains."""
    model: str = OLD
    method: str = "generateContent"
    about: str = ""


def turns(*contents: Any, **more: Any) -> dict[str, Any]:
    """Return a body with these contents."""
    return {"contents": list(contents), **more}


def settings(**config: Any) -> dict[str, Any]:
    """Return a body with this generationConfig."""
    return turns(HI, generationConfig=config)


def user(*parts: Any) -> dict[str, Any]:
    """Return a turn of the user."""
    return {"role": "user", "parts": list(parts)}


def model(*parts: Any) -> dict[str, Any]:
    """Return a turn of the model."""
    return {"role": "model", "parts": list(parts)}


def schema(found: Any) -> dict[str, Any]:
    """Return a body that asks for JSON by this schema."""
    return settings(responseMimeType="application/json", responseSchema=found)


def tools(*declared: Any, **calling: Any) -> dict[str, Any]:
    """Return a body with these functions, called in this way."""
    body = turns(HI, tools=[{"functionDeclarations": list(declared)}])
    return {**body, "toolConfig": {"functionCallingConfig": calling}} if calling else body


def thinking(**config: Any) -> dict[str, Any]:
    """Return a body with this thinkingConfig."""
    return settings(thinkingConfig=config)


def blob(kind: str, data: str = "aGk=") -> dict[str, Any]:
    """Return a body with inline data."""
    return turns(user({"inlineData": {"mimeType": kind, "data": data}}, {"text": "what?"}))


def safety(*categories: str) -> dict[str, Any]:
    """Return a body with safety settings."""
    found = [{"category": one, "threshold": "BLOCK_NONE"} for one in categories]
    return turns(HI, safetySettings=found)


def prop(found: Any, **more: Any) -> dict[str, Any]:
    """Return the schema of an object with one property."""
    return {"type": "OBJECT", "properties": {"a": found}, **more}


HATE, RUDE = "HARM_CATEGORY_HATE_SPEECH", "HARM_CATEGORY_HARASSMENT"
CALLED = turns(HI, model(CALL), user(RESULT), tools=[{"functionDeclarations": [F]}])

SHAPE = (
    Pair(
        rule="unknown_field",
        bad=turns(HI, max_tokens=5),
        good=settings(maxOutputTokens=5),
        says='Unknown name "max_tokens": Cannot find field.',
    ),
    Pair(
        rule="unknown_field",
        about="in the settings",
        bad=settings(max_tokens=5),
        good=settings(max_output_tokens=5),
        says="Unknown name \"max_tokens\" at 'generation_config': Cannot find field.",
    ),
    Pair(
        rule="unknown_field",
        about="messages of another vendor",
        bad={"messages": [{"role": "user", "content": "hi"}]},
        good=turns(HI),
        says='Unknown name "messages"',
    ),
    Pair(
        rule="unknown_field",
        about="deep in a part",
        bad=turns(user({"type": "text", "text": "hi"})),
        good=turns(user({"text": "hi"})),
        says="Unknown name \"type\" at 'contents[0].parts[0]'",
    ),
    Pair(
        rule="unknown_field",
        about="a keyword of JSON schema",
        bad=schema(prop({"type": "STRING", "const": "x"})),
        good=schema(prop({"type": "STRING", "enum": ["x"]})),
        says='Unknown name "const"',
    ),
    Pair(
        rule="unknown_field",
        about="of the enterprise alone",
        bad=settings(audioTimestamp=True),
        good=settings(seed=1),
        says='Unknown name "audioTimestamp"',
    ),
    Pair(
        rule="wrong_type",
        bad=settings(temperature="hot"),
        good=settings(temperature="1"),
        says="Invalid value at 'generation_config.temperature' (TYPE_FLOAT), \"hot\"",
    ),
    Pair(
        rule="wrong_type",
        about="a broken number",
        bad=settings(maxOutputTokens=1.5),
        good=settings(maxOutputTokens=1.0),
        says="(TYPE_INT32), 1.5",
    ),
    Pair(
        rule="wrong_type",
        about="a truth value in words",
        bad=thinking(includeThoughts="yes"),
        good=thinking(includeThoughts=True),
        says="(TYPE_BOOL)",
    ),
    Pair(
        rule="wrong_type",
        about="contents as text",
        bad={"contents": "hi"},
        good={"contents": {"parts": {"text": "hi"}}},
        says="Invalid value at 'contents'",
    ),
    Pair(
        rule="wrong_type",
        about="a name that no enumeration has",
        bad=safety("HATE"),
        good=safety(HATE.lower()),
        says='HarmCategory), "HATE"',
    ),
    Pair(
        rule="wrong_type",
        about="bytes that are no base64",
        bad=blob("image/png", "not base64!"),
        good=blob("image/png", "-_8"),
        says="Base64 decoding failed",
    ),
)

CONTENTS = (
    Pair(
        rule="contents_missing",
        bad={"contents": []},
        good=turns(HI),
        says="* GenerateContentRequest.contents: contents is not specified",
    ),
    Pair(
        rule="parts_missing",
        bad=turns(HI, model(), HI),
        good=turns(HI, OK, HI),
        says="* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.",
    ),
    Pair(
        rule="part_empty",
        bad=turns(user({"text": ""})),
        good=turns(user({"text": " "})),
        says="contents[0].parts[0].data: required oneof field 'data' must have one initialized",
    ),
    Pair(
        rule="part_empty",
        about="without anything",
        bad=turns(user({})),
        good=turns(HI, model({"text": "", "thoughtSignature": "c2ln"}), HI),
        says="required oneof field 'data'",
    ),
    Pair(
        rule="part_empty",
        about="in the instruction",
        bad=turns(HI, systemInstruction={"parts": [{"text": ""}]}),
        good=turns(HI, systemInstruction={"parts": [{"text": "Be kind."}]}),
        says="GenerateContentRequest.system_instruction.parts[0].data",
    ),
    Pair(
        rule="part_twofold",
        bad=turns(user({"text": "hi", "inlineData": {"mimeType": "image/png", "data": "aGk="}})),
        good=blob("image/png"),
        says="oneof field 'data' is already set",
    ),
    Pair(
        rule="role",
        bad=turns({"role": "assistant", "parts": [{"text": "hi"}]}, HI),
        good=turns(OK, HI),
        says="Please use a valid role: user, model.",
    ),
    Pair(
        rule="role",
        about="system",
        bad=turns({"role": "system", "parts": [{"text": "Be kind."}]}, HI),
        good=turns(HI, systemInstruction={"role": "system", "parts": [{"text": "Be kind."}]}),
        says="valid role",
    ),
    Pair(
        rule="system_text",
        bad=turns(
            HI,
            systemInstruction=user({"inlineData": {"mimeType": "image/png", "data": "aGk="}}),
        ),
        good=turns(HI, systemInstruction=user({"text": "Be kind."})),
    ),
    Pair(
        rule="inline_data",
        bad=blob("application/zip"),
        good=blob("application/pdf"),
        says="Unsupported MIME type: application/zip",
    ),
    Pair(rule="inline_data", about="no kind", bad=blob(""), good=blob("audio/wav")),
    Pair(
        rule="call_turn",
        bad=turns(model(CALL), user(RESULT)),
        good=CALLED,
        says="function call turn comes immediately after a user turn",
    ),
    Pair(
        rule="response_turn",
        bad=turns(HI, user(RESULT)),
        good=CALLED,
        says="function response turn comes immediately after a function call turn",
    ),
    Pair(
        rule="response_count",
        bad=turns(HI, model(CALL, CALL), user(RESULT)),
        good=turns(HI, model(CALL, CALL), user(RESULT, RESULT)),
        says="number of function response parts is equal to the number of function call parts",
    ),
    Pair(
        rule="response_count",
        about="a call without a result",
        bad=turns(HI, model(CALL), HI),
        good=turns(HI, model(CALL), user(RESULT, {"text": "and?"})),
        says="number of function response parts",
    ),
    Pair(
        rule="response_name",
        bad=turns(HI, model(CALL), user({"functionResponse": {"response": {}}})),
        good=CALLED,
        says="Name cannot be empty",
    ),
    Pair(
        rule="thought_signature",
        model=NEW,
        bad=CALLED,
        good=turns(HI, model(SIGNED, CALL), user(RESULT, RESULT)),
        says="function call `default_api:f` , position 2",
    ),
    Pair(
        rule="thought_signature",
        about="of this turn alone",
        model=NEW,
        bad=turns(HI, model(SIGNED), user(RESULT), model(CALL), user(RESULT)),
        good=turns(HI, model(CALL), user(RESULT), OK, HI, model(SIGNED), user(RESULT)),
        says="position 4",
    ),
)

SETTINGS = (
    Pair(
        rule="temperature",
        bad=settings(temperature=2.1),
        good=settings(temperature=2.0),
        says="temperature must be in the range [0.0, 2.0]",
    ),
    Pair(rule="top_p", bad=settings(topP=1.1), good=settings(topP=1.0)),
    Pair(rule="top_k", bad=settings(topK=0), good=settings(topK=1)),
    Pair(rule="candidate_count", bad=settings(candidateCount=9), good=settings(candidateCount=8)),
    Pair(
        rule="max_output_tokens", bad=settings(maxOutputTokens=0), good=settings(maxOutputTokens=1)
    ),
    Pair(
        rule="max_output_tokens",
        about="beyond the model",
        bad=settings(maxOutputTokens=65_537),
        good=settings(maxOutputTokens=65_536),
    ),
    Pair(
        rule="stop_sequences",
        bad=settings(stopSequences=[*"abcdef"]),
        good=settings(stopSequences=[*"abcde"]),
    ),
    Pair(
        rule="stop_sequences",
        about="an empty one",
        bad=settings(stopSequences=["a", ""]),
        good=settings(stopSequences=["a"]),
    ),
    Pair(rule="penalty", bad=settings(presencePenalty=2.5), good=settings(presencePenalty=-2)),
    Pair(
        rule="logprobs",
        bad=settings(logprobs=3),
        good=settings(logprobs=3, responseLogprobs=True),
    ),
    Pair(
        rule="mime_type",
        bad=settings(responseMimeType="text/html"),
        good=settings(responseMimeType="text/plain"),
        says="allowed mimetypes are `text/plain`, `application/json`",
    ),
    Pair(
        rule="schema_mime_type",
        bad=settings(responseSchema=TEXT_SCHEMA),
        good=schema(TEXT_SCHEMA),
    ),
    Pair(
        rule="schema_mime_type",
        about="of JSON's own kind",
        bad=settings(responseJsonSchema={"type": "string"}),
        good=settings(responseJsonSchema={"type": "string"}, responseMimeType="application/json"),
    ),
    Pair(
        rule="two_schemas",
        bad=settings(
            responseMimeType="application/json",
            responseSchema=TEXT_SCHEMA,
            responseJsonSchema={"type": "string"},
        ),
        good=schema(TEXT_SCHEMA),
    ),
    Pair(
        rule="thinking_both",
        model=NEW,
        bad=thinking(thinkingBudget=5, thinkingLevel="LOW"),
        good=thinking(thinkingLevel="LOW"),
        says="only one of thinking budget and thinking level",
    ),
    Pair(
        rule="thinking_unsupported",
        bad=thinking(thinkingLevel="LOW"),
        good=thinking(thinkingBudget=100),
        says="Thinking level is not supported for this model.",
    ),
    Pair(
        rule="thinking_unsupported",
        about="by a model that cannot think",
        model=PLAIN,
        bad=thinking(thinkingBudget=100),
        good=thinking(thinkingBudget=0),
    ),
    Pair(
        rule="thinking_budget",
        model=PRO,
        bad=thinking(thinkingBudget=0),
        good=thinking(thinkingBudget=-1),
        says="This model only works in thinking mode.",
    ),
    Pair(
        rule="thinking_budget",
        about="too much",
        bad=thinking(thinkingBudget=24_577),
        good=thinking(thinkingBudget=24_576),
        says="choose a value between 1 and 24576",
    ),
    Pair(
        rule="thoughts_without_thinking",
        bad=thinking(thinkingBudget=0, includeThoughts=True),
        good=thinking(thinkingBudget=0),
    ),
    Pair(
        rule="safety_category",
        bad=safety("HARM_CATEGORY_UNSPECIFIED"),
        good=safety(HATE),
        says="element predicate failed: $.category in",
    ),
    Pair(rule="safety_twice", bad=safety(HATE, HATE), good=safety(HATE, RUDE)),
    Pair(
        rule="cached_name",
        bad=turns(HI, cachedContent="mine"),
        good=turns(HI, cachedContent="cachedContents/mine"),
    ),
    Pair(
        rule="cached_and_own",
        bad=turns(HI, cachedContent="cachedContents/a", systemInstruction=user({"text": "x"})),
        good=turns(HI, cachedContent="cachedContents/a"),
        says="CachedContent can not be used with GenerateContent request",
    ),
    Pair(
        rule="model_mismatch",
        bad=turns(HI, model="models/gemini-2.5-pro"),
        good=turns(HI, model="models/gemini-2.5-flash"),
    ),
)

SCHEMAS = (
    Pair(
        rule="schema",
        about="no type",
        bad=schema(prop({"description": "x"})),
        good=schema(prop({"anyOf": [TEXT_SCHEMA, {"type": "INTEGER"}]})),
        says="response_schema.properties[a].type: must be specified when not using one_of",
    ),
    Pair(
        rule="schema",
        about="an object without properties",
        bad=schema({"type": "OBJECT", "properties": {}}),
        good=schema(prop(TEXT_SCHEMA)),
        says="response_schema.properties: should be non-empty for OBJECT type",
    ),
    Pair(
        rule="schema",
        about="a list of nothing",
        bad=schema({"type": "ARRAY"}),
        good=schema({"type": "ARRAY", "items": TEXT_SCHEMA}),
        says="response_schema.items: missing field.",
    ),
    Pair(
        rule="schema",
        about="an enumeration of numbers",
        bad=schema({"type": "INTEGER", "enum": ["1"]}),
        good=schema({"type": "STRING", "enum": ["1"]}),
        says="only allowed for STRING type",
    ),
    Pair(
        rule="schema",
        about="an empty name",
        bad=schema({"type": "STRING", "enum": ["a", ""]}),
        good=schema({"type": "STRING", "enum": ["a", "b"]}),
        says="enum[1]: cannot be empty",
    ),
    Pair(
        rule="schema",
        about="a property that nobody defined",
        bad=schema(prop(TEXT_SCHEMA, required=["b"])),
        good=schema(prop(TEXT_SCHEMA, required=["a"])),
        says="required[0]: property is not defined",
    ),
    Pair(
        rule="schema",
        about="properties of a text",
        bad=schema(prop({"type": "STRING", "properties": {"b": TEXT_SCHEMA}})),
        good=schema(prop(prop(TEXT_SCHEMA))),
        says="properties[a].properties: only allowed for OBJECT type",
    ),
    Pair(
        rule="schema",
        about="a format of texts",
        bad=schema({"type": "STRING", "format": "uri"}),
        good=schema({"type": "STRING", "format": "date-time"}),
        says="only 'enum' and 'date-time' are supported for STRING type",
    ),
    Pair(
        rule="schema",
        about="of a function",
        bad=tools({"name": "f", "parameters": prop({"type": "ARRAY"})}),
        good=tools({"name": "f", "parameters": {"type": "OBJECT", "properties": {}}}),
        says="tools[0].function_declarations[0].parameters.properties[a].items: missing field.",
    ),
)

TOOLS = (
    Pair(
        rule="function_name",
        bad=tools({"name": "two words"}),
        good=tools({"name": "two_words"}),
        says="function_declarations[0].name: Invalid function name.",
    ),
    Pair(
        rule="function_name",
        about="too long",
        bad=tools({"name": "f" * 65}),
        good=tools({"name": "f" * 64}),
    ),
    Pair(
        rule="function_twice",
        bad=tools(F, F),
        good=tools(F, {"name": "g"}),
        says="Duplicate function declaration found: f",
    ),
    Pair(
        rule="function_two_schemas",
        bad=tools({**F, "parameters": prop(TEXT_SCHEMA), "parametersJsonSchema": {}}),
        good=tools({**F, "parametersJsonSchema": {"type": "object"}}),
    ),
    Pair(
        rule="calling_without_functions",
        bad=turns(HI, toolConfig={"functionCallingConfig": {"mode": "ANY"}}),
        good=turns(HI, toolConfig={"functionCallingConfig": {"mode": "AUTO"}}),
        says="Function calling config is set without function_declarations.",
    ),
    Pair(
        rule="allowed_mode",
        bad=tools(F, mode="AUTO", allowedFunctionNames=["f"]),
        good=tools(F, mode="ANY", allowedFunctionNames=["f"]),
    ),
    Pair(
        rule="allowed_name",
        bad=tools(F, mode="ANY", allowedFunctionNames=["g"]),
        good=tools(F, mode="VALIDATED", allowedFunctionNames=["f"]),
    ),
    Pair(
        rule="json_and_tools",
        bad={**tools(F), "generationConfig": {"responseMimeType": "application/json"}},
        good={**tools(F), "generationConfig": {"responseMimeType": "text/plain"}},
        says="Function calling with a response mime type: 'application/json' is unsupported",
    ),
)

_NAME = "models/gemini-embedding-001"
_EMBED = {"model": _NAME, "content": {"parts": [{"text": "a"}]}}
OTHERS = (
    Pair(
        rule="embed_batch",
        model="gemini-embedding-001",
        method="batchEmbedContents",
        bad={"requests": [_EMBED] * 101},
        good={"requests": [_EMBED] * 100},
        says="at most 100 requests can be in one batch",
    ),
    Pair(
        rule="embed_batch",
        about="of nothing",
        model="gemini-embedding-001",
        method="batchEmbedContents",
        bad={"requests": []},
        good={"requests": [_EMBED]},
    ),
    Pair(
        rule="model_mismatch",
        about="in a batch",
        model="gemini-embedding-001",
        method="batchEmbedContents",
        bad={"requests": [{**_EMBED, "model": "models/other"}]},
        good={"requests": [_EMBED]},
    ),
    Pair(
        rule="embed_content",
        model="gemini-embedding-001",
        method="embedContent",
        bad={"content": {"parts": [{"text": ""}]}},
        good={"content": {"parts": [{"text": "a"}]}},
    ),
    Pair(
        rule="embed_dimensions",
        model="gemini-embedding-001",
        method="embedContent",
        bad={**_EMBED, "outputDimensionality": 3073},
        good={**_EMBED, "outputDimensionality": 3072},
    ),
    Pair(
        rule="wrong_type",
        about="a task that is none",
        model="gemini-embedding-001",
        method="embedContent",
        bad={**_EMBED, "taskType": "SEARCH"},
        good={**_EMBED, "taskType": "RETRIEVAL_QUERY"},
    ),
    Pair(
        rule="count_one",
        method="countTokens",
        bad={
            **turns(HI),
            "generateContentRequest": {"model": "models/gemini-2.5-flash", **turns(HI)},
        },
        good={"generateContentRequest": {"model": "models/gemini-2.5-flash", **turns(HI)}},
    ),
    Pair(
        rule="model_mismatch",
        about="missing where it is counted",
        method="countTokens",
        bad={"generateContentRequest": turns(HI)},
        good={"generateContentRequest": {"model": "models/gemini-2.5-flash", **turns(HI)}},
    ),
    Pair(
        rule="contents_missing",
        about="to be counted",
        method="countTokens",
        bad={},
        good=turns(HI),
        says="* CountTokensRequest.contents: contents is not specified",
    ),
    Pair(
        rule="unknown_field",
        about="settings where tokens are counted",
        method="countTokens",
        bad=settings(temperature=1),
        good=turns(HI),
        says='Unknown name "generationConfig"',
    ),
)

PAIRS = (*SHAPE, *CONTENTS, *SETTINGS, *SCHEMAS, *TOOLS, *OTHERS)
