"""The body of a chat completion as the reply that it is."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall, Usage
from tierwise.providers.checking import form_answer, refuse_tool_calls
from tierwise.providers.protocol import Answer, Failure, FailureKind
from tierwise.providers.wire.body import count, text_or_empty
from tierwise.providers.wire.error import VendorError, find_error
from tierwise.providers.wire.failure import fail_by, garbled, read_failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.providers.protocol import Request, T
    from tierwise.providers.wire.failure import Asker, Response

_OK = range(200, 300)
_LENGTH = frozenset({"length", "max_tokens", "model_length"})


def read_reply(
    response: Response, request: Request[T], asker: Asker, *, now: float
) -> Answer[T] | Failure:
    """Return the reply that a response is; an error that came as a success is still an error."""
    if response.status not in _OK:
        return read_failure(response, asker, now=now)
    try:
        found = json.loads(response.body)
    except (ValueError, RecursionError):
        return garbled(response, asker, "its body is no JSON")
    choices = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        if find_error(found) is None:
            return garbled(response, asker, "its body has no choices")
        return read_failure(response, asker, now=now)
    said = _read_choice(choices[0], response, asker, now=now)
    if isinstance(said, Failure):
        return said
    usage, model = read_usage(found.get("usage")), found.get("model")
    return replace(_judge(said, request, usage), usage=usage, model=text_or_empty(model))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    text: str
    refusal: str
    finish: str | None
    calls: Sequence[Any]


def _read_choice(
    choice: Mapping[str, Any], response: Response, asker: Asker, *, now: float
) -> _Said | Failure:
    error, finish = choice.get("error"), choice.get("finish_reason")
    if error or finish == "error":
        found = find_error({"error": error}) or VendorError()
        return fail_by(found, response, asker, now=now)
    message = choice.get("message")
    if not isinstance(message, dict):
        return garbled(response, asker, "its first choice has no message")
    text = _text_of(message.get("content"))
    if text is None:
        return garbled(response, asker, "its first choice has content that is no text")
    calls, refusal = message.get("tool_calls"), message.get("refusal")
    return _Said(
        text=text,
        refusal=text_or_empty(refusal),
        finish=finish if isinstance(finish, str) else None,
        calls=calls if isinstance(calls, list) else (),
    )


def _text_of(content: Any) -> str | None:  # noqa: ANN401  JSON
    """Return a message's text; some vendors send it in parts, and none beside tool calls."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _judge(said: _Said, request: Request[T], usage: Usage) -> Answer[T] | Failure:
    calls = _stopped(said, request, usage) or _read_calls(said, request)
    if isinstance(calls, Failure):
        return calls
    return form_answer(said.text, calls, request)


def _stopped(said: _Said, request: Request[Any], usage: Usage) -> Failure | None:
    if said.refusal or said.finish == "content_filter":
        why = "refused to answer" if said.refusal else "was stopped by a content filter"
        return Failure(
            kind=FailureKind.REFUSED,
            message=f"The model {why}.",
            text=said.text or said.refusal,
        )
    # A server that does not say why a reply ended may have cut it off all the same.
    is_full = request.max_tokens is not None and usage.output_tokens >= request.max_tokens
    if said.finish in _LENGTH or (said.finish is None and is_full):
        return Failure(
            kind=FailureKind.CUT_OFF,
            message="The reply was cut off: max_tokens or the context was used up.",
            text=said.text,
        )
    return None


def _read_calls(said: _Said, request: Request[Any]) -> tuple[ToolCall, ...] | Failure:
    calls = []
    for wish in said.calls:
        function = wish.get("function") if isinstance(wish, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str):
            return _malformed("The reply calls a tool and does not name it.", json.dumps(wish))
        written = function.get("arguments")
        arguments = _read_arguments(written)
        if arguments is None:
            return _malformed(
                f"The reply calls the tool {name!r} with arguments that are no JSON object.",
                written if isinstance(written, str) else json.dumps(written),
            )
        identifier = wish.get("id")
        calls.append(
            ToolCall(
                name=name,
                arguments=arguments,
                id=text_or_empty(identifier),
            )
        )
    return refuse_tool_calls(calls, request, text=said.text) or tuple(calls)


def _read_arguments(written: Any) -> dict[str, Any] | None:  # noqa: ANN401  JSON
    # A call without arguments is written as an empty text by some vendors, and as none by others.
    if written is None or (isinstance(written, str) and not written.strip()):
        return {}
    if isinstance(written, str):
        try:
            written = json.loads(written)
        except (ValueError, RecursionError):
            return None
    return written if isinstance(written, dict) else None


def _malformed(message: str, text: str) -> Failure:
    return Failure(kind=FailureKind.MALFORMED, message=message, text=text)


def read_usage(found: Any) -> Usage:  # noqa: ANN401  JSON
    """Return the tokens that a server counted; what it did not count is 0.

    Cached and thought tokens are parts of those read and written. Vendors that leave the thought
    ones out of `completion_tokens` still have them in `total_tokens`, and are read by that.
    """
    if not isinstance(found, dict):
        return Usage()
    read, written = (
        count(found, "prompt_tokens"),
        count(found, "completion_tokens"),
    )
    unsaid = max(0, count(found, "total_tokens") - read - written)
    cached = count(found.get("prompt_tokens_details"), "cached_tokens")
    thought = count(found.get("completion_tokens_details"), "reasoning_tokens")
    return Usage(
        input_tokens=read,
        output_tokens=written + unsaid,
        cached_input_tokens=min(read, cached or count(found, "prompt_cache_hit_tokens")),
        reasoning_tokens=min(written + unsaid, max(thought, unsaid)),
    )
