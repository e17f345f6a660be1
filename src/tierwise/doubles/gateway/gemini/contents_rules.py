"""Rules about turns and parts: who speaks, with what, and in which order calls are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.breaking import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tierwise.doubles.gateway.gemini.breaking import Given

DATA = (
    "text",
    "inlineData",
    "functionCall",
    "functionResponse",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
_ROLES = frozenset({"", "user", "model", "function"})
_MEDIA = ("image/", "audio/", "video/", "text/")
_DOCUMENTS = frozenset({"application/pdf", "application/json", "application/x-javascript"})


def check_contents(given: Given) -> Iterator[Broken]:
    """Yield what is wrong with the contents and the system instruction, each by itself."""
    contents = given.body.get("contents") or []
    if not contents:
        yield Broken("contents_missing", "contents is not specified", f"{given.request}.contents")
    for index, content in enumerate(contents):
        yield from _check_content(content, f"{given.request}.contents[{index}]")
    instruction = given.body.get("systemInstruction")
    if instruction is not None:
        yield from _check_instruction(instruction, f"{given.request}.system_instruction")


def _check_content(content: Mapping[str, Any], at: str) -> Iterator[Broken]:
    if content.get("role", "") not in _ROLES:
        yield Broken("role", "Please use a valid role: user, model.")
    parts = content.get("parts") or []
    if not parts:
        yield Broken("parts_missing", "contents.parts must not be empty.", f"{at}.parts")
    for index, part in enumerate(parts):
        yield from _check_part(part, f"{at}.parts[{index}]")


def _check_instruction(instruction: Mapping[str, Any], at: str) -> Iterator[Broken]:
    parts = instruction.get("parts") or []
    if not parts:
        yield Broken("parts_missing", "contents.parts must not be empty.", f"{at}.parts")
    for index, part in enumerate(parts):
        yield from _check_part(part, f"{at}.parts[{index}]")
        if not {"text", *DATA}.isdisjoint(part) and "text" not in part:
            yield Broken("system_text", "only text is supported.", f"{at}.parts[{index}]")


def _check_part(part: Mapping[str, Any], at: str) -> Iterator[Broken]:
    held = [name for name in DATA if name in part]
    # An empty text is no data to Gemini, except beside a signature, which needs a place.
    is_empty = not held or (held == ["text"] and not part["text"])
    if is_empty and "thoughtSignature" not in part:
        says = "required oneof field 'data' must have one initialized field"
        yield Broken("part_empty", says, f"{at}.data")
    if len(held) > 1:
        says = f"oneof field 'data' is already set. Cannot set '{held[1]}'"
        yield Broken("part_twofold", f"Invalid value at '{at}' (oneof), {says}")
    if "inlineData" in part:
        yield from _check_blob(part["inlineData"], f"{at}.inline_data")
    if "functionResponse" in part and not part["functionResponse"].get("name"):
        says = "Name cannot be empty."
        yield Broken("response_name", says, f"{at}.function_response.name")


def _check_blob(blob: Mapping[str, Any], at: str) -> Iterator[Broken]:
    kind = str(blob.get("mimeType", ""))
    if not kind:
        yield Broken("inline_data", "must have a mime_type.", f"{at}.mime_type")
    elif not kind.startswith(_MEDIA) and kind not in _DOCUMENTS:
        yield Broken("inline_data", f"Unsupported MIME type: {kind}")
    elif not blob.get("data"):
        yield Broken("inline_data", "must not be empty.", f"{at}.data")


def check_order(given: Given) -> Iterator[Broken]:
    """Yield the first turn that is out of order: calls and their results belong together."""
    before: Mapping[str, Any] | None = None
    for content in given.body.get("contents") or []:
        broken = _check_turn(content, before)
        if broken is not None:
            yield broken
            return
        before = content


def _check_turn(content: Mapping[str, Any], before: Mapping[str, Any] | None) -> Broken | None:
    calls, results = held_by(content, "functionCall"), held_by(content, "functionResponse")
    asked = held_by(before or {}, "functionCall")
    if calls and (before is None or before.get("role") == "model"):
        return Broken(
            "call_turn",
            "Please ensure that function call turn comes immediately after a user turn or after "
            "a function response turn.",
        )
    if results and not asked:
        return Broken(
            "response_turn",
            "Please ensure that function response turn comes immediately after a function call "
            "turn.",
        )
    if asked and len(results) != len(asked):
        return Broken(
            "response_count",
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn.",
        )
    return None


def held_by(content: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    """Return what the parts of a content hold under one name."""
    return [part[name] for part in content.get("parts") or [] if name in part]


def check_signatures(given: Given) -> Iterator[Broken]:
    """Yield the first call since the user spoke that does not bring its signature back."""
    contents = given.body.get("contents") or []
    spoken = [index for index, one in enumerate(contents) if _is_spoken(one)]
    start = spoken[-1] if spoken else 0
    for position, content in enumerate(contents[start:], start + 1):
        parts = [part for part in content.get("parts") or [] if "functionCall" in part]
        # Of calls that were made at once only the first one is signed.
        if parts and not parts[0].get("thoughtSignature"):
            name = parts[0]["functionCall"].get("name", "")
            yield Broken(
                "thought_signature",
                "Function call is missing a thought_signature in functionCall parts. This is "
                "required for tools to work correctly, and missing thought_signature may lead to "
                "degraded model performance. Additional data, function call "
                f"`default_api:{name}` , position {position}. Please refer to "
                "https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
            )
            return


def _is_spoken(content: Mapping[str, Any]) -> bool:
    return content.get("role") != "model" and not held_by(content, "functionResponse")
