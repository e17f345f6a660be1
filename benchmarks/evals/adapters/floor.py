"""The floor: bytes over raw sockets, the least that any engine in Python has to do."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

from work import EXPECTED, MODEL, Work, asked_for, report

_HEAD_END = b"\r\n\r\n"


class Client(asyncio.BufferedProtocol):
    """One connection that has one request out at a time."""

    def __init__(self, host: str, path: str) -> None:
        self._head = (
            f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
            "content-length: "
        )
        self._buffer = bytearray(65_536)
        self._received = b""
        self._answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport to write to."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  a stream
        self.transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the same buffer for each read."""
        del sizehint
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Hand on the body once all of it is here."""
        self._received += self._buffer[:nbytes]
        head, _, body = self._received.partition(_HEAD_END)
        length = int(head.rpartition(b"content-length: ")[2].partition(b"\r\n")[0] or -1)
        if length == len(body) and self._answer is not None:
            self._received = b""
            self._answer.set_result(body)

    async def ask(self, text: str) -> str:
        """Ask for one completion."""
        body = json.dumps({"model": MODEL, "messages": [{"role": "user", "content": text}]})
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(f"{self._head}{len(body)}\r\n\r\n{body}".encode())
        reply: dict[str, Any] = json.loads(await self._answer)
        content: str = reply["choices"][0]["message"]["content"]
        return content


async def main(work: Work) -> None:
    """Share the prompts out over one connection for each that may be out at once."""
    parts = urlsplit(work.url)
    host, port = parts.hostname or "", parts.port or 80
    loop = asyncio.get_running_loop()
    texts = work.texts()

    async def worker() -> int:
        _, client = await loop.create_connection(
            lambda: Client(parts.netloc, f"{parts.path}/chat/completions"),
            host,
            port,
        )
        right = 0
        for text in texts:
            right += await client.ask(text) == EXPECTED
        client.transport.close()
        return right

    counts = await asyncio.gather(*(worker() for _ in range(work.concurrency)))
    report(right=sum(counts), of=work)


if __name__ == "__main__":
    asyncio.run(main(asked_for()))
