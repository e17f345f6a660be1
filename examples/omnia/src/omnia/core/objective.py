"""The world as the system sees it: everything. Never for a prompt that speaks to a viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnia.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omnia.core.bag import FactBag
    from omnia.core.entity import Entity
    from omnia.core.places import Location, Portal
    from omnia.core.world import World


def describe_objectively(world: World) -> str:
    """Return the whole world as text: ids, places, portals, facts and who may know them."""
    return "\n".join(_lines(world))


def _lines(world: World) -> Iterator[str]:
    yield f"# World {world.id}"
    yield f"Time: {world.clock.to_iso()}"
    yield from _facts(world.facts)
    yield "# Locations"
    for location in world.locations.values():
        yield from _location(location)
    if not world.locations:
        yield "(No locations)"
    yield "# Entities"
    for entity in world.entities.values():
        yield from _entity(entity)
    if not world.entities:
        yield "(No entities)"


def _location(location: Location) -> Iterator[str]:
    inside = f", inside {location.parent_id}" if location.parent_id else ""
    yield f"## {location.id}{inside}"
    yield from _facts(location.facts)
    yield from map(_portal, location.portals)


def _portal(portal: Portal) -> str:
    arrow = "<->" if portal.bidirectional else "->"
    label = ", ".join(filter(None, (one_line(portal.name), one_line(portal.state))))
    return f"{arrow} {portal.target_id} ({label}; vision {portal.vision}, sound {portal.sound})"


def _entity(entity: Entity) -> Iterator[str]:
    kind = "agent" if entity.is_agent else "thing"
    yield f"## {entity.id} ({kind}) at {entity.location_id or '(nowhere)'}"
    yield from _facts(entity.facts)
    for target, phrase in entity.aliases.items():
        yield f'calls {target} "{one_line(phrase)}"'


def _facts(facts: FactBag) -> Iterator[str]:
    empty = True
    for attribute in facts.system_all():
        empty = False
        yield f"* {attribute.describe_for_system()}"
    if empty:
        yield "(No attributes)"
