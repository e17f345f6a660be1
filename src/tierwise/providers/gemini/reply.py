"""The body of generateContent as the reply that it is."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
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

_OK = 200
_CUT_OFF = {
    "MAX_TOKENS": "max_tokens or the context was used up",
    "CONTINUATION": "the vendor paused it",
}
_REFUSED = frozenset(
    {
        *("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"),
        *("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR"),
    }
)
_MALFORMED = frozenset(
    {
        *("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"),
        *("MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE"),
    }
)
# Gemini tells these by a reason in the details, under a status that says something else.
_BY_REASON = {
    "API_KEY_INVALID": FailureKind.AUTH,
    "API_KEY_EXPIRED": FailureKind.AUTH,
    "API_KEY_SERVICE_BLOCKED": FailureKind.NO_ENTITLEMENT,
    "SERVICE_DISABLED": FailureKind.NO_ENTITLEMENT,
    "CONSUMER_SUSPENDED": FailureKind.NO_ENTITLEMENT,
    "BILLING_DISABLED": FailureKind.NO_ENTITLEMENT,
}
_ELSEWHERE = "User location is not supported"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiReply:
    """A reply, and the signatures of its calls, which Gemini wants back with them."""

    reply: Answer[Any] | Failure
    signatures: Mapping[str, str] = field(default_factory=dict)


def read_response(
    response: Response, request: Request[T], asker: Asker, *, now: float
) -> GeminiReply:
    """Return the reply that a response is; an error that came as a success is still an error."""
    found = decode(response.body)
    if response.status != _OK or (isinstance(found, dict) and "error" in found):
        return GeminiReply(reply=_read_error(found, response, asker, now=now))
    if not isinstance(found, dict):
        return GeminiReply(reply=garbled(response, asker, "its body is no JSON object"))
    said = _read_said(found, response, asker)
    reply = said if isinstance(said, Failure) else _judge(said, request)
    model, usage = found.get("modelVersion"), read_usage(found.get("usageMetadata"))
    reply = replace(reply, usage=usage, model=text_or_empty(model))
    signatures = {} if isinstance(said, Failure) else said.signatures
    return GeminiReply(reply=reply, signatures=signatures)


def _read_error(found: Any, response: Response, asker: Asker, *, now: float) -> Failure:  # noqa: ANN401  JSON
    text = "" if found is not None else response.body.decode(errors="replace")
    error = find_error(found) or VendorError(message=text)
    details = _details_of(found)
    kind = next(filter(None, (_BY_REASON.get(str(one.get("reason"))) for one in details)), None)
    if kind is None and response.status < 500 and error.message.startswith(_ELSEWHERE):  # noqa: PLR2004  HTTP's
        kind = FailureKind.NO_ENTITLEMENT
    failure = fail_by(error, response, asker, now=now, kind=kind)
    if failure.retry_after_s is None and failure.kind.is_retried:
        return replace(failure, retry_after_s=_read_delay(details))
    return failure


def _details_of(found: Any) -> Sequence[Mapping[str, Any]]:  # noqa: ANN401  JSON
    if isinstance(found, list) and len(found) == 1:
        return _details_of(found[0])
    inner = found.get("error") if isinstance(found, dict) else None
    details = inner.get("details") if isinstance(inner, dict) else None
    return [one for one in details if isinstance(one, dict)] if isinstance(details, list) else []


def _read_delay(details: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the seconds of RetryInfo, which Gemini sends in place of a Retry-After."""
    for one in details:
        written = one.get("retryDelay")
        if not str(one.get("@type", "")).endswith("google.rpc.RetryInfo"):
            continue
        if isinstance(written, str) and written.endswith("s"):
            try:
                seconds = float(written[:-1])
            except ValueError:
                return None
            return max(0.0, seconds) if math.isfinite(seconds) else None
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    parts: Sequence[Mapping[str, Any]]
    reason: str
    message: str

    @property
    def text(self) -> str:
        texts = [one.get("text") for one in self.parts if not one.get("thought")]
        return "".join(text for text in texts if isinstance(text, str))

    @property
    def calls(self) -> Sequence[Any]:
        return [one["functionCall"] for one in self.parts if "functionCall" in one]

    @property
    def signatures(self) -> Mapping[str, str]:
        return {
            one["functionCall"]["id"]: one["thoughtSignature"]
            for one in self.parts
            if isinstance(one.get("thoughtSignature"), str)
            and isinstance(one.get("functionCall"), dict)
            and isinstance(one["functionCall"].get("id"), str)
        }


