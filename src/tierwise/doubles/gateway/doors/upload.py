"""Reads one request from the bytes of HTTP/1.1 that a client writes, in pieces of any size."""

from __future__ import annotations

from dataclasses import dataclass

_HEAD_ENDS = b"\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A whole request: names of headers in lower case, the body put together."""

    method: str
    headers: dict[str, str]
    body: bytes


class UploadReader:
    """Puts a request together; the client is a library's, so its bytes are well formed."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._body = bytearray()
        self._method = ""
        self._headers: dict[str, str] | None = None

    @property
    def awaits_consent(self) -> bool:
        """True when the head has come and the client asks whether to send the body."""
        return (self._headers or {}).get("expect", "").lower() == "100-continue"

    def feed(self, data: bytes) -> Upload | None:
        """Take more bytes; return the request when it is whole."""
        self._buffer += data
        if self._headers is None and not self._read_head():
            return None
        headers = self._headers or {}
        is_chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        if is_chunked:
            is_whole = self._read_chunks()
        else:
            self._body, self._buffer = self._body + self._buffer, bytearray()
            is_whole = len(self._body) >= int(headers.get("content-length", "0"))
        if not is_whole:
            return None
        return Upload(method=self._method, headers=headers, body=bytes(self._body))

    def _read_head(self) -> bool:
        end = self._buffer.find(_HEAD_ENDS)
        if end < 0:
            return False
        first, *lines = self._buffer[:end].decode("utf-8", "surrogateescape").split("\r\n")
        self._method = first.split(" ", 1)[0]
        pairs = (line.partition(":") for line in lines)
        self._headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        del self._buffer[: end + len(_HEAD_ENDS)]
        return True

    def _read_chunks(self) -> bool:
        """Take the chunks that are whole; True after the last one, which is empty."""
        while (end := self._buffer.find(b"\r\n")) >= 0:
            size = int(self._buffer[:end].split(b";")[0], 16)
            begin = end + 2
            if len(self._buffer) < begin + size + 2:
                return False
            self._body += self._buffer[begin : begin + size]
            del self._buffer[: begin + size + 2]
            if size == 0:
                return True
        return False
