"""Who perceives an event, how well, and at which step of the bubble."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from omnia.spatial.passages import find_passages
from omnia.spatial.spread import Reach, spread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omnia.core.world import World
    from omnia.spatial.events import SpatialEvent
    from omnia.spatial.passages import Containment

DISTINCT: Final = 5
"""From this level on, what is seen or heard is made out."""

_NOTHING: Final = Reach(level=0, step=0)


class Clarity(StrEnum):
    """How well an event is perceived, the best channel counting."""

    CLEAR = "clear"
    """Seen: the action and who does it."""
    AUDIBLE = "audible"
    """Heard: the words, not who speaks."""
    FAINT = "faint"
    """Someone, muffled voices: neither content nor identity."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Perception:
    """What arrives at one place, at which step, and who is there to perceive it."""

    step: int
    location_id: str
    vision: int
    sound: int
    perceivers: tuple[str, ...] = ()

    @property
    def clarity(self) -> Clarity:
        """How well those at the place perceive it."""
        return clarity_of(vision=self.vision, sound=self.sound)


def clarity_of(*, vision: int, sound: int) -> Clarity:
    """Return what two levels amount to."""
    if vision >= DISTINCT:
        return Clarity.CLEAR
    if sound >= DISTINCT:
        return Clarity.AUDIBLE
    return Clarity.FAINT if vision or sound else Clarity.NONE


def perceive(
    world: World, event: SpatialEvent, containment: Containment | None = None
) -> tuple[Perception, ...]:
    """Return every place that an event reaches, by step and then by id.

    The actor is no perceiver of its own event, and who stands nowhere perceives nothing.
    """
    origin = world.location(event.location_id)
    if origin is None:
        return ()
    passages = find_passages(world.locations.values(), containment)
    seen = spread(passages, origin.id, event.loudness.vision, "vision")
    heard = spread(passages, origin.id, event.loudness.sound, "sound")
    perceptions = [
        _at(place, seen, heard, _perceivers(world, place, event.actor_id))
        for place in seen.keys() | heard.keys()
    ]
    return tuple(sorted(perceptions, key=lambda p: (p.step, p.location_id)))


def _at(
    place: str,
    seen: Mapping[str, Reach],
    heard: Mapping[str, Reach],
    perceivers: tuple[str, ...],
) -> Perception:
    return Perception(
        step=min(reach[place].step for reach in (seen, heard) if place in reach),
        location_id=place,
        vision=seen.get(place, _NOTHING).level,
        sound=heard.get(place, _NOTHING).level,
        perceivers=perceivers,
    )


def _perceivers(world: World, place: str, actor_id: str) -> tuple[str, ...]:
    return tuple(
        sorted(
            e.id for e in world.entities.values() if e.location_id == place and e.id != actor_id
        )
    )
