"""The bare server: the same event loop and parser, and a constant answer. Prints its port."""

from __future__ import annotations

import asyncio
import json

import httptools

WORDS = " ".join(["word"] * 48)
_USAGE = {"prompt_tokens": 7, "completion_tokens": 48, "total_tokens": 55}
_BASE = {"id": "chatcmpl-0", "created": 1_767_225_601, "model": "gpt-5"}
_CHOICE = {"index": 0, "message": {"role": "assistant", "content": WORDS}, "finish_reason": "stop"}


def write_plain() -> bytes:
    """Return a completion, head and body."""
    told = {**_BASE, "object": "chat.completion", "choices": [_CHOICE], "usage": _USAGE}
    body = json.dumps(told).encode()
    head = (
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def write_stream() -> bytes:
    """Return a stream of 50 events and the last one, chunk by chunk."""
    deltas = [{"role": "assistant", "content": ""}, *[{"content": "word "}] * 48, {}]
    events = [
        json.dumps(
            {
                **_BASE,
                "object": "chat.completion.chunk",
                "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
            }
        )
        for delta in deltas
    ]
    chunks = [f"data: {event}\n\n".encode() for event in [*events, "[DONE]"]]
    head = (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    return head + b"".join(b"%x\r\n%b\r\n" % (len(c), c) for c in chunks) + b"0\r\n\r\n"


PLAIN, STREAM = write_plain(), write_stream()


class Bare(asyncio.Protocol):
    """Parses a request as the gateway's server does, and answers without a look at it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = transport
        self.parser = httptools.HttpRequestParser(self)

    def data_received(self, data: bytes) -> None:
        """Parse."""
        self.parser.feed_data(data)

    def on_message_begin(self) -> None:
        """Begin another request."""
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, as any server has to."""
        self.headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        """Take the body."""
        self.body += body

    def on_message_complete(self) -> None:
        """Answer in one write."""
        is_stream = b'"stream": true' in self.body
        self.transport.write(STREAM if is_stream else PLAIN)  # type: ignore[attr-defined]


async def main() -> None:
    """Serve on a port of loopback until killed."""
    server = await asyncio.get_running_loop().create_server(Bare, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
