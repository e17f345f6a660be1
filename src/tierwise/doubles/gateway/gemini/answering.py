"""What the model says, as Gemini writes it: candidates, parts, tokens."""

from __future__ import annotations

import base64
import hashlib
import math
import random
from typing import TYPE_CHECKING, Any

from tierwise.domain import Usage
from tierwise.doubles.gateway.gemini.models import KNOWN
from tierwise.doubles.gateway.saying import Say, Stop
from tierwise.providers import count_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.domain import ToolCall
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.vendor import Moment

Json = dict[str, Any]
TOKENS_OF_MEDIA = 258
"""What Gemini counts for a small picture; here for whatever is no text."""

_REASONS = {
    Stop.END: "STOP",
    Stop.TOOL: "STOP",
    Stop.SEQUENCE: "STOP",
    Stop.LENGTH: "MAX_TOKENS",
    Stop.REFUSED: "SAFETY",
    Stop.FILTERED: "SAFETY",
    Stop.PAUSED: "CONTINUATION",
}
_RATING = {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True}


def is_blocked(say: Say) -> bool:
    """Tell whether the prompt was filtered, so that there is no candidate at all."""
    return say.why_stopped is Stop.FILTERED and not say.text and not say.tool_calls


def form_answer(asked: Asked, says: Sequence[Say], moment: Moment) -> Json:
    """Return the whole body of generateContent."""
    answer = form_frame(asked, moment)
    if is_blocked(says[0]):
        answer |= form_block(says[0])
    else:
        answer["candidates"] = [
            form_candidate(asked, say, index, moment) for index, say in enumerate(says)
        ]
    answer["usageMetadata"] = form_usage(asked, says)
    return answer | dict(says[0].extra)


def form_frame(asked: Asked, moment: Moment) -> Json:
    """Return what all bodies of one response share."""
    return {"modelVersion": asked.model, "responseId": f"gateway-{moment.number:015d}"}


def form_block(say: Say) -> Json:
    """Return what stands in place of candidates where the prompt is blocked."""
    feedback: Json = {"blockReason": "SAFETY", "safetyRatings": [_RATING]}
    if say.refusal:
        feedback["blockReasonMessage"] = say.refusal
    return {"promptFeedback": feedback}


def form_candidate(asked: Asked, say: Say, index: int, moment: Moment) -> Json:
    """Return one candidate as a whole."""
    parts = form_parts(asked, say, index, moment)
    return {"content": form_content(parts), **form_end(say), "index": index}


def form_content(parts: list[Json]) -> Json:
    """Return a content of the model's; one without parts says so by leaving them out."""
    return {"parts": parts, "role": "model"} if parts else {"role": "model"}


def form_end(say: Say) -> Json:
    """Return why a candidate ended."""
    end: Json = {"finishReason": _REASONS[say.why_stopped]}
    if end["finishReason"] == "SAFETY":
        end["safetyRatings"] = [_RATING]
    if say.refusal:
        end["finishMessage"] = say.refusal
    if say.why_stopped is Stop.PAUSED:
        end["continuationToken"] = _sign("continue")
    return end


def form_parts(asked: Asked, say: Say, index: int, moment: Moment) -> list[Json]:
    """Return what a candidate says, part by part: thoughts first, calls last."""
    parts = form_thoughts(asked, say)
    if say.text or not (say.tool_calls or say.why_stopped is not Stop.END):
        parts.append({"text": say.text})
    calls = form_calls(say.tool_calls, index, moment)
    if calls and may_sign(asked, say):
        calls[0]["thoughtSignature"] = _sign(f"{moment.number}.{index}")
    return parts + calls


def form_thoughts(asked: Asked, say: Say) -> list[Json]:
    """Return the thoughts, which are shown only to a client that asked for them."""
    shown = say.thinking and wants_thoughts(asked.body)
    return [{"text": say.thinking, "thought": True}] if shown else []


def form_calls(calls: Sequence[ToolCall], index: int, moment: Moment) -> list[Json]:
    """Return the calls of functions, each with an id of its own."""
    return [
        {
            "functionCall": {
                "name": call.name,
                "args": dict(call.arguments),
                "id": call.id or f"call-{moment.number}-{index}-{number}",
            }
        }
        for number, call in enumerate(calls)
    ]


def may_sign(asked: Asked, say: Say) -> bool:
    """Tell whether the model signs its calls: it thought, or it is one that always does."""
    facts = KNOWN.get(asked.model)
    return bool(say.thinking) or (facts is not None and facts.signs_calls)


def _sign(text: str) -> str:
    return base64.b64encode(f"signature {text}".encode()).decode()


def wants_thoughts(body: Mapping[str, Any]) -> bool:
    """Tell whether a body, in either spelling, asks to be shown the thoughts."""
    settings = body.get("generationConfig") or body.get("generation_config") or {}
    config = settings.get("thinkingConfig") or settings.get("thinking_config") or {}
    return bool(config.get("includeThoughts") or config.get("include_thoughts"))


def count_usage(asked: Asked, says: Sequence[Say]) -> Usage:
    """Return the tokens: those that were said, or else counted of what was asked and said."""
    told = [say.usage for say in says if say.usage is not None]
    if told:
        return told[0]
    thought = sum(count_tokens(say.thinking) for say in says)
    said = sum(count_tokens(say.text) + sum(map(_count_call, say.tool_calls)) for say in says)
    return Usage(
        input_tokens=count_prompt(asked), output_tokens=said + thought, reasoning_tokens=thought
    )


def _count_call(call: ToolCall) -> int:
    return count_tokens(f"{call.name} {dict(call.arguments)}")


def count_prompt(asked: Asked) -> int:
    """Return the tokens of what was sent, tools included."""
    text = sum(count_tokens(turn.text) for turn in asked.turns)
    tools = sum(count_tokens(f"{tool.name} {tool.description}") for tool in asked.tools)
    return text + tools + _count_media(asked)


def _count_media(asked: Asked) -> int:
    return TOKENS_OF_MEDIA * sum(len(turn.media) for turn in asked.turns)


def form_usage(asked: Asked, says: Sequence[Say]) -> Json:
    """Return the tokens in Gemini's words; thought ones are no part of those of candidates."""
    usage = count_usage(asked, says)
    counts = {
        "promptTokenCount": usage.input_tokens,
        "candidatesTokenCount": usage.output_tokens - usage.reasoning_tokens,
        "totalTokenCount": usage.total_tokens,
        "thoughtsTokenCount": usage.reasoning_tokens,
        "cachedContentTokenCount": usage.cached_input_tokens,
    }
    # Protocol buffers leave zeros out; clients have to live with that.
    told: Json = {name: count for name, count in counts.items() if count}
    told["promptTokensDetails"] = form_details(asked, usage.input_tokens)
    return told


def form_details(asked: Asked, total: int) -> list[Json]:
    """Return the tokens of the prompt by kind."""
    media = min(total, _count_media(asked))
    details = [{"modality": "TEXT", "tokenCount": total - media}]
    if media:
        details.append({"modality": "IMAGE", "tokenCount": media})
    return details


def form_embedding(text: str, dimensions: int, given: Sequence[float] | None) -> Json:
    """Return an embedding: the given one, or one of length 1 that is the same for equal texts."""
    if given is not None:
        return {"values": list(given)}
    seed = hashlib.sha256(text.encode(errors="replace")).digest()
    chance = random.Random(seed)  # noqa: S311  to be repeated, not to be secret
    values = [chance.random() - 0.5 for _ in range(dimensions)]
    length = math.sqrt(sum(value * value for value in values)) or 1.0
    return {"values": [round(value / length, 8) for value in values]}
