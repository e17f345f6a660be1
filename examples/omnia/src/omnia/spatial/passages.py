"""Every one-way passage that sight and sound can take, read from a world's places."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omnia.core.places import WIDE_OPEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from omnia.core.places import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What gets from one place into a neighbour: each channel times its factor over ten."""

    origin: str
    target: str
    vision: int
    sound: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Containment:
    """What passes between a place and the larger place around it, both ways."""

    vision: int = 5
    sound: int = 7


def find_passages(
    locations: Iterable[Location], containment: Containment | None = None
) -> Mapping[str, tuple[Passage, ...]]:
    """Return the passages out of each place. A portal from a place to itself is no passage."""
    inner = containment or Containment()
    leaving: defaultdict[str, list[Passage]] = defaultdict(list)
    for location in locations:
        for passage in (*_through_portals(location), *_through_containment(location, inner)):
            if passage.origin != passage.target:
                leaving[passage.origin].append(passage)
    return {origin: tuple(passages) for origin, passages in leaving.items()}


def damp(level: int, factor: int) -> int:
    """Return what is left of a level behind a passage; never more than came in."""
    return level * factor // WIDE_OPEN


def _through_portals(location: Location) -> Iterator[Passage]:
    for portal in location.portals:
        ends = [(location.id, portal.target_id)]
        if portal.bidirectional:
            ends.append((portal.target_id, location.id))
        for origin, target in ends:
            yield Passage(origin=origin, target=target, vision=portal.vision, sound=portal.sound)


def _through_containment(location: Location, inner: Containment) -> Iterator[Passage]:
    if location.parent_id is None:
        return
    for origin, target in (
        (location.id, location.parent_id),
        (location.parent_id, location.id),
    ):
        yield Passage(origin=origin, target=target, vision=inner.vision, sound=inner.sound)
