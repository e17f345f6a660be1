"""Entries and memories with everything filled in but what a test is about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from omnia.intent import Intent, IntentKind
from omnia.memory import Entry, Memory

NOON = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)

DEED = Intent(actor_id="ent-tomas", kind=IntentKind.ACTION, content="entity@ent-tomas[I] waved.")
THOUGHT = replace(DEED, kind=IntentKind.MONOLOGUE)


def entry(
    n: int = 1,
    *,
    minutes_ago: float = 0,
    place: str | None = "loc-hall",
    intent: Intent = DEED,
    pinned: bool = False,
) -> Entry:
    """Return Tomas's n-th entry."""
    return Entry(
        id=f"e{n}",
        owner_id="ent-tomas",
        moment=NOON - timedelta(minutes=minutes_ago),
        seq=n,
        location_id=place,
        intent=intent,
        pinned=pinned,
    )


def memory(
    n: int = 1,
    *,
    hours_ago: float = 0,
    place: str | None = None,
    importance: int = 5,
    involved: frozenset[str] = frozenset(),
    embedding: tuple[float, ...] | None = None,
) -> Memory:
    """Return Tomas's n-th memory."""
    return Memory(
        id=f"m{n:03}",
        owner_id="ent-tomas",
        moment=NOON - timedelta(hours=hours_ago),
        location_id=place,
        content=f"memory {n}",
        importance=importance,
        involved=involved,
        embedding=embedding,
    )
