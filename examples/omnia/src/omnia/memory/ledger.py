"""What somebody remembers for good, and which of it comes to mind."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from omnia.llm import cosine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from omnia.llm import Embedding

UNFORGETTABLE: Final = 8
"""From this importance on, a memory comes to mind anywhere and with anybody."""

IMPORTANCE_SCALE: Final = 10
FADE_PER_HOUR: Final = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A lasting memory; `moment` is when it happened, not when it was written down."""

    id: str
    owner_id: str
    moment: datetime
    location_id: str | None
    content: str
    importance: int
    involved: frozenset[str] = frozenset()
    quotes: tuple[str, ...] = ()
    embedding: Embedding | None = None

    def __post_init__(self) -> None:
        """Refuse an importance outside 1 to 10."""
        if not 1 <= self.importance <= IMPORTANCE_SCALE:
            raise ValueError(f"importance is 1 to {IMPORTANCE_SCALE}; got {self.importance}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Who wants to remember, where, with whom, when, and thinking of what."""

    owner_id: str
    now: datetime
    location_id: str | None = None
    involved: frozenset[str] = frozenset()
    embedding: Embedding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much recency, importance and likeness count."""

    recency: float = 1.0
    importance: float = 1.0
    likeness: float = 1.0


DEFAULT_WEIGHTS: Final = Weights()


def find_relevant(
    memories: Iterable[Memory], situation: Situation, *, limit: int | None = 20
) -> list[Memory]:
    """Return the owner's memories that touch the situation, newest first."""
    touching = [memory for memory in memories if _touches(memory, situation)]
    newest_first = sorted(touching, key=lambda memory: (memory.moment, memory.id), reverse=True)
    return newest_first[:limit]


def _touches(memory: Memory, situation: Situation) -> bool:
    if memory.owner_id != situation.owner_id:
        return False
    same_place = situation.location_id is not None and memory.location_id == situation.location_id
    return (
        memory.importance >= UNFORGETTABLE
        or same_place
        or not memory.involved.isdisjoint(situation.involved)
    )


def score(memory: Memory, situation: Situation, weights: Weights = DEFAULT_WEIGHTS) -> float:
    """Return how strongly a memory comes to mind. A future moment counts as now."""
    hours = max((situation.now - memory.moment) / timedelta(hours=1), 0.0)
    likeness = cosine(memory.embedding, situation.embedding)
    return (
        weights.recency * math.pow(FADE_PER_HOUR, hours)
        + weights.importance * memory.importance / IMPORTANCE_SCALE
        + weights.likeness * likeness
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """How much comes to mind, and whether what lay just before and after comes with it."""

    limit: int = 5
    with_neighbours: bool = False
    weights: Weights = field(default_factory=Weights)


def recall(
    memories: Sequence[Memory], situation: Situation, how: Recall | None = None
) -> list[Memory]:
    """Return what comes to mind, oldest first.

    Every relevant memory competes, however many newer ones there are: an old one of great
    importance is never out of reach. Neighbours come on top of the limit.
    """
    how = how or Recall()
    competing = find_relevant(memories, situation, limit=None)
    competing.sort(key=lambda memory: (-score(memory, situation, how.weights), memory.id))
    chosen = competing[: how.limit]
    if how.with_neighbours:
        chosen = _add_neighbours(memories, chosen)
    return _chronological(chosen)


def _add_neighbours(memories: Iterable[Memory], chosen: Iterable[Memory]) -> list[Memory]:
    kept = {memory.id: memory for memory in chosen}
    owners = {memory.owner_id for memory in kept.values()}
    line = _chronological(memory for memory in memories if memory.owner_id in owners)
    for index, memory in enumerate(line):
        if memory.id in {chosen_one.id for chosen_one in chosen}:
            for neighbour in (*line[max(index - 1, 0) : index], *line[index + 1 : index + 2]):
                kept.setdefault(neighbour.id, neighbour)
    return list(kept.values())


def _chronological(memories: Iterable[Memory]) -> list[Memory]:
    return sorted(memories, key=lambda memory: (memory.moment, memory.id))
