"""What an action does to the world: time that passes, and facts that change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omnia.core import FactBag, World

DIALOGUE_MINUTES: Final = 1
MAX_MINUTES: Final = 24 * 60
"""The longest a single action takes; a model that says more is not believed."""


class FactChange(BaseModel):
    """One fact of one entity, set, added or removed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entity_id: str
    name: str
    op: Literal["set", "add", "remove"]
    value: str = ""


class Delta(BaseModel):
    """A model's answer to: how long does it take, and what is different afterwards?"""

    model_config = ConfigDict(extra="ignore", frozen=True)

    minutes: int = Field(ge=0)
    explanation: str
    changes: list[FactChange] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Why a delta is not applied, not even in part."""

    reason: str


def apply_delta(world: World, delta: Delta) -> World | Rejected:
    """Return a new world with the delta applied whole, or why not; the old one is untouched."""
    if delta.minutes > MAX_MINUTES:
        return Rejected(reason=f"{delta.minutes} minutes is more than {MAX_MINUTES}")
    changed = world.copy()
    problem = _change_facts(changed, delta.changes)
    if problem is not None:
        return Rejected(reason=problem)
    changed.clock.advance(delta.minutes)
    return changed


def _change_facts(world: World, changes: Iterable[FactChange]) -> str | None:
    for change in changes:
        entity = world.entity(change.entity_id)
        if entity is None:
            return f"there is no entity {change.entity_id!r}"
        problem = _change_one(entity.facts, change)
        if problem is not None:
            return f"{problem} of {change.entity_id!r}"
    return None


def _change_one(facts: FactBag, change: FactChange) -> str | None:
    exists = change.name in facts
    if not change.name.strip():
        return "a change without the name of a fact"
    if exists == (change.op == "add"):
        return f"cannot {change.op} fact {change.name!r}"
    match change.op:
        case "add":
            # Nobody knows a new fact until somebody is told: closed, like every new fact.
            facts.add(change.name, change.value)
        case "set":
            facts.system_attribute(change.name).value = change.value
        case "remove":
            facts.remove(change.name)
    return None
