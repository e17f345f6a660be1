"""How far one channel of an event carries: the bubble that grows from its origin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from omnia.spatial.passages import damp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from omnia.spatial.passages import Passage

Channel = Literal["vision", "sound"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The level that arrives at a place, and the fewest steps that bring that much."""

    level: int
    step: int


def spread(
    passages: Mapping[str, tuple[Passage, ...]], origin: str, level: int, channel: Channel
) -> dict[str, Reach]:
    """Return what arrives where, for places that anything arrives at.

    The bubble grows one step a round. A place passes on only what is louder than all that
    reached it before, so loops end: levels are whole numbers and never rise on the way.
    """
    reached: dict[str, Reach] = {}
    frontier = {origin: level} if level > 0 else {}
    step = 0
    while frontier:
        for place, arriving in frontier.items():
            reached[place] = Reach(level=arriving, step=step)
        frontier = _next_round(passages, frontier, reached, channel)
        step += 1
    return reached


def _next_round(
    passages: Mapping[str, tuple[Passage, ...]],
    frontier: Mapping[str, int],
    reached: Mapping[str, Reach],
    channel: Channel,
) -> dict[str, int]:
    louder: dict[str, int] = {}
    for place, arriving in _arrivals(passages, frontier, channel):
        known = reached[place].level if place in reached else 0
        if arriving > max(known, louder.get(place, 0)):
            louder[place] = arriving
    return louder


def _arrivals(
    passages: Mapping[str, tuple[Passage, ...]], frontier: Mapping[str, int], channel: Channel
) -> Iterator[tuple[str, int]]:
    for place, level in frontier.items():
        for passage in passages.get(place, ()):
            factor = passage.vision if channel == "vision" else passage.sound
            yield passage.target, damp(level, factor)
