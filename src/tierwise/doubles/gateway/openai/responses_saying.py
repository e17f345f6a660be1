"""A response as OpenAI writes it: the object, and the items in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import calling, encoding
from tierwise.doubles.gateway.openai.counting import count_usage
from tierwise.doubles.gateway.saying import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Usage
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Moment

_INCOMPLETE = {Stop.LENGTH: "max_output_tokens", Stop.FILTERED: "content_filter"}
_ECHOED: Mapping[str, Any] = {
    "background": False,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "safety_identifier": None,
    "service_tier": "default",
    "store": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}
"""What a response repeats of its request, and what stands there when the request was silent."""


def form_response(asked: Asked, say: Say, moment: Moment) -> dict[str, Any]:
    """Return the finished response, or the one that was cut short."""
    reason = _INCOMPLETE.get(say.why_stopped)
    return form_base(asked, say, moment) | {
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "output": form_items(asked, say, moment),
        "completed_at": None if reason else moment.created,
        "usage": form_usage(count_usage(asked, (say,))),
        **say.extra,
    }


def form_base(asked: Asked, say: Say, moment: Moment) -> dict[str, Any]:
    """Return the response as it is when the model begins."""
    body = asked.body
    echoed = {
        name: otherwise if body.get(name) is None else body[name]
        for name, otherwise in _ECHOED.items()
    }
    conversation = body.get("conversation")
    return {
        "id": encoding.form_id("resp_", moment),
        "object": "response",
        "created_at": moment.created,
        "status": "in_progress",
        "completed_at": None,
        "error": None,
        "incomplete_details": None,
        "model": asked.model,
        "output": [],
        "reasoning": {"effort": None, "summary": None} | (body.get("reasoning") or {}),
        "text": {"format": {"type": "text"}, "verbosity": "medium"} | (body.get("text") or {}),
        "tools": [_form_tool(tool) for tool in body.get("tools") or ()],
        "usage": None,
        "conversation": {"id": conversation} if isinstance(conversation, str) else conversation,
        **echoed,
        **{name: value for name, value in say.extra.items() if name not in _AT_THE_END},
    }


_AT_THE_END = frozenset({"output", "status", "usage", "incomplete_details", "completed_at"})


def _form_tool(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    if tool["type"] != "function":
        return tool
    return {"description": None, "parameters": None, "strict": True, **tool}


def form_usage(usage: Usage) -> dict[str, Any]:
    """Return the object in which a response tells its tokens."""
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {
            "cached_tokens": usage.cached_input_tokens,
            "cache_write_tokens": 0,
        },
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.total_tokens,
    }


def form_items(asked: Asked, say: Say, moment: Moment) -> list[dict[str, Any]]:
    """Return the items of the output: what was thought, what was said, what is to be called."""
    items = []
    if say.thinking:
        items.append(_form_reasoning(asked, say, moment))
    if say.text or say.refusal is not None or not say.tool_calls:
        items.append(_form_message(say, moment))
    for place, call in enumerate(say.tool_calls):
        shared = {"call_id": encoding.form_call_id(call, moment, place), "name": call.name}
        if calling.is_custom(call, asked):
            kind, prefix, told = "custom_tool_call", "ctc_", {"input": calling.form_input(call)}
        else:
            kind, prefix = "function_call", "fc_"
            told = {"arguments": encoding.form_arguments(call)}
        identifier = encoding.form_id(prefix, moment, place)
        items.append({"id": identifier, "type": kind, "status": "completed", **told, **shared})
    return items


def _form_reasoning(asked: Asked, say: Say, moment: Moment) -> dict[str, Any]:
    settings = asked.body.get("reasoning") or {}
    # The vendor tells what was thought to those who asked for a summary, and to nobody else.
    is_told = settings.get("summary") or settings.get("generate_summary")
    item: dict[str, Any] = {
        "id": encoding.form_id("rs_", moment),
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": say.thinking}] if is_told else [],
    }
    if "reasoning.encrypted_content" in (asked.body.get("include") or ()):
        item["encrypted_content"] = encoding.form_id("gAAAAAB", moment)
    return item


def _form_message(say: Say, moment: Moment) -> dict[str, Any]:
    part = form_text_part(say.text)
    if say.refusal is not None:
        part = {"type": "refusal", "refusal": say.refusal}
    is_cut = say.why_stopped in _INCOMPLETE
    return {
        "id": encoding.form_id("msg_", moment),
        "type": "message",
        "status": "incomplete" if is_cut else "completed",
        "role": "assistant",
        "content": [part],
    }


def form_text_part(text: str) -> dict[str, Any]:
    """Return a part of a message that is text."""
    return {"type": "output_text", "annotations": [], "logprobs": [], "text": text}
