"""A chat completion as OpenAI writes it, whole or in chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import calling, encoding
from tierwise.doubles.gateway.openai.counting import count_usage
from tierwise.doubles.gateway.saying import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.domain import ToolCall, Usage
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Moment
    from tierwise.doubles.gateway.wire import HttpResponse

FINISH_REASONS = {
    Stop.END: "stop",
    Stop.LENGTH: "length",
    Stop.TOOL: "tool_calls",
    Stop.REFUSED: "stop",
    Stop.FILTERED: "content_filter",
    Stop.SEQUENCE: "stop",
    Stop.PAUSED: "stop",
}
_DONE = b"data: [DONE]\n\n"
_LOGPROB = -0.05


def say_chat(asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
    """Return the completion in which the model says this."""
    if asked.stream:
        events = _form_events(asked, says, moment)
        return encoding.respond_with_events(events, moment, says=says)
    body = {
        **_form_base(asked, moment, kind="chat.completion"),
        "choices": [
            _form_choice(asked, say, moment, index=index) for index, say in enumerate(says)
        ],
        "usage": form_usage(count_usage(asked, says)),
    }
    return encoding.respond(body | _extra(says), moment, says=says)


def _extra(says: tuple[Say, ...]) -> dict[str, Any]:
    return {name: value for say in says for name, value in say.extra.items()}


def _form_base(asked: Asked, moment: Moment, *, kind: str) -> dict[str, Any]:
    return {
        "id": encoding.form_id("chatcmpl-", moment),
        "object": kind,
        "created": moment.created,
        "model": asked.model,
        "service_tier": "default",
        "system_fingerprint": "fp_gateway",
    }


def form_usage(usage: Usage) -> dict[str, Any]:
    """Return the object in which a completion tells its tokens."""
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_input_tokens, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": usage.reasoning_tokens,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _form_choice(asked: Asked, say: Say, moment: Moment, *, index: int) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        # A model that calls tools or refuses says nothing beside.
        "content": say.text or (None if say.tool_calls or say.refusal is not None else ""),
        "refusal": say.refusal,
        "annotations": [],
    }
    if say.tool_calls and calling.is_legacy(asked):
        message["function_call"] = _form_inner(asked, say.tool_calls[0])[1]
    elif say.tool_calls:
        message["tool_calls"] = [
            _form_call(asked, call, encoding.form_call_id(call, moment, index, place))
            for place, call in enumerate(say.tool_calls)
        ]
    return {
        "index": index,
        "message": message,
        "logprobs": _form_logprobs(asked, encoding.cut_text(say)),
        "finish_reason": _find_reason(asked, say),
    }


def _find_reason(asked: Asked, say: Say) -> str:
    reason = FINISH_REASONS[say.why_stopped]
    is_old = reason == "tool_calls" and calling.is_legacy(asked)
    return "function_call" if is_old else reason


def _form_inner(asked: Asked, call: ToolCall) -> tuple[str, dict[str, str]]:
    """Return the kind of a call, and what stands under that name."""
    if calling.is_custom(call, asked):
        return "custom", {"name": call.name, "input": calling.form_input(call)}
    return "function", {"name": call.name, "arguments": encoding.form_arguments(call)}


def _form_call(asked: Asked, call: ToolCall, identifier: str) -> dict[str, Any]:
    kind, inner = _form_inner(asked, call)
    return {"id": identifier, "type": kind, kind: inner}


def _form_logprobs(asked: Asked, pieces: Any) -> dict[str, Any] | None:  # noqa: ANN401  texts
    if not asked.body.get("logprobs"):
        return None
    most = asked.body.get("top_logprobs") or 0
    tokens = []
    for piece in pieces:
        token = {"token": piece, "logprob": _LOGPROB, "bytes": [*piece.encode("utf-8", "replace")]}
        tokens.append({**token, "top_logprobs": [token][:most]})
    return {"content": tokens, "refusal": None}


def _form_events(asked: Asked, says: tuple[Say, ...], moment: Moment) -> Iterator[bytes]:
    base = _form_base(asked, moment, kind="chat.completion.chunk")
    extra = _extra(says)
    base |= {name: value for name, value in extra.items() if name not in {"choices", "usage"}}
    options = asked.body.get("stream_options") or {}
    has_usage = bool(options.get("include_usage"))
    # Written once: a chunk differs from the next in its delta only.
    head = f"data: {encoding.dump(base)[:-1]},"
    tail = '],"usage":null}\n\n' if has_usage else "]}\n\n"
    for index, say in enumerate(says):
        start, end = f'{head}"choices":[{{"index":{index},"delta":', tail
        for delta, logprobs in _form_deltas(asked, say, moment, index=index):
            yield f'{start}{delta},"logprobs":{logprobs},"finish_reason":null}}{end}'.encode()
        finish = _find_reason(asked, say)
        yield f'{start}{{}},"logprobs":null,"finish_reason":"{finish}"}}{end}'.encode()
    if has_usage:
        usage = extra.get("usage", form_usage(count_usage(asked, says)))
        yield f'{head}"choices":[],"usage":{encoding.dump(usage)}}}\n\n'.encode()
    yield _DONE


def _form_deltas(
    asked: Asked, say: Say, moment: Moment, *, index: int
) -> Iterator[tuple[str, str]]:
    pieces = encoding.cut_text(say)
    content = '""' if pieces or not (say.tool_calls or say.refusal is not None) else "null"
    yield f'{{"role":"assistant","content":{content},"refusal":null}}', "null"
    has_logprobs = bool(asked.body.get("logprobs"))
    for piece in pieces:
        logprobs = encoding.dump(_form_logprobs(asked, [piece])) if has_logprobs else "null"
        yield f'{{"content":{encoding.dump(piece)}}}', logprobs
    for piece in encoding.cut_words(say.refusal or ""):
        yield f'{{"refusal":{encoding.dump(piece)}}}', "null"
    for place, call in enumerate(say.tool_calls):
        identifier = encoding.form_call_id(call, moment, index, place)
        for delta in _form_call_deltas(asked, call, identifier, place=place):
            yield encoding.dump(delta), "null"


def _form_call_deltas(
    asked: Asked, call: ToolCall, identifier: str, *, place: int
) -> Iterator[dict[str, Any]]:
    kind, inner = _form_inner(asked, call)
    field = "input" if kind == "custom" else "arguments"
    begun, pieces = inner | {field: ""}, encoding.cut_arguments(inner[field])
    if calling.is_legacy(asked):
        yield {"function_call": begun}
        yield from ({"function_call": {field: piece}} for piece in pieces)
        return
    yield {"tool_calls": [{"index": place, "id": identifier, "type": kind, kind: begun}]}
    yield from ({"tool_calls": [{"index": place, kind: {field: piece}}]} for piece in pieces)
