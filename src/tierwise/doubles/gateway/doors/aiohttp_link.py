"""A transport of asyncio's whose other end is the gateway: no socket, the same protocol."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.doors.door import form_request
from tierwise.doubles.gateway.doors.framing import frame_chunk, frame_end, frame_head
from tierwise.doubles.gateway.doors.httpx_door import WITHOUT_TIMEOUT, note_close
from tierwise.doubles.gateway.doors.pacing import Pace, silence_after
from tierwise.doubles.gateway.doors.upload import UploadReader
from tierwise.doubles.gateway.faults import NO_STATUS
from tierwise.doubles.gateway.wire import Ending

if TYPE_CHECKING:
    from tierwise.doubles.gateway.doors.door import Door
    from tierwise.doubles.gateway.doors.upload import Upload
    from tierwise.doubles.gateway.journal import Entry


class Link(asyncio.Transport):
    """Takes what a client writes, has the gateway answer it, and hands the answer back."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        protocol: Any,  # noqa: ANN401  a class of the library
        req: Any,  # noqa: ANN401  a class of the library
        door: Door,
        *,
        timeouts: tuple[float | None, float | None],
    ) -> None:
        super().__init__()
        self._loop, self._protocol, self._req, self._door = loop, protocol, req, door
        self._sock_read_s, self._total_s = timeouts
        self._reader = UploadReader()
        self._task: asyncio.Task[None] | None = None
        self._entry: Entry | None = None
        self._has_consented = False
        self._is_closing = False
        self._is_paused = asyncio.Event()
        self._is_paused.set()

    # What a client's protocol asks of a transport

    def write(self, data: Any) -> None:  # noqa: ANN401  any bytes
        """Take a part of the request; answer when it is whole."""
        if self._is_closing or self._task is not None:
            return
        upload = self._reader.feed(bytes(data))
        if upload is not None:
            self._task = self._loop.create_task(self._answer(upload))
        elif self._reader.awaits_consent and not self._has_consented:
            self._has_consented = True
            self._loop.call_soon(self._send, b"HTTP/1.1 100 Continue\r\n\r\n")

    def writelines(self, list_of_data: Any) -> None:  # noqa: ANN401  as asyncio has it
        """Take several parts."""
        self.write(b"".join(bytes(data) for data in list_of_data))

    def is_closing(self) -> bool:
        """Tell whether the connection has ended."""
        return self._is_closing

    def close(self) -> None:
        """End the connection from the client's side."""
        if not self._is_closing:
            self._is_closing = True
            if self._task is not None and not self._task.done():
                self._task.cancel()
                if self._entry is not None:
                    note_close(self._entry)
            self._loop.call_soon(self._protocol.connection_lost, None)

    abort = close

    def pause_reading(self) -> None:
        """Hold the answer back until the client has read what it has."""
        self._is_paused.clear()

    def resume_reading(self) -> None:
        """Go on."""
        self._is_paused.set()

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # noqa: ANN401  as asyncio
        """Return nothing: there is no socket to ask."""
        del name
        return default

    def get_write_buffer_size(self) -> int:
        """Return 0: whatever is written has arrived."""
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Do nothing: nothing is buffered."""

    def can_write_eof(self) -> bool:
        """Return False, as a connection over TLS does."""
        return False

    # The other end

    async def _answer(self, upload: Upload) -> None:
        try:
            await self._answer_or_raise(upload)
        except Exception as error:  # noqa: BLE001  the client waits for whatever comes
            self._protocol.set_exception(error)

    async def _answer_or_raise(self, upload: Upload) -> None:
        url = self._req.url
        http = form_request(
            method=upload.method,
            host=url.host,
            path=url.path,
            query=url.raw_query_string,
            headers=upload.headers,
            body=upload.body,
        )
        entry = await self._door.gateway.serve(http)
        self._entry = entry
        pace = Pace(
            entry.progress,
            read_timeout_s=self._sock_read_s or None,
            total_timeout_s=self._total_s or None,
            real_time=self._door.gateway.real_time,
        )
        await self._play(entry, pace)

    async def _play(self, entry: Entry, pace: Pace) -> None:
        response = entry.response
        if not await pace.wait_async(response.before_s):
            self._time_out(pace)
            return
        if response.status != NO_STATUS:
            self._send(frame_head(response))
            for chunk in response.chunks:
                await self._is_paused.wait()
                if chunk.after_s and not await pace.wait_async(chunk.after_s):
                    self._time_out(pace)
                    return
                entry.progress.n_chunks += 1
                self._send(frame_chunk(response, chunk.data))
                await asyncio.sleep(0)
        self._end(entry, pace)

    def _end(self, entry: Entry, pace: Pace) -> None:
        response = entry.response
        if response.ending is Ending.COMPLETE:
            self._send(frame_end(response))
        elif response.ending is Ending.STALLED:
            if pace.would_wait_for_ever:
                self._door.gateway.complain(f"{entry}: {WITHOUT_TIMEOUT}")
            pace.spend(silence_after(response.ending))
            self._time_out(pace)
        else:
            is_reset = response.ending is Ending.RESET
            error = ConnectionResetError(104, "Connection reset by peer") if is_reset else None
            self._is_closing = True
            self._protocol.connection_lost(error)

    def _send(self, data: bytes) -> None:
        if data and not self._is_closing:
            self._protocol.data_received(data)

    def _time_out(self, pace: Pace) -> None:
        """Have the library's own time-out come now, in place of later."""
        if not pace.is_out_of_total:
            self._protocol._on_read_timeout()  # noqa: SLF001  what its own timer would call
            return
        error = TimeoutError()
        body = self._protocol._payload  # noqa: SLF001  as its own time-out does
        self._protocol.set_exception(error)
        if body is not None:
            body.set_exception(error)
