"""A message as the events of a stream, one chunk for each."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_WORD = re.compile(r"\S+\s*|\s+")
_PIECE = 12
"""So many characters of a tool's arguments are sent at once."""
# Made once: `json.dumps` makes an encoder anew for each piece of a stream.
dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_PING = b'event: ping\ndata: {"type":"ping"}\n\n'
_FILLED_LATER: Mapping[str, Mapping[str, Any]] = {
    "text": {"text": ""},
    "thinking": {"thinking": "", "signature": ""},
    "tool_use": {"input": {}},
    "server_tool_use": {"input": {}},
}


def form_event(name: str, data: Mapping[str, Any]) -> bytes:
    """Return one server-sent event."""
    return f"event: {name}\ndata: {dump({'type': name, **data})}\n\n".encode()


def form_events(message: Mapping[str, Any], pieces: Sequence[str]) -> Iterator[bytes]:
    """Yield the events of a stream in which the message arrives."""
    usage = message["usage"]
    begun = {
        **message,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**usage, "output_tokens": min(1, usage["output_tokens"])},
    }
    begun.pop("stop_details", None)
    begun["usage"].pop("output_tokens_details", None)
    yield form_event("message_start", {"message": begun})
    if not message["content"]:
        yield _PING
    for index, block in enumerate(message["content"]):
        yield _start(index, block)
        if index == 0:
            yield _PING
        for delta in _cut(block, pieces):
            yield _delta(index, delta)
        yield form_event("content_block_stop", {"index": index})
    yield _end(message)
    yield form_event("message_stop", {})


def _start(index: int, block: Mapping[str, Any]) -> bytes:
    empty = {**block, **_FILLED_LATER.get(block["type"], {})}
    return form_event("content_block_start", {"index": index, "content_block": empty})


def _delta(index: int, delta: str) -> bytes:
    return (
        'event: content_block_delta\ndata: {"type":"content_block_delta",'
        f'"index":{index},"delta":{{{delta}}}}}\n\n'
    ).encode()


def _cut(block: Mapping[str, Any], pieces: Sequence[str]) -> Iterator[str]:
    """Yield the inside of each delta of a block; blocks of other types come whole at the start."""
    match block["type"]:
        case "text":
            fits = pieces and "".join(pieces) == block["text"]
            for piece in pieces if fits else _WORD.findall(block["text"]):
                yield f'"type":"text_delta","text":{dump(piece)}'
        case "thinking":
            for piece in _WORD.findall(block["thinking"]):
                yield f'"type":"thinking_delta","thinking":{dump(piece)}'
            yield f'"type":"signature_delta","signature":{dump(block["signature"])}'
        case "tool_use" | "server_tool_use":
            yield '"type":"input_json_delta","partial_json":""'
            written = dump(block["input"])
            for start in range(0, len(written), _PIECE):
                piece = dump(written[start : start + _PIECE])
                yield f'"type":"input_json_delta","partial_json":{piece}'


def _end(message: Mapping[str, Any]) -> bytes:
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": message["stop_sequence"]}
    if "stop_details" in message:
        delta["stop_details"] = message["stop_details"]
    usage = {
        name: message["usage"][name]
        for name in (
            "input_tokens",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
            "output_tokens",
            "output_tokens_details",
        )
        if name in message["usage"]
    }
    return form_event("message_delta", {"delta": delta, "usage": usage})
