"""OpenAI's errors: all that a body says follows from the status, unless it is told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.asked import Endpoint
from tierwise.doubles.gateway.openai import encoding
from tierwise.doubles.gateway.wire import Chunk, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Refusal
    from tierwise.doubles.gateway.vendor import Moment

_MS = 1000
_RATE_LIMIT = 429
_LOWEST_OF_SERVER = 500


@dataclass(frozen=True, slots=True)
class _Error:
    message: str
    kind: str = "invalid_request_error"
    code: str | None = None


_SERVER = _Error(
    "The server had an error while processing your request. Sorry about that!", "server_error"
)
_BY_STATUS: Mapping[int, _Error] = {
    400: _Error("Your request was malformed or missing some required parameters."),
    401: _Error("Incorrect API key provided: [masked].", code="invalid_api_key"),
    402: _Error(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
    ),
    403: _Error(
        "Country, region, or territory not supported",
        "request_forbidden",
        "unsupported_country_region_territory",
    ),
    404: _Error(
        "The model does not exist or you do not have access to it.", code="model_not_found"
    ),
    405: _Error("Not allowed to use this HTTP method here.", code="method_not_supported"),
    408: _Error("Request timed out.", "timeout", "request_timeout"),
    409: _Error("The resource was updated by another request. Please try again."),
    410: _Error(
        "The model has been deprecated and is no longer available.", code="model_deprecated"
    ),
    413: _Error("Request body too large.", code="request_too_large"),
    415: _Error(
        "Unsupported content type. This API method only accepts 'application/json'.",
        code="unsupported_content_type",
    ),
    422: _Error("Unable to process the request, though its format is correct."),
    429: _Error(
        "Rate limit reached for requests. Please try again later.",
        "requests",
        "rate_limit_exceeded",
    ),
    500: _SERVER,
    502: _Error("Bad gateway.", "server_error", "bad_gateway"),
    503: _Error(
        "The engine is currently overloaded, please try again later",
        "server_error",
        "service_unavailable",
    ),
    504: _Error("The upstream server did not answer in time.", "server_error", "gateway_timeout"),
    529: _Error(
        "The engine is currently overloaded, please try again later", "server_error", "overloaded"
    ),
}
_BY_CODE: Mapping[str, str] = {
    "insufficient_quota": "insufficient_quota",
    "rate_limit_exceeded": "requests",
}


def _derive(refusal: Refusal) -> _Error:
    known = _BY_STATUS.get(refusal.status)
    if known is None:
        known = _SERVER if refusal.status >= _LOWEST_OF_SERVER else _BY_STATUS[400]
    return _Error(
        message=known.message if refusal.message is None else refusal.message,
        kind=refusal.kind or _BY_CODE.get(refusal.code or "") or known.kind,
        # A broken rule has its own code, or the vendor has none for it.
        code=refusal.code or (None if refusal.rule else known.code),
    )


def form_error(refusal: Refusal) -> dict[str, Any]:
    """Return the error object that a body or an event holds."""
    error = _derive(refusal)
    return {
        "message": error.message,
        "type": error.kind,
        "param": refusal.param,
        "code": error.code,
    }


def refuse(refusal: Refusal, moment: Moment) -> HttpResponse:
    """Return the response with which the vendor refuses."""
    body = refusal.body
    if body is None:
        body = encoding.dump({"error": form_error(refusal)}).encode()
    headers = encoding.form_headers(moment, kind="application/json")
    if refusal.status == _RATE_LIMIT:
        spent = {"x-ratelimit-remaining-requests": "0"}
        headers = tuple((name, spent.get(name, value)) for name, value in headers)
    if refusal.retry_after_s is not None:
        headers = (
            *headers,
            ("retry-after-ms", str(round(refusal.retry_after_s * _MS))),
            ("retry-after", str(math.ceil(refusal.retry_after_s))),
        )
    return HttpResponse(
        status=refusal.status, headers=(*headers, *refusal.headers), chunks=(Chunk(body),)
    )


def form_error_event(asked: Asked, refusal: Refusal) -> bytes:
    """Return the event that ends a stream with an error."""
    error = form_error(refusal)
    if asked.endpoint is not Endpoint.RESPONSES:
        return f"data: {encoding.dump({'error': error})}\n\n".encode()
    # How many events came before it is not known here.
    event = {
        "type": "error",
        "code": error["code"] or error["type"],
        "message": error["message"],
        "param": error["param"],
        "sequence_number": 0,
    }
    return f"event: error\ndata: {encoding.dump(event)}\n\n".encode()
