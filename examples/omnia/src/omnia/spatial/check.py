"""What is wrong with a map of places, found when it is loaded and not when it is walked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from omnia.core.places import Location


def find_map_problems(locations: Iterable[Location]) -> list[str]:
    """Return every unknown portal target, unknown parent and circle of parents."""
    known = {location.id: location for location in locations}
    return [*_unknown_ends(known), *_parent_circles(known)]


def _unknown_ends(known: Mapping[str, Location]) -> Iterator[str]:
    for location in known.values():
        for portal in location.portals:
            if portal.target_id not in known:
                yield f"location {location.id!r}: portal leads to unknown {portal.target_id!r}"
        if location.parent_id is not None and location.parent_id not in known:
            yield f"location {location.id!r}: unknown parent {location.parent_id!r}"


def _parent_circles(known: Mapping[str, Location]) -> Iterator[str]:
    reported: set[str] = set()
    for start in known:
        path: list[str] = []
        place: str | None = start
        while place is not None and place in known and place not in path:
            path.append(place)
            place = known[place].parent_id
        if place in path and place not in reported:
            circle = path[path.index(place) :]
            reported.update(circle)
            yield f"locations contain each other in a circle: {' inside '.join([*circle, place])}"
