"""One call, timed, with what came back read as a reply."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.providers.protocol import Failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tierwise.providers.protocol import Answer, T
    from tierwise.providers.wire.failure import Response


async def call_and_read(
    call: Awaitable[Response | Failure],
    read: Callable[[Response], Answer[T] | Failure],
    *,
    model: str,
) -> Answer[T] | Failure:
    """Return the reply with the time that the call took, and the model unless it names one."""
    began = time.perf_counter()
    response = await call
    latency_s = time.perf_counter() - began
    reply = response if isinstance(response, Failure) else read(response)
    return replace(reply, model=reply.model or model, latency_s=latency_s)
