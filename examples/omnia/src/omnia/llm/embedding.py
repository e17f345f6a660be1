"""Texts as vectors: the protocol, and a deterministic stand-in that needs no model."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.providers import Failure

Embedding = tuple[float, ...]
DIMENSIONS: Final = 768


class Embedder(Protocol):
    """Something that turns a text into a vector."""

    async def embed(self, text: str) -> Embedding | Failure:
        """Return the text's vector, or why there is none."""
        ...


class WordEmbedder:
    """Counts words into 768 buckets: the same text always gives the same vector."""

    async def embed(self, text: str) -> Embedding:
        """Return the vector; an empty text has all zeros."""
        vector = [0.0] * DIMENSIONS
        for word in text.casefold().split():
            bucket = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
            vector[bucket % DIMENSIONS] += 1.0
        return tuple(vector)


def cosine(one: Sequence[float] | None, other: Sequence[float] | None) -> float:
    """Return the likeness of two vectors; 0 when one is absent, zero or of another length."""
    if not one or not other or len(one) != len(other):
        return 0.0
    length = math.sqrt(math.fsum(x * x for x in one)) * math.sqrt(math.fsum(y * y for y in other))
    if length == 0.0:
        return 0.0
    return math.fsum(x * y for x, y in zip(one, other, strict=True)) / length
