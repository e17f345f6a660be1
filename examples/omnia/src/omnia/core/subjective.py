"""The world as one viewer sees it; the only view that may reach a prompt for that viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnia.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omnia.core.entity import Entity
    from omnia.core.world import World

NO_SUCH_VIEWER: Final = "(You are not part of this world.)"
NOWHERE: Final = "You are nowhere in particular."
UNKNOWN_PLACE: Final = "You are in an unfamiliar place."
ALONE: Final = "You are alone here."


def describe_subjectively(world: World, viewer_id: str) -> str:
    """Return what the viewer knows and perceives: no id, no list, nobody it has never met."""
    viewer = world.entity(viewer_id)
    if viewer is None:
        return NO_SUCH_VIEWER
    return "\n".join(_lines(world, viewer))


def place_name(world: World, location_id: str | None, viewer_id: str) -> str | None:
    """Return the place's name as far as the viewer may know it; never its id."""
    location = world.location(location_id)
    if location is None:
        return None
    names = [known.text for known in location.facts.visible_for(viewer_id) if known.name == "name"]
    return one_line(names[0]) if names else None


def _lines(world: World, viewer: Entity) -> Iterator[str]:
    if world.facts.visible_for(viewer.id):
        yield "World:"
        yield world.facts.describe_for(viewer.id)
    yield "Yourself:"
    yield viewer.facts.describe_for(viewer.id)
    yield from _place(world, viewer)
    yield from _company(world, viewer)
    yield from _elsewhere(world, viewer)


def _place(world: World, viewer: Entity) -> Iterator[str]:
    location = world.location(viewer.location_id)
    if viewer.location_id is None:
        yield NOWHERE
    elif location is None:
        yield UNKNOWN_PLACE
    else:
        name = place_name(world, location.id, viewer.id)
        yield f"You are at {name}." if name else UNKNOWN_PLACE
        yield location.facts.describe_for(viewer.id)


def _company(world: World, viewer: Entity) -> Iterator[str]:
    companions = world.companions(viewer.id)
    if not companions:
        yield ALONE
    for other in companions:
        yield f"Here is {one_line(viewer.name_for(other.id))}:"
        yield other.facts.describe_for(viewer.id)


def _elsewhere(world: World, viewer: Entity) -> Iterator[str]:
    for other in world.entities.values():
        absent = other.id != viewer.id and not world.together(viewer.id, other.id)
        # Only those it has a name for: a list of strangers would tell the head-count.
        if absent and viewer.knows(other.id):
            yield f"[elsewhere] {one_line(viewer.name_for(other.id))}"
