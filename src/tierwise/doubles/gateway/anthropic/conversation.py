"""Rules about the turns of a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.doubles.gateway.anthropic.rule import (
    DOCUMENTED,
    NEWEST,
    OBSERVED,
    OLDER,
    BodyRule,
    each_block,
    list_blocks,
    list_last_of_assistant,
)
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from tierwise.doubles.gateway.anthropic.rule import Body


def _needs_messages(body: Body) -> str | None:
    return None if body["messages"] else "messages: at least one message is required"


def _needs_content(body: Body) -> str | None:
    last = len(body["messages"]) - 1
    for number, message in enumerate(body["messages"]):
        if message.get("content") or (number == last and message["role"] == "assistant"):
            continue
        if message["role"] == "system" and message.get("output_config"):
            continue
        if message["role"] == "user":
            return f"messages.{number}: user messages must have non-empty content"
        return (
            f"messages.{number}: all messages must have non-empty content except for the optional "
            "final assistant message"
        )
    return None


def _needs_text(body: Body) -> str | None:
    system = body.get("system") or ()
    if not isinstance(system, str) and any(not block["text"] for block in system):
        return "system: text content blocks must be non-empty"
    for _, block in each_block(body):
        if block["type"] == "text" and not block["text"]:
            return "messages: text content blocks must be non-empty"
        if block["type"] == "text" and not block["text"].strip():
            return "messages: text content blocks must contain non-whitespace text"
    return None


def _calls_from_assistant(body: Body) -> str | None:
    for place, block in each_block(body, "user"):
        if block["type"] in {"tool_use", "thinking", "redacted_thinking"}:
            number = place.split(".")[1]
            return (
                f"messages.{number}: `{block['type']}` blocks can only be in `assistant` messages"
            )
    return None


def _results_from_user(body: Body) -> str | None:
    for place, block in each_block(body, "assistant"):
        if block["type"] == "tool_result":
            number = place.split(".")[1]
            return f"messages.{number}: `tool_result` blocks can only be in `user` messages"
    return None


def _ids_once(body: Body) -> str | None:
    seen: set[str] = set()
    for place, block in each_block(body, "assistant"):
        if block["type"] == "tool_use":
            if block["id"] in seen:
                return f"{place}: `tool_use` ids must be unique"
            seen.add(block["id"])
    return None


def _calls_answered(body: Body) -> str | None:
    messages = body["messages"]
    for number, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        wished = [block["id"] for block in list_blocks(message) if block["type"] == "tool_use"]
        if not wished:
            continue
        given = _first_results(messages[number + 1]) if number + 1 < len(messages) else []
        missing = [identifier for identifier in wished if identifier not in given]
        if missing:
            return (
                f"messages.{number}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(missing)}. Each `tool_use` block must have a "
                "corresponding `tool_result` block in the next message."
            )
    return None


def _first_results(message: Body) -> list[str]:
    """Return whose results a message begins with; those behind a text do not count."""
    found: list[str] = []
    for block in list_blocks(message):
        if block["type"] != "tool_result":
            break
        found.append(block["tool_use_id"])
    return found


def _results_wished(body: Body) -> str | None:
    wished: set[str] = set()
    for number, message in enumerate(body["messages"]):
        blocks = list_blocks(message)
        if message["role"] == "assistant":
            wished = {block["id"] for block in blocks if block["type"] == "tool_use"}
            continue
        for index, block in enumerate(blocks):
            if block["type"] == "tool_result" and block["tool_use_id"] not in wished:
                return (
                    f"messages.{number}.content.{index}: unexpected `tool_use_id` found in "
                    f"`tool_result` blocks: {block['tool_use_id']}. Each `tool_result` block must "
                    "have a corresponding `tool_use` block in the previous message."
                )
        wished = set()
    return None


def _results_once(body: Body) -> str | None:
    for number, message in enumerate(body["messages"]):
        given = [
            block["tool_use_id"]
            for block in list_blocks(message)
            if block["type"] == "tool_result"
        ]
        for identifier in given:
            if given.count(identifier) > 1:
                return (
                    f"messages.{number}: each tool_use must have a single result. Found multiple "
                    f"`tool_result` blocks with id: {identifier}"
                )
    return None


def _no_trailing_blank(body: Body) -> str | None:
    blocks = list_last_of_assistant(body)
    text = blocks[-1].get("text", "") if blocks else ""
    if text != text.rstrip():
        return "messages: final assistant content cannot end with trailing whitespace"
    return None


def _no_prefill(body: Body) -> str | None:
    if list_last_of_assistant(body) is None:
        return None
    if any(part in body["model"] for part in OLDER):
        return None
    return (
        "This model does not support assistant message prefill. The conversation must end with a "
        "user message."
    )


def _no_document_of_assistant(body: Body) -> str | None:
    for place, block in each_block(body, "assistant"):
        if block["type"] == "document":
            return f"{place}: `document` blocks can only be in `user` messages"
    return None


def _no_citations_of_user(body: Body) -> str | None:
    for place, block in each_block(body, "user"):
        inner = block["content"] if block["type"] == "search_result" else (block,)
        if any(one["type"] == "text" and one.get("citations") for one in inner):
            return f"{place}.text.citations: citations are not permitted in `user` messages"
    return None


def _rule(name: str, says: str) -> RequestRule:
    return RequestRule(name=name, ground=DOCUMENTED, says=says)


def _seen(name: str, says: str) -> RequestRule:
    return RequestRule(name=name, ground=OBSERVED, says=says)


CONVERSATION_RULES = (
    BodyRule(rule=_seen("messages", "There is at least one message."), find=_needs_messages),
    BodyRule(
        rule=_seen("content", "Only a last turn of the assistant may be empty."),
        find=_needs_content,
    ),
    BodyRule(
        rule=_seen("text", "No text block is empty or blank."),
        find=_needs_text,
    ),
    BodyRule(
        rule=_rule("calls-from-assistant", "Only the assistant calls tools and thinks."),
        find=_calls_from_assistant,
        needs="blocks",
    ),
    BodyRule(
        rule=_rule("results-from-user", "Results of tools come from the user."),
        find=_results_from_user,
        needs="blocks",
    ),
    BodyRule(
        rule=_seen("ids-once", "Each tool call has an id of its own."),
        find=_ids_once,
        needs="blocks",
    ),
    BodyRule(
        rule=_rule("calls-answered", "The turn after a tool call begins with its result."),
        find=_calls_answered,
        needs="blocks",
    ),
    BodyRule(
        rule=_rule("results-wished", "A tool's result follows the turn that called the tool."),
        find=_results_wished,
        needs="blocks",
    ),
    BodyRule(
        rule=_seen("results-once", "Each tool call has one result."),
        find=_results_once,
        needs="blocks",
    ),
    BodyRule(
        rule=_seen("trailing-blank", "A last turn of the assistant does not end with a blank."),
        find=_no_trailing_blank,
    ),
    BodyRule(
        rule=_rule("prefill", "Models after 4.5 go on from no turn of the assistant."),
        find=_no_prefill,
    ),
    BodyRule(
        rule=_rule("document-of-assistant", "The assistant's turns hold no documents."),
        find=_no_document_of_assistant,
        needs="blocks",
        versions=frozenset({NEWEST}),
    ),
    BodyRule(
        rule=_rule("citations-of-user", "The user's text blocks hold no citations."),
        find=_no_citations_of_user,
        needs="blocks",
        versions=frozenset({NEWEST}),
    ),
)
