"""The vendor's errors: class, words and headers follow from the status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.anthropic.events import dump, form_event

if TYPE_CHECKING:
    from tierwise.doubles.gateway.saying import Refusal

_KINDS = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "conflict_error",
    410: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_MESSAGES = {
    400: "There was an issue with the format or content of your request.",
    401: "invalid x-api-key",
    402: "There is an issue with your billing or payment information.",
    403: "Your API key does not have permission to use the specified resource.",
    404: "The requested resource could not be found.",
    405: "Method Not Allowed",
    408: "The request timed out.",
    409: "The request conflicts with the state of the resource.",
    413: "Request exceeds the maximum size",
    422: "The request was understood and can't be processed.",
    429: "This request would exceed your account's rate limit. Please try again later.",
    502: "Bad gateway",
    503: "Service unavailable",
    504: "The request timed out while processing.",
    529: "Overloaded",
}
_LOWEST_OF_SERVER = 500
_RETRIED = frozenset({408, 409, 429})


def form_error(refusal: Refusal) -> dict[str, Any]:
    """Return the error object of a refusal."""
    is_server_s = refusal.status >= _LOWEST_OF_SERVER
    fallback = "api_error" if is_server_s else "invalid_request_error"
    words = "Internal server error" if is_server_s else "The request was refused."
    error: dict[str, Any] = {
        "type": refusal.kind or _KINDS.get(refusal.status, fallback),
        "message": refusal.message or _MESSAGES.get(refusal.status, words),
    }
    if refusal.code is not None:
        error["details"] = {"error_code": refusal.code}
    return error


def form_error_body(refusal: Refusal, request_id: str) -> bytes:
    """Return the body of a refusal."""
    if refusal.body is not None:
        return refusal.body
    body = {"type": "error", "error": form_error(refusal), "request_id": request_id}
    return dump(body).encode()


def form_error_event(refusal: Refusal) -> bytes:
    """Return the event that reports a refusal inside a stream."""
    if refusal.body is not None:
        return b"event: error\ndata: " + refusal.body + b"\n\n"
    return form_event("error", {"error": form_error(refusal)})


def form_error_headers(refusal: Refusal) -> tuple[tuple[str, str], ...]:
    """Return the headers by which the vendor asks to be left alone or asked again."""
    given = {name.lower() for name, _ in refusal.headers}
    headers = []
    if refusal.retry_after_s is not None and "retry-after" not in given:
        headers.append(("retry-after", f"{refusal.retry_after_s:g}"))
    if "x-should-retry" not in given:
        may_pass = refusal.status >= _LOWEST_OF_SERVER or refusal.status in _RETRIED
        headers.append(("x-should-retry", "true" if may_pass else "false"))
    return (*headers, *refusal.headers)
