"""Any client's answer or error as an `Observed`: responses, SDK errors, replies of providers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

from pydantic import BaseModel

from tierwise.errors import MisuseError
from tierwise.live.observed import Observed
from tierwise.providers import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Mapping

_OK = 200
_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
# By name, so that no client has to be installed: httpx and httpx2, the SDKs, aiohttp.
_TRANSPORT_ERRORS = frozenset(
    {"TransportError", "APIConnectionError", "ClientConnectionError", "TimeoutException"}
)
_STATUSES: Mapping[FailureKind, int | None] = {
    FailureKind.MALFORMED: _OK,
    FailureKind.SCHEMA_MISMATCH: _OK,
    FailureKind.REFUSED: _OK,
    FailureKind.CUT_OFF: _OK,
    FailureKind.GARBLED: None,
    FailureKind.TIMEOUT: None,
    FailureKind.UNAVAILABLE: 503,
    FailureKind.BUSY: 429,
    FailureKind.RETIRED: 410,
    FailureKind.NO_ENTITLEMENT: 403,
    FailureKind.NOT_FOUND: 404,
    FailureKind.AUTH: 401,
    FailureKind.BAD_REQUEST: 400,
    FailureKind.EXHAUSTED: 400,
}


def observe(answer: object, *, sent_key: bool | None = None) -> Observed:
    """Return what an answer says: a response, an error, a provider's reply, or an `Observed`.

    Responses have `status_code` and `text`, as those of httpx and requests. An error brings its
    response or its status, as those of the vendors' SDKs do, or tells that none came. What an SDK
    returns when nothing was wrong is a success. Anything else raises `MisuseError`: an answer
    that cannot be read is not taken for one.
    """
    found = _read(answer)
    if found is None:
        raise MisuseError(
            f"{_name(answer)} tells nothing about a vendor's answer. Expected a response with "
            "status_code and text, an SDK's result or error, a provider's reply, or "
            "Observed.read(status, text)."
        )
    return found if sent_key is None else replace(found, sent_key=sent_key)


def observe_error(error: Exception) -> Observed | None:
    """Return what an error says of the vendor; None for one that is a mistake of the program."""
    response = _read_response(getattr(error, "response", None))
    if response is not None:
        return response
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    if _is_status(status):
        return Observed.read(status, str(error))
    names = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, OSError) or names & _TRANSPORT_ERRORS:
        return Observed(failure=f"{type(error).__name__}: {error}".rstrip(": "))
    return None


def _read(answer: object) -> Observed | None:
    if isinstance(answer, Observed):
        return answer
    if isinstance(answer, Failure):
        return _read_failure(answer)
    if isinstance(answer, Exception):
        return observe_error(answer)
    if isinstance(answer, Answer | BaseModel):
        return Observed(status=_OK)
    return _read_response(answer)


def _read_failure(failure: Failure) -> Observed:
    status = _STATUSES[failure.kind]
    if status == _OK:
        return Observed(status=_OK, text=failure.text)
    if status is None:
        return Observed(failure=f"{failure.kind}: {failure.message}")
    return Observed(status=status, message=failure.message, words=(str(failure.kind),))


def _read_response(response: Any) -> Observed | None:  # noqa: ANN401  any client's own type
    status = getattr(response, "status_code", None)
    if not _is_status(status):
        return None
    text = response.text
    if not isinstance(text, str):
        return None
    return Observed.read(status, text, sent_key=_find_key(response))


def _find_key(response: Any) -> bool | None:  # noqa: ANN401  any client's own type
    # httpx raises RuntimeError where a response was made without its request.
    try:
        headers = response.request.headers
    except (AttributeError, RuntimeError):
        return None
    sent = {str(name).lower(): str(value) for name, value in headers.items()}
    return any(sent.get(name, "").removeprefix("Bearer").strip() for name in _KEY_HEADERS)


def _is_status(value: object) -> TypeGuard[int]:
    lowest, highest = 100, 599
    is_bool = isinstance(value, bool)
    return isinstance(value, int) and not is_bool and lowest <= value <= highest


def _name(answer: object) -> str:
    return repr(answer) if answer is None or isinstance(answer, bool) else type(answer).__name__
