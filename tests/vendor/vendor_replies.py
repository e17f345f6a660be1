"""What the fake vendor says: whole responses, faults by share, and answers for any schema."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

MODEL = "fake-1"

Way = Literal["send", "raw", "hang", "stall", "cut", "reset", "close"]
"""How a response leaves: whole, its body alone, never, half, half and closed, not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One response on the wire, and the word under which it is counted."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    counted: str = "answered"
    way: Way = "send"
    latency_s: float | None = None
    """None waits as long as the vendor always does."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request as it arrived."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        """The request as JSON."""
        body: dict[str, Any] = json.loads(self.raw)
        return body

    @property
    def prompt(self) -> str:
        """The content of the last message."""
        content: str = self.body["messages"][-1]["content"]
        return content


Answering = str | Response | Callable[[Asked], str | Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """Shares of requests that go wrong, and how; which ones follows from seed and request.

    The same request, sent again, is drawn for again: a retry may succeed.
    """

    busy: float = 0.0
    """429 with Retry-After."""
    failing: float = 0.0
    """500."""
    garbled: float = 0.0
    """200 with a body that is no JSON."""
    hanging: float = 0.0
    """No answer, ever."""
    stalled: float = 0.0
    """Headers and half a body, and then nothing."""
    reset: float = 0.0
    retry_after_s: float = 1.0
    seed: int = 0

    def respond(self, name: str) -> Response:
        """Return the response that a fault is."""
        if name == "busy":
            wait = {"Retry-After": f"{self.retry_after_s:g}"}
            return refuse(429, "rate_limit_exceeded", "Slow down.", headers=wait, counted=name)
        if name == "failing":
            return refuse(500, "server_error", "Something broke.", counted=name)
        if name == "garbled":
            return Response(body=b'{"choices": [{"mess\xff', counted=name)
        if name == "reset":
            return Response(counted=name, way="reset")
        if name == "stalled":
            return Response(body=complete("never whole"), counted=name, way="stall")
        return Response(counted=name, way="hang")


class Draw:
    """Chooses the fault of each request; the same one, sent again, is drawn for again."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        names = [one.name for one in fields(faults) if one.name not in {"retry_after_s", "seed"}]
        shares = [(name, float(getattr(faults, name))) for name in names]
        self._shares = [(name, share) for name, share in shares if share > 0]
        self._seen: Counter[bytes] = Counter()

    def choose(self, raw: bytes) -> Response | None:
        """Return the fault of this request, or None for a request that is answered."""
        if not self._shares:
            return None
        key = hashlib.blake2b(raw, digest_size=12).digest()
        again = self._seen[key]
        self._seen[key] += 1
        text = f"{self._faults.seed}:{again}:".encode() + key
        drawn = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) / 2**64
        for name, share in self._shares:
            if drawn < share:
                return self._faults.respond(name)
            drawn -= share
        return None


def complete(
    text: str | None,
    *,
    finish: str | None = "stop",
    n_read: int = 12,
    n_written: int | None = None,
    usage: Mapping[str, Any] | None = None,
    **message: Any,
) -> bytes:
    """Return the body of a chat completion with this text; `message` adds to its message."""
    written = (1 + len(text or "") // 4) if n_written is None else n_written
    counted = {
        "prompt_tokens": n_read,
        "completion_tokens": written,
        "total_tokens": n_read + written,
    }
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish,
            }
        ],
        "usage": counted | dict(usage or {}),
    }
    return json.dumps(body).encode()


def refuse(
    status: int,
    code: str | int | None,
    message: str,
    *,
    headers: Mapping[str, str] | None = None,
    counted: str = "refused",
    **more: Any,
) -> Response:
    """Return an error as vendors write it."""
    error = {"message": message, "type": "error", "param": None, "code": code, **more}
    return Response(
        status=status,
        body=json.dumps({"error": error}).encode(),
        headers=headers or {},
        counted=counted,
    )


def make_up(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> Any:
    """Return the plainest value that a JSON schema of pydantic's allows."""
    root = schema if root is None else root
    if "$ref" in schema:
        return make_up(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    for choice in {"anyOf", "oneOf"} & {*schema}:
        return make_up(schema[choice][0], root)
    kind = schema.get("type", "string")
    if kind == "object":
        return {name: make_up(one, root) for name, one in schema.get("properties", {}).items()}
    if kind == "array":
        return [make_up(schema["items"], root)] * schema.get("minItems", 1)
    return {"integer": 1, "number": 1.5, "boolean": True, "null": None}.get(kind, "hello")


def answer_anything(asked: Asked) -> str:
    """Answer with JSON of the schema that was asked for, or else with the last message."""
    wanted = asked.body.get("response_format")
    if wanted is None:
        return f"You said: {asked.prompt}"
    return json.dumps(make_up(wanted["json_schema"]["schema"]))
