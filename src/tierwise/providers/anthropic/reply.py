"""The body of one of Anthropic's messages as the reply that it is."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall, Usage
from tierwise.providers.checking import form_answer, refuse_tool_calls
from tierwise.providers.protocol import Answer, Failure, FailureKind
from tierwise.providers.wire.body import count, decode, text_or_empty
from tierwise.providers.wire.error import VendorError, find_error
from tierwise.providers.wire.failure import fail_by, garbled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.providers.protocol import Request, T
    from tierwise.providers.wire.failure import Asker, Response

_OK = range(200, 300)
_CUT_OFF = {
    "max_tokens": "max_tokens was used up",
    "model_context_window_exceeded": "the context was used up",
    "pause_turn": "the vendor paused it",
}
_SPENT = frozenset(
    {
        "contract_spend_limit_reached",
        "enforced_spend_limit_reached",
        "linked_organization_spend_limit_reached",
    }
)
"""A limit on money is told with the status of a rate limit, and no waiting helps against it."""
_NO_CREDIT = "credit balance is too low"
_BAD_REQUEST = 400


def read_message(
    response: Response, request: Request[T], asker: Asker, *, now: float
) -> Answer[T] | Failure:
    """Return the reply that a response is; an error that came as a success is still an error."""
    found = decode(response.body)
    if response.status not in _OK or (isinstance(found, dict) and found.get("type") == "error"):
        return _read_error(found, response, asker, now=now)
    if not isinstance(found, dict):
        return garbled(response, asker, "its body is no JSON object")
    content, reason = found.get("content"), found.get("stop_reason")
    if not isinstance(content, list) or not all(isinstance(one, dict) for one in content):
        return garbled(response, asker, "its message has no content")
    if not isinstance(reason, str):
        return garbled(response, asker, "its message does not say why it ended")
    model = found.get("model")
    return replace(
        _judge(_Said(content=content, reason=reason, details=found.get("stop_details")), request),
        usage=read_usage(found.get("usage")),
        model=text_or_empty(model),
    )


def _read_error(found: Any, response: Response, asker: Asker, *, now: float) -> Failure:  # noqa: ANN401  JSON
    text = "" if found is not None else response.body.decode(errors="replace")
    error = find_error(found) or VendorError(message=text)
    inner = found.get("error") if isinstance(found, dict) else None
    details = inner.get("details") if isinstance(inner, dict) else None
    code = details.get("error_code") if isinstance(details, dict) else None
    if isinstance(code, str):
        error = replace(error, words=(code, *error.words))
    is_unpaid = response.status == _BAD_REQUEST and _NO_CREDIT in error.message.lower()
    kind = FailureKind.NO_ENTITLEMENT if code in _SPENT or is_unpaid else None
    return fail_by(error, response, asker, now=now, kind=kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    content: Sequence[Mapping[str, Any]]
    reason: str
    details: Any

    @property
    def text(self) -> str:
        texts = [one.get("text") for one in self.content if one.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))

    @property
    def explanation(self) -> str:
        found = self.details.get("explanation") if isinstance(self.details, dict) else None
        return text_or_empty(found)


def _judge(said: _Said, request: Request[T]) -> Answer[T] | Failure:
    calls = _stopped(said) or _read_calls(said, request)
    if isinstance(calls, Failure):
        return calls
    return form_answer(said.text, calls, request)


def _stopped(said: _Said) -> Failure | None:
    if said.reason == "refusal":
        return Failure(
            kind=FailureKind.REFUSED,
            message="The model refused to answer.",
            text=said.text or said.explanation,
        )
    if said.reason in _CUT_OFF:
        return Failure(
            kind=FailureKind.CUT_OFF,
            message=f"The reply was cut off: {_CUT_OFF[said.reason]}.",
            text=said.text,
        )
    return None


def _read_calls(said: _Said, request: Request[Any]) -> tuple[ToolCall, ...] | Failure:
    calls = []
    for block in said.content:
        if block.get("type") != "tool_use":
            continue
        name, arguments, identifier = block.get("name"), block.get("input"), block.get("id")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return Failure(
                kind=FailureKind.MALFORMED,
                message="The reply calls a tool without a name or with input that is no object.",
                text=json.dumps(block),
            )
        calls.append(ToolCall(name=name, arguments=arguments, id=str(identifier or "")))
    return refuse_tool_calls(calls, request, text=said.text) or tuple(calls)


def read_usage(found: Any) -> Usage:  # noqa: ANN401  JSON
    """Return the tokens that Anthropic counted; what it did not count is 0.

    Anthropic counts tokens that were written to its cache, and those read from there, beside the
    others; here they are parts of what was read. Thought tokens are part of the output in both.
    """
    if not isinstance(found, dict):
        return Usage()
    cached = count(found, "cache_read_input_tokens")
    written = count(found, "output_tokens")
    thought = count(found.get("output_tokens_details"), "thinking_tokens")
    return Usage(
        input_tokens=count(found, "input_tokens")
        + count(found, "cache_creation_input_tokens")
        + cached,
        output_tokens=written,
        cached_input_tokens=cached,
        reasoning_tokens=min(written, thought),
    )
