"""A model that costs nothing: one constant chat completion, after a latency.

Run: python benchmarks/evals/server.py [--latency 0.05]

Prints {"port": N} when it listens, serves until its standard input is closed, then prints what it
counted: requests, the most that were in flight, and when the first came and the last was answered
(time.monotonic, which all processes of a machine share).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass

ANSWER = "The answer is 42."
_COMPLETION = {
    "id": "chatcmpl-benchmark",
    "object": "chat.completion",
    "created": 1_700_000_000,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": ANSWER, "refusal": None},
            "logprobs": None,
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 12, "completion_tokens": 6, "total_tokens": 18},
}
_HEAD_END = b"\r\n\r\n"


def http_reply(status: str, body: object) -> bytes:
    """Return a whole HTTP reply: joined once, written once."""
    text = json.dumps(body).encode()
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(text)}"
    return head.encode() + _HEAD_END + text


COMPLETION = http_reply("200 OK", _COMPLETION)
UNKNOWN = http_reply("404 Not Found", {"error": {"message": "only POST .../chat/completions"}})
NO_LENGTH = http_reply("411 Length Required", {"error": {"message": "send content-length"}})


@dataclass(slots=True, kw_only=True)
class Count:
    """What the server saw; `odd` counts requests that were no chat completion."""

    requests: int = 0
    odd: int = 0
    max_in_flight: int = 0
    first_s: float = 0.0
    last_s: float = 0.0
    in_flight: int = 0


class Connection(asyncio.BufferedProtocol):
    """One client's connection: finds the requests in what comes, answers each."""

    def __init__(self, count: Count, latency_s: float) -> None:
        self._count = count
        self._latency_s = latency_s
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray(65_536)
        self._pending = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport to write to."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  a server of streams
        self._transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the same buffer for each read; a new one each time costs more than the reply."""
        del sizehint
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take each whole request from the bytes so far."""
        self._pending += self._buffer[:nbytes]
        while (request := self._take()) is not None:
            self._accept(request)

    def _take(self) -> bytes | None:
        """Return the head of the next whole request, or None until all of it is here."""
        end = self._pending.find(_HEAD_END)
        if end < 0:
            return None
        head = self._pending[:end]
        length = content_length(head)
        if length is None:
            self._transport.write(NO_LENGTH)
            self._transport.close()
            self._pending = b""
            return None
        size = end + len(_HEAD_END) + length
        if len(self._pending) < size:
            return None
        self._pending = self._pending[size:]
        return head

    def _accept(self, head: bytes) -> None:
        count = self._count
        if not is_completion(head):
            count.odd += 1
            self._transport.write(UNKNOWN)
            return
        count.requests += 1
        count.in_flight += 1
        count.max_in_flight = max(count.max_in_flight, count.in_flight)
        count.first_s = count.first_s or time.monotonic()
        if self._latency_s > 0:
            self._loop.call_later(self._latency_s, self._answer)
        else:
            self._answer()

    def _answer(self) -> None:
        self._count.in_flight -= 1
        self._count.last_s = time.monotonic()
        if not self._transport.is_closing():
            self._transport.write(COMPLETION)


def is_completion(head: bytes) -> bool:
    """Say whether a request asks for a chat completion."""
    line = head.partition(b"\r\n")[0]
    return line.startswith(b"POST ") and b"/chat/completions " in line


def content_length(head: bytes) -> int | None:
    """Return the length of the body; a GET has none, a POST that does not say is None."""
    lowered = head.lower()
    at = lowered.find(b"\r\ncontent-length:")
    if at < 0:
        return None if head.startswith(b"POST ") else 0
    return int(lowered[at + 17 :].partition(b"\r\n")[0])


async def serve(latency_s: float) -> Count:
    """Serve until standard input is closed; return what was counted."""
    loop = asyncio.get_running_loop()
    count = Count()
    server = await loop.create_server(lambda: Connection(count, latency_s), "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await loop.run_in_executor(None, sys.stdin.buffer.read)
    server.close()
    return count


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--latency", type=float, default=0.05, metavar="SECONDS")
    print(json.dumps(asdict(asyncio.run(serve(parser.parse_args().latency)))))


if __name__ == "__main__":
    main()
