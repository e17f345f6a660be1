"""From a scenario file to a world that can begin."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from pydantic import ValidationError

from omnia.core import (
    Attribute,
    Entity,
    FactBag,
    Location,
    Portal,
    Visibility,
    World,
    WorldClock,
)
from omnia.memory import Memory
from omnia.scenario.check import SYSTEM_FACTS, find_problems
from omnia.scenario.schema import EntityFile, FactFile, LocationFile, ScenarioFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic_core import ErrorDetails

    from omnia.store import Store


class ScenarioError(ValueError):
    """A scenario file cannot be used; `problems` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        head = f"the scenario has {len(problems)} problem(s):"
        super().__init__("\n  ".join([head, *problems]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A world at its beginning, and what its people remember."""

    name: str
    description: str
    world: World
    memories: tuple[Memory, ...]

    def save_to(self, store: Store) -> None:
        """Write the beginning to a store, whole."""
        with store.atomic():
            store.save_world(self.world)
            store.save_memories(self.memories)


def read_scenario(text: str, *, world_id: str | None = None) -> Scenario:
    """Return the scenario that the JSON text describes; list all problems if there are any.

    Two worlds of one scenario differ in `world_id` and may share every other id.
    """
    try:
        file = ScenarioFile.model_validate_json(text)
    except ValidationError as error:
        raise ScenarioError([_explain(problem) for problem in error.errors()]) from None
    problems = find_problems(file)
    if problems:
        raise ScenarioError(problems)
    return _build(file, world_id or file.id)


def _explain(problem: ErrorDetails) -> str:
    where = ".".join(str(part) for part in problem["loc"]) or "file"
    return f"{where}: {problem['msg']}"


def _build(file: ScenarioFile, world_id: str) -> Scenario:
    facts = _facts(file.world.attributes)
    for name, value in zip(SYSTEM_FACTS, (file.name, file.description), strict=True):
        facts.add(name, value)
    world = World(world_id, clock=WorldClock(file.startTime), facts=facts)
    for place in file.locations:
        world.add_location(_location(place))
    for entity in file.entities:
        world.add_entity(_entity(entity))
    memories = [memory for entity in file.entities for memory in _memories(file, entity)]
    return Scenario(
        name=file.name, description=file.description, world=world, memories=tuple(memories)
    )


def _facts(facts: Iterable[FactFile]) -> FactBag:
    return FactBag(
        Attribute(
            fact.name, fact.value, visibility=Visibility(fact.visibility), allowed=fact.allowed
        )
        for fact in facts
    )


def _location(file: LocationFile) -> Location:
    return Location(
        id=file.id,
        parent_id=file.parent,
        facts=_facts(file.attributes),
        portals=tuple(
            Portal(
                target_id=portal.target,
                name=portal.name,
                state=portal.state,
                vision=portal.vision,
                sound=portal.sound,
                bidirectional=portal.bidirectional,
            )
            for portal in file.portals
        ),
    )


def _entity(file: EntityFile) -> Entity:
    return Entity(
        id=file.id,
        location_id=file.location,
        is_agent=file.isAgent,
        facts=_facts(file.attributes),
        aliases=dict(file.aliases),
    )


def _memories(file: ScenarioFile, entity: EntityFile) -> list[Memory]:
    return [
        Memory(
            id=f"mem-{entity.id}-{n}",
            owner_id=entity.id,
            moment=file.startTime - timedelta(minutes=memory.minutesAgo),
            location_id=memory.location,
            content=memory.content,
            importance=memory.importance,
            involved=frozenset(memory.involved),
        )
        for n, memory in enumerate(entity.initialMemories, start=1)
    ]
