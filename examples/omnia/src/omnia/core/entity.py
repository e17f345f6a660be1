"""Somebody or something in the world, and what it calls the others."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Final

from omnia.core.bag import FactBag
from omnia.core.ids import require_id

YOU: Final = "you"
UNFAMILIAR: Final = "an unfamiliar figure"
SOMEONE: Final = "someone"
UNIDENTIFIED: Final = ""
"""The actor id of an event whose actor was not made out."""


def _new_id() -> str:
    return str(uuid.uuid4())


@dataclass(slots=True, kw_only=True)
class Entity:
    """A holder of facts; an agent also acts. `aliases` says what it calls others, by id."""

    id: str = field(default_factory=_new_id)
    location_id: str | None = None
    is_agent: bool = True
    facts: FactBag = field(default_factory=FactBag)
    aliases: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse an id that no tag or table could hold."""
        require_id(self.id)

    def knows(self, target_id: str) -> bool:
        """Return whether this entity has a phrase of its own for the target."""
        return bool(self.aliases.get(target_id, "").strip())

    def name_for(self, target_id: str) -> str:
        """Return what this entity calls the target; never the target's id."""
        if target_id == self.id:
            return YOU
        if target_id == UNIDENTIFIED:
            return SOMEONE
        return self.aliases[target_id] if self.knows(target_id) else UNFAMILIAR

    def targets_called(self, phrase: str) -> tuple[str, ...]:
        """Return every id this entity calls by the phrase: more than one means ambiguous."""
        wanted = phrase.strip().casefold()
        return tuple(
            target
            for target, alias in self.aliases.items()
            if alias.strip().casefold() == wanted and self.knows(target) and target != self.id
        )

    def copy(self) -> Entity:
        """Return an entity that shares neither facts nor aliases with this one."""
        return Entity(
            id=self.id,
            location_id=self.location_id,
            is_agent=self.is_agent,
            facts=self.facts.copy(),
            aliases=dict(self.aliases),
        )
