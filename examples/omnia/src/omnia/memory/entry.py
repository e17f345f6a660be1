"""What somebody lived through lately: the entries of a buffer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omnia.intent import IntentKind, hydrate

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from omnia.core import Entity
    from omnia.intent import Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an action ended, in words that everybody near may read."""

    succeeded: bool
    reason: str = ""

    def __str__(self) -> str:
        """Return `Succeeded` or `Failed - reason`."""
        if self.succeeded:
            return "Succeeded"
        return f"Failed - {self.reason}" if self.reason else "Failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that one owner did or perceived. `seq` orders what happened at one moment."""

    id: str
    owner_id: str
    moment: datetime
    seq: int
    location_id: str | None
    intent: Intent
    outcome: Outcome | None = None
    pinned: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who had a part in it, as far as the owner made them out."""
        people = (self.intent.actor_id, *self.intent.target_ids)
        return tuple(person for person in dict.fromkeys(people) if person)

    def pin(self) -> Entry:
        """Return the entry as one that is kept word by word."""
        return replace(self, pinned=True)


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Return entries by moment; what shares a moment comes in the order it happened."""
    return sorted(entries, key=lambda entry: (entry.moment, entry.seq))


def render(entry: Entry, owner: Entity) -> str:
    """Return the entry as its owner remembers it."""
    text = hydrate(entry.intent.content, owner)
    text = text[:1].upper() + text[1:]
    if entry.intent.kind is IntentKind.ACTION and entry.outcome is not None:
        text += f" (Outcome: {entry.outcome})"
    return text
