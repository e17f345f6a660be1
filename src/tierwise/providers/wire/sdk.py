"""A call through a vendor's SDK: within its time, and with what goes wrong in words."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.providers.protocol import Failure, FailureKind
from tierwise.providers.wire.failure import Response

if TYPE_CHECKING:
    from collections.abc import Awaitable

_LOST = {
    "ConnectError": "no connection",
    "RemoteProtocolError": "the response broke off, or is no HTTP",
    "DecodingError": "the response is not encoded as it says",
}
"""By the name of the cause: the library below an SDK is another one from major to major."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkErrors:
    """What an SDK raises."""

    status: type[Exception]
    """For a status that is no success; it has the response."""
    timeout: type[Exception]
    lost: type[Exception]
    """For a connection that failed."""
    is_wrapping: bool = True
    """True where it is not the error of the library below, and has that as its cause."""


async def call_sdk(
    call: Awaitable[Response], errors: SdkErrors, *, endpoint: str, timeout_s: float | None
) -> Response | Failure:
    """Return what came back, whatever its status, or the failure of the wire."""
    try:
        # An SDK's own time-out is for each read, and a server may send a byte now and then.
        async with asyncio.timeout(timeout_s):
            return await call
    except errors.status as error:
        return copy_response(getattr(error, "response", None))
    except (TimeoutError, errors.timeout):
        waited = "" if timeout_s is None else f" than {timeout_s:g} s"
        kind, problem = FailureKind.TIMEOUT, f"it took longer{waited}"
    except errors.lost as error:
        cause = error.__cause__ if errors.is_wrapping else error
        kind, problem = FailureKind.UNAVAILABLE, explain_lost(cause)
    return Failure(kind=kind, message=f"{endpoint} gave no answer: {problem}.")


def copy_response(found: Any) -> Response:  # noqa: ANN401  a response of httpx or of httpx2
    """Return what an SDK's response holds."""
    return Response(
        status=found.status_code,
        reason=found.reason_phrase,
        body=found.content,
        headers={name.lower(): value for name, value in found.headers.items()},
    )


def explain_lost(cause: BaseException | None) -> str:
    """Return what happened to a connection, without its address."""
    names = [kind.__name__ for kind in type(cause).__mro__]
    told = next((_LOST[name] for name in names if name in _LOST), None)
    if told is not None:
        return told
    return f"the connection was lost ({names[0]})" if cause is not None else "it failed"
