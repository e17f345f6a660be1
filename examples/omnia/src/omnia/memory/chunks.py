"""What a model may answer in a handoff, and what of it can be believed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from omnia.memory.entry import render
from omnia.memory.ledger import IMPORTANCE_SCALE, Memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from omnia.core import Entity
    from omnia.memory.entry import Entry


class Chunk(BaseModel):
    """Several entries told again as one memory."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    source_ids: list[str] = Field(min_length=1)
    content: str = Field(min_length=1)
    quotes: list[str] = []
    importance: int = Field(ge=1, le=IMPORTANCE_SCALE)
    retain: bool = False


class HandoffAnswer(BaseModel):
    """The chunks, in order."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    chunks: list[Chunk]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffPlan:
    """What a handoff will write: memories, entries kept word by word, entries deleted."""

    owner_id: str
    memories: tuple[Memory, ...]
    pinned_ids: tuple[str, ...]
    deleted_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a model's answer is not followed."""

    reason: str


def label_sources(owner: Entity, candidates: Sequence[Entry]) -> dict[str, str]:
    """Return each candidate as its owner reads it, under the number that the model sees."""
    return {str(n): render(entry, owner) for n, entry in enumerate(candidates, start=1)}


def plan_handoff(
    owner: Entity,
    candidates: Sequence[Entry],
    answer: HandoffAnswer,
    *,
    may_forget: bool = False,
) -> HandoffPlan | Refusal:
    """Return what to write, or why not: one unbelievable chunk refuses the whole answer.

    No chunk at all would delete everything; sources that were never shown and quotes that
    nobody said are inventions. People involved are read from the sources, not asked for.
    """
    if not answer.chunks and not may_forget:
        return Refusal(reason="no chunks: that would forget everything and keep nothing")
    problems = list(_find_inventions(answer, label_sources(owner, candidates)))
    if problems:
        return Refusal(reason="; ".join(problems))
    by_label = {str(n): entry for n, entry in enumerate(candidates, start=1)}
    kept = {
        by_label[label].id for chunk in answer.chunks if chunk.retain for label in chunk.source_ids
    }
    return HandoffPlan(
        owner_id=owner.id,
        memories=tuple(
            _remember(owner.id, n, chunk, [by_label[label] for label in chunk.source_ids])
            for n, chunk in enumerate(answer.chunks)
        ),
        pinned_ids=tuple(entry.id for entry in candidates if entry.id in kept),
        deleted_ids=tuple(entry.id for entry in candidates if entry.id not in kept),
    )


def _find_inventions(answer: HandoffAnswer, shown: Mapping[str, str]) -> Iterator[str]:
    for chunk in answer.chunks:
        unknown = [label for label in chunk.source_ids if label not in shown]
        if unknown:
            yield f"unknown sources {', '.join(unknown)}; shown were 1 to {len(shown)}"
        texts = [shown[label] for label in chunk.source_ids if label in shown]
        for quote in chunk.quotes:
            if not any(quote in text for text in texts):
                yield f"nobody said {quote!r}"


def _remember(owner_id: str, n: int, chunk: Chunk, sources: Sequence[Entry]) -> Memory:
    latest = max(sources, key=lambda entry: (entry.moment, entry.seq))
    return Memory(
        id=_memory_id(owner_id, n, sources),
        owner_id=owner_id,
        moment=latest.moment,
        location_id=latest.location_id,
        content=chunk.content,
        importance=chunk.importance,
        involved=frozenset(
            person for entry in sources for person in entry.people if person != owner_id
        ),
        quotes=tuple(chunk.quotes),
    )


def _memory_id(owner_id: str, n: int, sources: Sequence[Entry]) -> str:
    parts = [owner_id, str(n), *sorted(entry.id for entry in sources)]
    return "mem-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
