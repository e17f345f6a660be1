"""Something that happens at a place, and how far it may be seen and heard."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from omnia.core.places import WIDE_OPEN


class EventKind(StrEnum):
    """What happened, as far as loudness cares."""

    DIALOGUE = "dialogue"
    WHISPER = "whisper"
    SHOUT = "shout"
    ACTION = "action"
    MONOLOGUE = "monologue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loudness:
    """How well something is seen and heard at one place, each 0 to 10."""

    vision: int = 0
    sound: int = 0

    def __post_init__(self) -> None:
        """Refuse levels outside 0 to 10."""
        for level in (self.vision, self.sound):
            if not 0 <= level <= WIDE_OPEN:
                raise ValueError(f"a level is 0 to {WIDE_OPEN}; got {level}")


def default_loudness(kind: EventKind) -> Loudness:
    """Return how conspicuous an event of this kind is where it happens."""
    match kind:
        case EventKind.DIALOGUE:
            return Loudness(vision=3, sound=6)
        case EventKind.WHISPER:
            return Loudness(vision=3, sound=2)
        case EventKind.SHOUT:
            return Loudness(vision=3, sound=9)
        case EventKind.ACTION:
            return Loudness(vision=6, sound=3)
        case EventKind.MONOLOGUE:
            return Loudness()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpatialEvent:
    """Who did something where, and how conspicuously."""

    actor_id: str
    location_id: str | None
    loudness: Loudness

    @classmethod
    def of(cls, kind: EventKind, *, actor_id: str, location_id: str | None) -> SpatialEvent:
        """Return an event of a kind with that kind's usual loudness."""
        return cls(actor_id=actor_id, location_id=location_id, loudness=default_loudness(kind))
