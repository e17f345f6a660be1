"""Who remembers what of an event: each a copy of its own, with no more than it perceived."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omnia.core import UNIDENTIFIED
from omnia.intent import Intent, IntentKind, make_tag
from omnia.memory import Entry
from omnia.spatial import Clarity, EventKind, SpatialEvent, perceive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omnia.core import World
    from omnia.memory import Outcome
    from omnia.spatial import Perception

WHISPER, SHOUT = "whisper", "shout"
MUFFLED: Final = "Muffled voices could be heard."
STIRRING: Final = "Someone could be heard moving about."
_SPOKEN = re.compile(r'["“]([^"“”]+)["”]')


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """An intent that came true or failed, as the world stood right afterwards."""

    world: World
    intent: Intent
    seq: int
    outcome: Outcome | None = None


def record(happening: Happening) -> list[Entry]:
    """Return the entries to keep: the actor's own, and one for everybody who perceived it.

    A thought is kept by who thought it. Those in the same place know who acts; what a whisper
    says is for whom it is meant. Farther off, words may come without a face, or a face without
    words, or neither: then neither is kept.
    """
    actor = happening.world.require_entity(happening.intent.actor_id)
    entries = [_entry(happening, actor.id, happening.intent, happening.outcome)]
    if happening.intent.is_thought:
        return entries
    event = SpatialEvent.of(
        _event_kind(happening.intent), actor_id=actor.id, location_id=actor.location_id
    )
    for perception in perceive(happening.world, event):
        entries += _copies(happening, perception, actor.location_id)
    return entries


def _copies(
    happening: Happening, perception: Perception, origin_id: str | None
) -> Iterator[Entry]:
    for owner_id in perception.perceivers:
        if not happening.world.require_entity(owner_id).is_agent:
            continue
        if perception.location_id == origin_id:
            seen = _from_near(happening.intent, owner_id)
        else:
            seen = _from_afar(happening.intent, perception.clarity)
        outcome = happening.outcome if seen == happening.intent else None
        yield _entry(happening, owner_id, seen, outcome)


def _entry(happening: Happening, owner_id: str, intent: Intent, outcome: Outcome | None) -> Entry:
    return Entry(
        id=f"e{happening.seq}-{owner_id}",
        owner_id=owner_id,
        moment=happening.world.clock.now,
        seq=happening.seq,
        location_id=happening.world.require_entity(owner_id).location_id,
        intent=intent,
        outcome=outcome,
    )


def _event_kind(intent: Intent) -> EventKind:
    if intent.kind is IntentKind.ACTION:
        return EventKind.ACTION
    if WHISPER in intent.modifiers:
        return EventKind.WHISPER
    return EventKind.SHOUT if SHOUT in intent.modifiers else EventKind.DIALOGUE


def _from_near(intent: Intent, owner_id: str) -> Intent:
    if _event_kind(intent) is not EventKind.WHISPER or owner_id in intent.target_ids:
        return intent
    actor = make_tag(intent.actor_id, "he")
    return replace(intent, content=f"{actor} whispered something.")


def _from_afar(intent: Intent, clarity: Clarity) -> Intent:
    if clarity is Clarity.CLEAR:
        if intent.kind is IntentKind.ACTION:
            return intent
        actor = make_tag(intent.actor_id, "he")
        return replace(intent, content=f"{actor} said something out of earshot.", target_ids=())
    return Intent(
        actor_id=UNIDENTIFIED, kind=intent.kind, content=_without_a_face(intent, clarity)
    )


def _without_a_face(intent: Intent, clarity: Clarity) -> str:
    spoken = _SPOKEN.findall(intent.content)
    if intent.kind is IntentKind.ACTION:
        return STIRRING
    if clarity is Clarity.AUDIBLE and spoken:
        return f'A voice said: "{" ".join(spoken)}"'
    return MUFFLED
