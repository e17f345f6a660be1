"""What the model says in pieces: server-sent events, or the elements of one JSON array."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.answering import (
    form_block,
    form_content,
    form_end,
    form_frame,
    form_parts,
    form_usage,
    is_blocked,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Moment

Json = dict[str, Any]
_LINE_ENDS = {ord(one): f"\\u{ord(one):04x}" for one in "\u0085\u2028\u2029"}
_WORD = re.compile(r"\s*\S+\s*")


def is_event_stream(asked: Asked) -> bool:
    """Tell whether a client asked for events; without that a stream is one JSON array."""
    return asked.http.query.get("alt") == "sse"


def form_stream(asked: Asked, says: Sequence[Say], moment: Moment) -> list[bytes]:
    """Return the body of streamGenerateContent, one item for each response in it."""
    found = list(_form_responses(asked, says, moment))
    if is_event_stream(asked):
        return [b"data: %s\r\n\r\n" % one for one in found]
    last = len(found) - 1
    return [
        b"%s%s%s" % (b"[" if not i else b",\r\n", one, b"\n]" if i == last else b"")
        for i, one in enumerate(found)
    ]


def form_error_event(asked: Asked, error: Json) -> bytes:
    """Return an error where a response would stand."""
    body = _write(error).encode()
    return b"data: %s\r\n\r\n" % body if is_event_stream(asked) else b",\r\n%s\n]" % body


def _form_responses(asked: Asked, says: Sequence[Say], moment: Moment) -> Iterator[bytes]:
    frame = form_frame(asked, moment)
    usage = form_usage(asked, says)
    # Until the end only the prompt is counted; most of a response is the same each time.
    counted = ("promptTokenCount", "promptTokensDetails")
    early: Json = {name: usage[name] for name in counted if name in usage}
    early["totalTokenCount"] = usage.get("promptTokenCount", 0)
    tail = f',"usageMetadata":{_write(early)},{_write(frame)[1:]}'
    last: Json = {"usageMetadata": usage, **frame, **says[0].extra}
    if is_blocked(says[0]):
        yield _write({**form_block(says[0]), **last}).encode(errors="replace")
        return
    for index, say in enumerate(says):
        *before, final = _cut(form_parts(asked, say, index, moment), say) or [""]
        end = f'"role":"model"}},"index":{index}}}]'
        for part in before:
            yield f'{{"candidates":[{{"content":{{"parts":[{part}],{end}{tail}'.encode(
                errors="replace"
            )
        closing = form_content([json.loads(final)] if final else [])
        candidate = {"content": closing, **form_end(say), "index": index}
        rest = last if index == len(says) - 1 else {"usageMetadata": early, **frame}
        yield _write({"candidates": [candidate], **rest}).encode(errors="replace")


def _cut(parts: Sequence[Json], say: Say) -> list[str]:
    """Return the parts as JSON, each text of them in pieces."""
    pieces: list[str] = []
    for part in parts:
        if part.get("thought"):
            pieces += (f'{{"text":{_write(one)},"thought":true}}' for one in _words(part["text"]))
        elif "text" in part:
            own = say.pieces or _words(part["text"])
            pieces += (f'{{"text":{_write(one)}}}' for one in own or [""])
        else:
            pieces.append(_write(part))
    return pieces


def _words(text: str) -> list[str]:
    return _WORD.findall(text) or ([text] if text else [])


def _write(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Clients that cut lines as `str.splitlines` does, google-genai 2 among them, would cut here.
    return text if text.isascii() else text.translate(_LINE_ENDS)
