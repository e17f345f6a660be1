"""A response on a real connection: its delays pass, and its ending is the socket's."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.doors.framing import frame_chunk, frame_end, frame_head
from tierwise.doubles.gateway.templates import Filled
from tierwise.doubles.gateway.wire import Ending

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from tierwise.doubles.gateway.journal import Progress
    from tierwise.doubles.gateway.wire import HttpResponse

_CLOSE_WITH_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER switched on, for no time at all."""


def send(
    transport: asyncio.Transport,
    response: HttpResponse,
    progress: Progress,
    *,
    with_body: bool = True,
) -> Awaitable[None] | None:
    """Send a response; return what is to be awaited where it takes time, else None.

    Without delays all of it is one write: a stream of fifty writes takes seven times as long.
    `with_body` is False for the answer to HEAD.
    """
    if not with_body:
        transport.write(frame_head(response))
        return None
    chunks = response.chunks
    if isinstance(chunks, Filled) and chunks.is_whole(response):
        transport.write(chunks.write_whole())
        progress.n_chunks = len(chunks)
        return None
    takes_time = response.before_s or any(chunk.after_s for chunk in response.chunks)
    if takes_time or response.ending is Ending.STALLED:
        return _send_slowly(transport, response, progress)
    parts = [frame_head(response)]
    parts += [frame_chunk(response, chunk.data) for chunk in response.chunks]
    if response.ending is Ending.COMPLETE:
        parts.append(frame_end(response))
    transport.write(b"".join(parts))
    progress.n_chunks = len(response.chunks)
    _end(transport, response.ending)
    return None


async def _send_slowly(
    transport: asyncio.Transport, response: HttpResponse, progress: Progress
) -> None:
    await _pass(response.before_s, progress)
    transport.write(frame_head(response))
    for chunk in response.chunks:
        await _pass(chunk.after_s, progress)
        transport.write(frame_chunk(response, chunk.data))
        progress.n_chunks += 1
    if response.ending is Ending.STALLED:
        await asyncio.Event().wait()  # until the client goes, which cancels this
    if response.ending is Ending.COMPLETE:
        transport.write(frame_end(response))
    _end(transport, response.ending)


async def _pass(seconds: float, progress: Progress) -> None:
    if seconds > 0:
        await asyncio.sleep(seconds)
        progress.elapsed_s += seconds
        progress.real_s += seconds


def _end(transport: asyncio.Transport, ending: Ending) -> None:
    if ending is Ending.CUT:
        transport.close()
    elif ending is Ending.RESET:
        reset(transport)


def reset(transport: asyncio.Transport) -> None:
    """Close a connection so that the client sees it reset, after what was written has gone out."""
    connection: socket.socket | None = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _CLOSE_WITH_RESET)
    # `close` sends what waits in the buffer first; `abort` would drop it.
    transport.close()
