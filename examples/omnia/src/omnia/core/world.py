"""The whole world: its facts, places, entities and clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnia.core.bag import FactBag
from omnia.core.clock import WorldClock
from omnia.core.ids import require_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omnia.core.entity import Entity
    from omnia.core.places import Location


class DuplicateIdError(ValueError):
    """Two entities, or two places, of one world claim one id."""


class UnknownIdError(LookupError):
    """An id names nothing in this world."""


class World:
    """Everything that is so, known or not."""

    __slots__ = ("_entities", "_locations", "clock", "facts", "id")

    def __init__(
        self, world_id: str, *, clock: WorldClock | None = None, facts: FactBag | None = None
    ) -> None:
        self.id = require_id(world_id)
        self.clock = clock or WorldClock()
        self.facts = facts or FactBag()
        self._entities: dict[str, Entity] = {}
        self._locations: dict[str, Location] = {}

    @property
    def entities(self) -> Mapping[str, Entity]:
        """The entities by id, in the order they came."""
        return dict(self._entities)

    @property
    def locations(self) -> Mapping[str, Location]:
        """The places by id, in the order they came."""
        return dict(self._locations)

    def add_entity(self, entity: Entity) -> None:
        """Add an entity; refuse an id that is taken."""
        if entity.id in self._entities:
            raise DuplicateIdError(f"there is an entity {entity.id!r} already")
        self._entities[entity.id] = entity

    def add_location(self, location: Location) -> None:
        """Add a place; refuse an id that is taken."""
        if location.id in self._locations:
            raise DuplicateIdError(f"there is a location {location.id!r} already")
        self._locations[location.id] = location

    def remove_entity(self, entity_id: str) -> None:
        """Take an entity out. What others call it, and lists that name it, stay: memory does."""
        self.require_entity(entity_id)
        del self._entities[entity_id]

    def entity(self, entity_id: str) -> Entity | None:
        """Return the entity, or None."""
        return self._entities.get(entity_id)

    def require_entity(self, entity_id: str) -> Entity:
        """Return the entity; refuse an id that names none."""
        if entity_id not in self._entities:
            raise UnknownIdError(f"there is no entity {entity_id!r} in world {self.id!r}")
        return self._entities[entity_id]

    def location(self, location_id: str | None) -> Location | None:
        """Return the place, or None."""
        return None if location_id is None else self._locations.get(location_id)

    def together(self, one_id: str, other_id: str) -> bool:
        """Return whether both stand in one place; two that stand nowhere are not together."""
        one, other = self.entity(one_id), self.entity(other_id)
        if one is None or other is None:
            return False
        return one.location_id is not None and one.location_id == other.location_id

    def companions(self, entity_id: str) -> list[Entity]:
        """Return the others in the same place, in the order they came into the world."""
        return [
            other
            for other in self._entities.values()
            if other.id != entity_id and self.together(entity_id, other.id)
        ]

    def copy(self) -> World:
        """Return a world that shares nothing with this one."""
        twin = World(self.id, clock=self.clock.copy(), facts=self.facts.copy())
        for location in self._locations.values():
            twin.add_location(location.copy())
        for entity in self._entities.values():
            twin.add_entity(entity.copy())
        return twin
