"""Everything that is wrong with a scenario whose shape is right, found at once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from omnia.core import Location, Portal
from omnia.core.ids import require_id
from omnia.spatial import find_map_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from omnia.scenario.schema import EntityFile, FactFile, ScenarioFile

SYSTEM_FACTS: Final = ("scenario name", "description")
"""Facts that the loader adds to the world, known to nobody in it."""


def find_problems(scenario: ScenarioFile) -> list[str]:
    """Return every duplicate, every id that is none, and every reference to nothing."""
    problems = [*_ids(scenario), *_facts(scenario)]
    places = {place.id for place in scenario.locations}
    people = {entity.id for entity in scenario.entities}
    for entity in scenario.entities:
        problems += _references(entity, places, people)
    # A map with broken ids cannot be built, and those have been listed already.
    return problems or find_map_problems(_sketch(scenario))


def _ids(scenario: ScenarioFile) -> Iterator[str]:
    for kind, ids in (
        ("location", [place.id for place in scenario.locations]),
        ("entity", [entity.id for entity in scenario.entities]),
    ):
        for one, times in Counter(ids).items():
            if times > 1:
                yield f"{kind} {one!r} is there {times} times"
            try:
                require_id(one)
            except ValueError as error:
                yield f"{kind}: {error}"


def _facts(scenario: ScenarioFile) -> Iterator[str]:
    people = {entity.id for entity in scenario.entities}
    yield from _bag("world", scenario.world.attributes, people)
    for fact in scenario.world.attributes:
        if fact.name in SYSTEM_FACTS:
            yield f"world: attribute {fact.name!r} is the loader's own"
    for place in scenario.locations:
        yield from _bag(f"location {place.id!r}", place.attributes, people)
    for entity in scenario.entities:
        yield from _bag(f"entity {entity.id!r}", entity.attributes, people)


def _bag(holder: str, facts: Iterable[FactFile], people: set[str]) -> Iterator[str]:
    facts = list(facts)
    for name, times in Counter(fact.name for fact in facts).items():
        if times > 1:
            yield f"{holder}: attribute {name!r} is there {times} times"
        if not name.strip():
            yield f"{holder}: an attribute has an empty name"
    for fact in facts:
        for viewer in fact.allowed:
            if viewer not in people:
                yield f"{holder}: attribute {fact.name!r} allows unknown {viewer!r}"


def _references(entity: EntityFile, places: set[str], people: set[str]) -> Iterator[str]:
    holder = f"entity {entity.id!r}"
    if entity.location is not None and entity.location not in places:
        yield f"{holder}: unknown location {entity.location!r}"
    for target in entity.aliases:
        if target not in people:
            yield f"{holder}: alias for unknown {target!r}"
    for n, memory in enumerate(entity.initialMemories, start=1):
        if memory.location is not None and memory.location not in places:
            yield f"{holder}: memory {n} is of unknown location {memory.location!r}"
        for person in memory.involved:
            if person not in people:
                yield f"{holder}: memory {n} involves unknown {person!r}"


def _sketch(scenario: ScenarioFile) -> list[Location]:
    return [
        Location(
            id=place.id,
            parent_id=place.parent,
            portals=tuple(Portal(target_id=portal.target) for portal in place.portals),
        )
        for place in scenario.locations
    ]
