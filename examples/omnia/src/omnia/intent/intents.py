"""What somebody means to do: one step of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class IntentKind(StrEnum):
    """Talk, deed or thought."""

    DIALOGUE = "dialogue"
    ACTION = "action"
    MONOLOGUE = "monologue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One step with its actor. `content` names people by tags, so that each reader sees its own.

    `unresolved_targets` keeps what a model named and nobody here answers to.
    """

    actor_id: str
    kind: IntentKind
    content: str
    target_ids: tuple[str, ...] = ()
    unresolved_targets: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()

    @property
    def is_thought(self) -> bool:
        """Thoughts change nothing, take no time and reach nobody."""
        return self.kind is IntentKind.MONOLOGUE
