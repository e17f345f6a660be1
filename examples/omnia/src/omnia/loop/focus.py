"""Whom an actor has in mind: those near it that it dealt with lately."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnia.memory import in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omnia.core import World
    from omnia.memory import Entry

IN_FOCUS: Final = 3
LOOKS_BACK: Final = 10


def find_focus(world: World, viewer_id: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return up to three of those here, the latest first; all of them when there are no more."""
    here = [entity.id for entity in world.companions(viewer_id)]
    if len(here) <= IN_FOCUS:
        return tuple(here)
    focus: dict[str, None] = {}
    for entry in reversed(in_order(entries)[-LOOKS_BACK:]):
        for person in entry.people:
            if person in here and len(focus) < IN_FOCUS:
                focus[person] = None
    return tuple(focus)
