"""Embeddings: those of the scenario, or ones that are made of the text and always the same."""

from __future__ import annotations

import base64
import hashlib
import math
import sys
from array import array
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.asked import Asked, Endpoint
from tierwise.doubles.gateway.openai import encoding
from tierwise.doubles.gateway.openai.embedding_rules import list_inputs
from tierwise.doubles.gateway.openai.known_models import DIMENSIONS
from tierwise.providers import count_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Moment
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse

_USUAL = 1536
_HALF = 2**15


def read_embeddings(body: Mapping[str, Any], http: HttpRequest) -> Asked:
    """Return what a body that was found valid asks for; tokens stand for their numbers."""
    texts = (one if isinstance(one, str) else " ".join(map(str, one)) for one in list_inputs(body))
    return Asked(
        vendor="openai",
        endpoint=Endpoint.EMBED,
        model=body["model"],
        http=http,
        texts=tuple(texts),
        dimensions=body.get("dimensions"),
        body=body,
    )


def say_embeddings(asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
    """Return the vectors, as numbers or as base64."""
    told = [vector for say in says for vector in say.embeddings]
    size = asked.dimensions or DIMENSIONS.get(asked.model, _USUAL)
    data = []
    for index, text in enumerate(asked.texts):
        vector = told[index % len(told)] if told else make_up_vector(text, size)
        written = _write(vector, is_base64=asked.body.get("encoding_format") == "base64")
        data.append({"object": "embedding", "index": index, "embedding": written})
    body = {
        "object": "list",
        "data": data,
        "model": asked.model,
        "usage": _form_usage(asked, says),
    }
    extra = {name: value for say in says for name, value in say.extra.items()}
    return encoding.respond(body | extra, moment, says=says)


def make_up_vector(text: str, size: int) -> Sequence[float]:
    """Return a vector of length 1 that a text always gets, and no other text."""
    numbers = array("h", hashlib.shake_128(text.encode("utf-8", "replace")).digest(2 * size))
    if sys.byteorder == "big":
        numbers.byteswap()
    length = math.sqrt(sum(number * number for number in numbers)) or _HALF
    return [number / length for number in numbers]


def _write(vector: Sequence[float], *, is_base64: bool) -> str | list[float]:
    # Both ways say the same: what 32 bits hold.
    floats = array("f", vector)
    if not is_base64:
        return floats.tolist()
    if sys.byteorder == "big":
        floats.byteswap()
    return base64.b64encode(floats.tobytes()).decode()


def _form_usage(asked: Asked, says: tuple[Say, ...]) -> dict[str, int]:
    told = [say.usage.input_tokens for say in says if say.usage is not None]
    count = told[0] if told else sum(map(count_tokens, asked.texts))
    return {"prompt_tokens": count, "total_tokens": count}
