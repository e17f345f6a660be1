"""The local engine's words: a request as its payload, its chunks as a reply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import Usage
from tierwise.providers.checking import parse_reply
from tierwise.providers.http.message import form_message
from tierwise.providers.protocol import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.providers.protocol import Request, T

_SEEDS = 2**32 - 1
"""The engine's seeds are below this; the number itself means a random one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the engine is run; equal settings can share one engine."""

    path: str
    slots: int
    n_ctx: int
    """Tokens of prompt and reply together, for each slot."""
    threads: int
    reuse_prompts: bool


def form_payload(
    request: Request[Any], *, max_tokens: int, grammar: str | None, reuse_prompts: bool
) -> dict[str, Any]:
    """Return the engine's payload for a request; what the request leaves out is left out."""
    payload: dict[str, Any] = {
        "messages": [form_message(message) for message in request.messages],
        "max_tokens": request.max_tokens or max_tokens,
        "cache_prompt": reuse_prompts,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if grammar is not None:
        payload["grammar"] = grammar
    if request.temperature is not None:
        payload["temperature"] = request.temperature
    if request.seed is not None:
        payload["seed"] = request.seed % _SEEDS
    return payload


def form_grammar_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pydantic JSON schema as the engine's grammar needs it.

    Objects are closed unless they say otherwise, blanks between tokens are not allowed (a small
    model gets lost in them), and what the grammar does not know is left to the check afterwards.
    """
    closed = _close(dict(schema))
    assert isinstance(closed, dict)  # noqa: S101  a mapping stays one
    return {**closed, "x-guidance": {"whitespace_flexible": False, "lenient": True}}


def _close(value: Any) -> Any:  # noqa: ANN401  JSON
    if isinstance(value, list):
        return [_close(one) for one in value]
    if not isinstance(value, dict):
        return value
    closed = {name: _close(inner) for name, inner in value.items()}
    pattern = closed.get("pattern")
    if isinstance(pattern, str) and "(?" in pattern.replace("(?:", ""):
        # Look-around is no regular language; the grammar would be refused as a whole.
        del closed["pattern"]
    if isinstance(value.get("properties"), dict) and value.get("type") == "object":
        closed.setdefault("additionalProperties", False)
    return closed


def read_chunks(
    chunks: Iterable[Mapping[str, Any]], request: Request[T], *, model: str
) -> Answer[T] | Failure:
    """Return the reply that the engine's stream of chunks is."""
    text, finish, usage = "", None, Usage()
    for chunk in chunks:
        if "error" in chunk:
            return read_error(chunk["error"], model=model)
        for choice in chunk.get("choices", ()):
            text += choice["delta"].get("content") or ""
            finish = choice["finish_reason"] or finish
        if "usage" in chunk:
            usage = Usage(
                input_tokens=chunk["usage"]["prompt_tokens"],
                output_tokens=chunk["usage"]["completion_tokens"],
            )
    if finish is None:
        return Failure(
            kind=FailureKind.UNAVAILABLE,
            message="The engine ended the reply without saying why.",
            text=text,
            usage=usage,
            model=model,
        )
    return replace(_judge(text, finish, request), usage=usage, model=model)


def _judge(text: str, finish: str, request: Request[T]) -> Answer[T] | Failure:
    if finish == "length":
        return Failure(
            kind=FailureKind.CUT_OFF,
            message="The reply was cut off: max_tokens or the context was used up.",
            text=text,
        )
    if request.schema is None:
        return Answer(text=text)
    parsed = parse_reply(text, request.schema)
    if not isinstance(parsed, Failure):
        return Answer(text=text, data=parsed)
    if parsed.kind is FailureKind.MALFORMED:
        # A grammar lets no such text through, so there was none: not the model's doing.
        return Failure(
            kind=FailureKind.BAD_REQUEST,
            message=f"The engine could not enforce the schema {request.schema.__name__}; "
            "simplify it, or ask for plain text.",
            text=text,
        )
    return parsed


def read_error(error: Mapping[str, Any], *, model: str) -> Failure:
    """Return the failure that an error object of the engine is."""
    code, message = error.get("code"), str(error.get("message", "no reason given"))
    if error.get("type") == "exceed_context_size_error":
        message = (
            f"The prompt has {error.get('n_prompt_tokens')} tokens and a slot holds "
            f"{error.get('n_ctx')}; shorten the prompt, or give LocalProvider a larger n_ctx."
        )
        return Failure(kind=FailureKind.BAD_REQUEST, message=message, model=model)
    kind = FailureKind.BAD_REQUEST if code == _BAD_REQUEST else FailureKind.UNAVAILABLE
    return Failure(kind=kind, message=f"The engine said: {message}", model=model)


_BAD_REQUEST = 400
