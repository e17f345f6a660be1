"""Gemini's errors: a google.rpc Status, with details by which a client can act."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.paths import HOST
from tierwise.doubles.gateway.wire import Chunk, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.saying import Refusal

_TYPE = "type.googleapis.com/google.rpc."
_LOWEST_OF_SERVER = 500
_BUSY = 429

OAUTH_WANTED = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie "
    "or other valid authentication credential. See "
    "https://developers.google.com/identity/sign-in/web/devconsole-project."
)
_WORDS: Mapping[int, tuple[str, str]] = {
    400: ("INVALID_ARGUMENT", "Request contains an invalid argument."),
    401: (
        "UNAUTHENTICATED",
        OAUTH_WANTED,
    ),
    403: ("PERMISSION_DENIED", "The caller does not have permission"),
    404: ("NOT_FOUND", "Requested entity was not found."),
    409: ("ABORTED", "The operation was aborted."),
    413: ("INVALID_ARGUMENT", "Request payload size exceeds the limit."),
    416: ("OUT_OF_RANGE", "Client specified an invalid range."),
    429: ("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    499: ("CANCELLED", "The operation was cancelled."),
    500: ("INTERNAL", "An internal error has occurred. Please retry."),
    501: ("UNIMPLEMENTED", "Operation is not implemented, or supported, or enabled."),
    502: ("UNAVAILABLE", "Bad gateway."),
    503: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
    504: ("DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
}
_QUOTA = (
    "You exceeded your current quota, please check your plan and billing details. For more "
    "information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits."
)

JSON_HEADERS = (
    ("content-type", "application/json; charset=UTF-8"),
    ("vary", "Origin, X-Origin, Referer"),
    ("server", "scaffolding on HTTPServer2"),
)


def form_error(refusal: Refusal) -> HttpResponse:
    """Return the response that refuses; what the refusal leaves out follows from its status."""
    body = refusal.body
    if body is None:
        body = json.dumps(describe_error(refusal), separators=(",", ":")).encode()
    told = {name.lower() for name, _ in refusal.headers}
    headers = tuple(one for one in JSON_HEADERS if one[0] not in told)
    return HttpResponse(
        status=refusal.status, headers=(*headers, *refusal.headers), chunks=(Chunk(body),)
    )


def describe_error(refusal: Refusal) -> dict[str, Any]:
    """Return the body of an error."""
    status, message = _words_of(refusal.status)
    if refusal.status == _BUSY and refusal.retry_after_s is not None:
        message = f"{_QUOTA}\nPlease retry in {refusal.retry_after_s:g}s."
    error: dict[str, Any] = {
        "code": refusal.status,
        "message": message if refusal.message is None else refusal.message,
        "status": refusal.kind or status,
    }
    details = list(_details_of(refusal, error["message"]))
    if details:
        error["details"] = details
    return {"error": error}


def _words_of(status: int) -> tuple[str, str]:
    if status in _WORDS:
        return _WORDS[status]
    if status >= _LOWEST_OF_SERVER:
        return "INTERNAL", _WORDS[500][1]
    return _WORDS[400]


def _details_of(refusal: Refusal, message: str) -> list[dict[str, Any]]:
    details: list[dict[str, Any]] = []
    if refusal.code is not None:
        details += _explain_reason(refusal.code, message)
    if refusal.param is not None:
        details.append(_name_fields(refusal.param, message))
    if refusal.status == _BUSY and refusal.retry_after_s is not None:
        details += _explain_quota()
    if refusal.retry_after_s is not None:
        delay = {"@type": f"{_TYPE}RetryInfo", "retryDelay": f"{refusal.retry_after_s:.9g}s"}
        details.append(delay)
    return details


def _explain_reason(reason: str, message: str) -> list[dict[str, Any]]:
    return [
        {
            "@type": f"{_TYPE}ErrorInfo",
            "reason": reason,
            "domain": "googleapis.com",
            "metadata": {"service": HOST},
        },
        {"@type": f"{_TYPE}LocalizedMessage", "locale": "en-US", "message": message},
    ]


def _name_fields(param: str, message: str) -> dict[str, Any]:
    """Return the violations: one field and one message a line, in the same order."""
    fields, lines = param.split("\n"), message.split("\n")
    violations = [
        {"field": field, "description": line} if field else {"description": line}
        for field, line in zip(fields, lines, strict=False)
    ]
    return {"@type": f"{_TYPE}BadRequest", "fieldViolations": violations}


def _explain_quota() -> list[dict[str, Any]]:
    violation = {
        "quotaMetric": f"{HOST}/generate_content_free_tier_requests",
        "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
        "quotaDimensions": {"location": "global"},
    }
    link = {
        "description": "Learn more about Gemini API quotas",
        "url": "https://ai.google.dev/gemini-api/docs/rate-limits",
    }
    return [
        {"@type": f"{_TYPE}QuotaFailure", "violations": [violation]},
        {"@type": f"{_TYPE}Help", "links": [link]},
    ]
