"""What a server's error is: vendors' many ways to write one, and the kind behind each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tierwise.providers.protocol import FailureKind

_Kind = FailureKind
_LOWEST_ERROR = 400
_LOWEST_OF_SERVER = 500
_OK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorError:
    """An error object as one shape, whoever wrote it."""

    message: str = ""
    words: tuple[str, ...] = ()
    """Its code and type in lower case, the more exact one first."""
    status: int | None = None
    """An HTTP status inside the body."""
    param: str = ""


def find_error(found: Any) -> VendorError | None:  # noqa: ANN401  JSON
    """Return the error that a body of JSON holds, or None."""
    if isinstance(found, list) and len(found) == 1:
        return find_error(found[0])
    if not isinstance(found, dict):
        return None
    inner = found.get("error")
    if isinstance(inner, dict):
        return _read(inner)
    if isinstance(inner, str) and inner:
        return _read({**found, "message": inner})
    if found.get("object") == "error" or "detail" in found or "message" in found:
        return _read({"message": found.get("detail", ""), **found})
    return None


def _read(error: dict[str, Any]) -> VendorError:
    deeper = error.get("innererror")
    codes = [deeper.get("code") if isinstance(deeper, dict) else None, error.get("code")]
    named = [*codes, error.get("status"), error.get("type"), error.get("error_type")]
    words = [one.lower() for one in named if isinstance(one, str) and not one.isdecimal()]
    numbers = [int(one) for one in named if isinstance(one, int | str) and _is_status(one)]
    message = error.get("message")
    return VendorError(
        message=message if isinstance(message, str) else _flatten(message),
        words=tuple(words),
        status=numbers[0] if numbers else None,
        param=str(error.get("param") or ""),
    )


def _is_status(value: int | str) -> bool:
    # Not `isdigit`: that holds for characters that `int` refuses.
    text = str(value)
    return text.isascii() and text.isdecimal() and _LOWEST_ERROR <= int(text) < 600  # noqa: PLR2004


def _flatten(message: Any) -> str:  # noqa: ANN401  JSON
    """Return what a list of problems says, without the input that some servers repeat in it."""
    problems = message if isinstance(message, list) else [message]
    return "; ".join(
        f"{'.'.join(map(str, one.get('loc', ())))}: {one.get('msg', '')}"
        for one in problems
        if isinstance(one, dict)
    )


def kind_of(status: int, error: VendorError) -> FailureKind:
    """Return the kind of a failure: by the vendor's own word where it is exact, else by status.

    So a quota that is used up is no rate limit, though both are 429. `status` 200 is an error
    that came as a success.
    """
    if status < _LOWEST_ERROR:
        status = error.status or status
    kind = _BY_STATUS[status] if status in _DECISIVE else _exact_kind(error.words)
    if kind is None:
        kind = _BY_STATUS.get(status) or _guess(status, error.words)
    return _Kind.RETIRED if _may_be_retired(kind, error) else kind


def _exact_kind(words: tuple[str, ...]) -> FailureKind | None:
    kinds = [kind for kind in map(_BY_WORD.get, words) if kind is not None]
    return next((kind for kind in kinds if kind not in _VAGUE), None)


def _guess(status: int, words: tuple[str, ...]) -> FailureKind:
    if status >= _LOWEST_OF_SERVER:
        return _Kind.UNAVAILABLE
    if status > _OK:
        return _Kind.BAD_REQUEST
    return next(filter(None, map(_BY_WORD.get, words)), _Kind.UNAVAILABLE)


def _may_be_retired(kind: FailureKind, error: VendorError) -> bool:
    if kind not in {_Kind.NOT_FOUND, _Kind.BAD_REQUEST} or error.param not in {"", "model"}:
        return False
    return _RETIRED.search(error.message) is not None


_RETIRED = re.compile(
    r"(?i)\bmodel\b.{0,120}\b(?:decommissioned|retired|discontinued|sunset"
    r"|(?:been|is|was) (?:now )?(?:deprecated|shut ?down|removed)"
    r"|no longer (?:available|supported|served))"
)
_DECISIVE = frozenset({410, 413})
"""What is gone is called not found by some, and a request too large for a limit a rate limit."""
_BY_STATUS = {
    400: _Kind.BAD_REQUEST,
    401: _Kind.AUTH,
    402: _Kind.NO_ENTITLEMENT,
    403: _Kind.NO_ENTITLEMENT,
    404: _Kind.NOT_FOUND,
    408: _Kind.TIMEOUT,
    409: _Kind.UNAVAILABLE,
    410: _Kind.RETIRED,
    413: _Kind.BAD_REQUEST,
    422: _Kind.BAD_REQUEST,
    425: _Kind.UNAVAILABLE,
    429: _Kind.BUSY,
    498: _Kind.BUSY,
}
_VAGUE = frozenset({_Kind.BAD_REQUEST, _Kind.UNAVAILABLE, _Kind.TIMEOUT})
"""Kinds whose words stand beside many statuses: there the status knows better."""
_WORDS = {
    _Kind.NO_ENTITLEMENT: "insufficient_quota billing_hard_limit_reached billing_not_active "
    "payment_required insufficient_balance account_deactivated access_terminated "
    "permission_denied permission_error permissiondeniederror model_not_allowed "
    "unsupported_country_region_territory organization_restricted model_terms_required",
    _Kind.BUSY: "rate_limit_exceeded rate_limit_error ratelimiterror too_many_requests requests "
    "tokens resource_exhausted throttled throttlingexception",
    _Kind.AUTH: "invalid_api_key authentication_error authenticationerror unauthorized "
    "unauthenticated invalid_authentication incorrect_api_key",
    _Kind.NOT_FOUND: "model_not_found not_found_error notfounderror not_found model_not_exist "
    "unknown_model deploymentnotfound",
    _Kind.RETIRED: "model_decommissioned model_deprecated model_retired deprecated_model",
    _Kind.REFUSED: "content_filter content_policy_violation responsibleaipolicyviolation "
    "moderation_blocked data_inspection_failed",
    _Kind.BAD_REQUEST: "context_length_exceeded invalid_request_error invalid_argument "
    "badrequesterror unsupported_parameter unsupported_value",
    _Kind.UNAVAILABLE: "overloaded_error overloaded engine_overloaded server_error "
    "internal_error internal_server_error api_error service_unavailable unavailable internal",
    _Kind.TIMEOUT: "timeout request_timeout deadline_exceeded",
}
_BY_WORD = {word: kind for kind, words in _WORDS.items() for word in words.split()}