def _read_said(found: Mapping[str, Any], response: Response, asker: Asker) -> _Said | Failure:
    candidates = found.get("candidates")
    if not candidates:
        return _read_block(found) or garbled(response, asker, "its body has no candidates")
    first = candidates[0] if isinstance(candidates, list) else None
    if not isinstance(first, dict):
        return garbled(response, asker, "its first candidate is no object")
    reason, message = first.get("finishReason"), first.get("finishMessage")
    if not isinstance(reason, str):
        return garbled(response, asker, "its first candidate does not say why it ended")
    content = first.get("content") or {}
    parts = (content.get("parts") or []) if isinstance(content, dict) else None
    if not isinstance(parts, list) or not all(isinstance(one, dict) for one in parts):
        return garbled(response, asker, "its first candidate has content without parts")
    return _Said(parts=parts, reason=reason, message=text_or_empty(message))


def _read_block(found: Mapping[str, Any]) -> Failure | None:
    feedback = found.get("promptFeedback")
    reason = feedback.get("blockReason") if isinstance(feedback, dict) else None
    if not isinstance(feedback, dict) or not isinstance(reason, str):
        return None
    text = feedback.get("blockReasonMessage")
    return Failure(
        kind=FailureKind.REFUSED,
        message=f"The prompt was blocked ({reason}).",
        text=text_or_empty(text),
    )


def _judge(said: _Said, request: Request[T]) -> Answer[T] | Failure:
    calls = _stopped(said) or _read_calls(said, request)
    if isinstance(calls, Failure):
        return calls
    return form_answer(said.text, calls, request)


def _stopped(said: _Said) -> Failure | None:
    if said.reason == "STOP":
        return None
    if said.reason in _CUT_OFF:
        why = f"The reply was cut off: {_CUT_OFF[said.reason]}."
        return Failure(kind=FailureKind.CUT_OFF, message=why, text=said.text)
    text = said.text or said.message
    if said.reason in _REFUSED:
        why = f"The model refused to answer ({said.reason})."
        return Failure(kind=FailureKind.REFUSED, message=why, text=text)
    if said.reason in _MALFORMED:
        why = f"The model's call or reply was malformed ({said.reason})."
        return Failure(kind=FailureKind.MALFORMED, message=why, text=text)
    why = f"Gemini ended the reply and gives the reason {said.reason[:60]}."
    return Failure(kind=FailureKind.UNAVAILABLE, message=why, text=text)


def _read_calls(said: _Said, request: Request[Any]) -> tuple[ToolCall, ...] | Failure:
    calls = []
    for wish in said.calls:
        name = wish.get("name") if isinstance(wish, dict) else None
        arguments = wish.get("args") or {} if isinstance(wish, dict) else None
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return Failure(
                kind=FailureKind.MALFORMED,
                message="The reply calls a tool without a name or with args that are no object.",
                text=json.dumps(wish),
            )
        calls.append(ToolCall(name=name, arguments=arguments, id=str(wish.get("id") or "")))
    return refuse_tool_calls(calls, request, text=said.text) or tuple(calls)


def read_usage(found: Any) -> Usage:  # noqa: ANN401  JSON
    """Return the tokens that Gemini counted; what it did not count is 0.

    Gemini counts thought tokens beside those of the candidates, and the results of its own tools
    beside the prompt; here they are parts of what was written and read. Cached tokens are part of
    the prompt in both.
    """
    if not isinstance(found, dict):
        return Usage()
    read = count(found, "promptTokenCount") + count(found, "toolUsePromptTokenCount")
    thought = count(found, "thoughtsTokenCount")
    return Usage(
        input_tokens=read,
        output_tokens=count(found, "candidatesTokenCount") + thought,
        cached_input_tokens=min(read, count(found, "cachedContentTokenCount")),
        reasoning_tokens=thought,
    )
