"""A sync body in a thread of its own, awaited by the loop."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


async def run_in_thread(function: Callable[[], Any]) -> Any:  # noqa: ANN401  the body's own
    """Return what the function returns, called in a new thread with this context.

    Nobody joins the thread: a pool would wait for ever for a body that hangs, and would hand what
    one trial left in its thread to the next.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            result, error = context.run(function), None
        except BaseException as raised:  # noqa: BLE001  handed to whoever awaits
            result, error = None, raised
        # The loop is closed when a body outlives the whole run.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, future, result, error)

    threading.Thread(target=work, name="tierwise-trial", daemon=True).start()
    return await future


def _settle(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.done():
        return
    if isinstance(error, StopIteration):  # a future cannot hold one
        error = RuntimeError(f"the body raised StopIteration: {error}")
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
