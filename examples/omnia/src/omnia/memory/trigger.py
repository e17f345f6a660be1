"""When a buffer has to be handed over to the ledger."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from omnia.memory.entry import in_order, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omnia.core import Entity
    from omnia.memory.entry import Entry

CHARACTERS_PER_TOKEN: Final = 4
FULL_AT: Final = 0.6
MAX_ENTRIES: Final = 20
THOUGHTS_IN_A_ROW: Final = 5
DEFAULT_CONTEXT: Final = 32_768
_OUT_OF_IT: Final = frozenset({"unconscious", "asleep", "dead", "inactive"})


class Trigger(StrEnum):
    """Why a handoff is due: it must be, it may be, or it is not."""

    INVOLUNTARY = "involuntary"
    VOLUNTARY = "voluntary"
    NONE = "none"


def find_trigger(
    owner: Entity, entries: Sequence[Entry], *, max_context: int = DEFAULT_CONTEXT
) -> Trigger:
    """Return why the owner's buffer is due; what must be comes before what may be.

    Pinned entries do not count: no handoff takes them away, so counting them would make one
    due at every turn for ever.
    """
    loose = in_order(entry for entry in entries if not entry.pinned)
    if not loose:
        return Trigger.NONE
    if _is_full(owner, loose, max_context):
        return Trigger.INVOLUNTARY
    if _left_the_scene(owner, loose) or _is_lost_in_thought(loose) or _is_out_of_it(owner):
        return Trigger.VOLUNTARY
    return Trigger.NONE


def _is_full(owner: Entity, entries: Sequence[Entry], max_context: int) -> bool:
    room = max_context * CHARACTERS_PER_TOKEN * FULL_AT
    length = sum(len(render(entry, owner)) for entry in entries)
    return len(entries) > MAX_ENTRIES or (room > 0 and length > room)


def _left_the_scene(owner: Entity, entries: Sequence[Entry]) -> bool:
    places = {entry.location_id for entry in entries if entry.location_id is not None}
    last = entries[-1].location_id
    moved = last is not None and owner.location_id is not None and last != owner.location_id
    return moved or len(places) > 1


def _is_lost_in_thought(entries: Sequence[Entry]) -> bool:
    last = entries[-THOUGHTS_IN_A_ROW:]
    return len(last) == THOUGHTS_IN_A_ROW and all(entry.intent.is_thought for entry in last)


def _is_out_of_it(owner: Entity) -> bool:
    # The body decides here, not what anybody knows: this is the system's own look.
    state = {
        attribute.name: attribute.value.strip().casefold()
        for attribute in owner.facts.system_all()
    }
    return state.get("consciousness") == "unconscious" or state.get("status") in _OUT_OF_IT
