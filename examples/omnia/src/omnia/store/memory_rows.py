"""Buffers and ledgers as rows of the SQLite store, and back."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omnia.intent import Intent, IntentKind
from omnia.memory import Entry, Memory, Outcome, in_order

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


def write_entry(db: sqlite3.Connection, world_id: str, entry: Entry) -> None:
    """Write an entry over the one with its id, if there is one."""
    outcome = entry.outcome
    db.execute(
        "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            world_id,
            entry.id,
            entry.owner_id,
            entry.moment.isoformat(),
            entry.seq,
            entry.location_id,
            _intent_to_text(entry.intent),
            None if outcome is None else outcome.succeeded,
            None if outcome is None else outcome.reason,
            entry.pinned,
        ),
    )


def read_entries(db: sqlite3.Connection, world_id: str, owner_id: str) -> list[Entry]:
    """Return the owner's buffer in order."""
    rows = db.execute(
        "SELECT id, moment, seq, location_id, intent, succeeded, reason, pinned FROM entries "
        "WHERE world_id = ? AND owner_id = ?",
        (world_id, owner_id),
    ).fetchall()
    return in_order(
        Entry(
            id=entry_id,
            owner_id=owner_id,
            moment=datetime.fromisoformat(moment),
            seq=seq,
            location_id=location_id,
            intent=_intent_from_text(intent),
            outcome=None if ok is None else Outcome(succeeded=bool(ok), reason=reason),
            pinned=bool(pinned),
        )
        for entry_id, moment, seq, location_id, intent, ok, reason, pinned in rows
    )


def write_memory(db: sqlite3.Connection, world_id: str, memory: Memory) -> None:
    """Write a memory over the one with its id, with those involved in it."""
    db.execute(
        "INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            world_id,
            memory.id,
            memory.owner_id,
            memory.moment.isoformat(),
            memory.location_id,
            memory.content,
            memory.importance,
            json.dumps(memory.quotes),
            None if memory.embedding is None else json.dumps(memory.embedding),
        ),
    )
    db.executemany(
        "INSERT INTO memory_people VALUES (?, ?, ?)",
        [(world_id, memory.id, person) for person in sorted(memory.involved)],
    )


def read_memories(db: sqlite3.Connection, world_id: str, owner_id: str) -> list[Memory]:
    """Return the owner's ledger, oldest first."""
    rows = db.execute(
        "SELECT id, moment, location_id, content, importance, quotes, embedding FROM memories "
        "WHERE world_id = ? AND owner_id = ?",
        (world_id, owner_id),
    ).fetchall()
    memories = [
        Memory(
            id=memory_id,
            owner_id=owner_id,
            moment=datetime.fromisoformat(moment),
            location_id=location_id,
            content=content,
            importance=importance,
            involved=_people(db, world_id, memory_id),
            quotes=tuple(json.loads(quotes)),
            embedding=None if vector is None else tuple(json.loads(vector)),
        )
        for memory_id, moment, location_id, content, importance, quotes, vector in rows
    ]
    return sorted(memories, key=lambda memory: (memory.moment, memory.id))


def mark_entries(
    db: sqlite3.Connection, world_id: str, *, pinned: Iterable[str], deleted: Iterable[str]
) -> None:
    """Pin some entries and delete others."""
    where = "WHERE world_id = ? AND id = ?"
    db.executemany(
        f"UPDATE entries SET pinned = 1 {where}",  # noqa: S608  a fixed clause
        [(world_id, entry_id) for entry_id in pinned],
    )
    db.executemany(
        f"DELETE FROM entries {where}",  # noqa: S608  a fixed clause
        [(world_id, entry_id) for entry_id in deleted],
    )


def _people(db: sqlite3.Connection, world_id: str, memory_id: str) -> frozenset[str]:
    rows = db.execute(
        "SELECT person_id FROM memory_people WHERE world_id = ? AND memory_id = ?",
        (world_id, memory_id),
    ).fetchall()
    return frozenset(person for (person,) in rows)


def _intent_to_text(intent: Intent) -> str:
    return json.dumps(
        {
            "actor_id": intent.actor_id,
            "kind": intent.kind.value,
            "content": intent.content,
            "target_ids": intent.target_ids,
            "unresolved_targets": intent.unresolved_targets,
            "modifiers": intent.modifiers,
        },
        ensure_ascii=False,
    )


def _intent_from_text(text: str) -> Intent:
    fields: dict[str, Any] = json.loads(text)
    return Intent(
        actor_id=fields["actor_id"],
        kind=IntentKind(fields["kind"]),
        content=fields["content"],
        target_ids=tuple(fields["target_ids"]),
        unresolved_targets=tuple(fields["unresolved_targets"]),
        modifiers=tuple(fields["modifiers"]),
    )
