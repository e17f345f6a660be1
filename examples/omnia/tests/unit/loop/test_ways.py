from __future__ import annotations

from omnia.core import Entity, Location, Portal, Visibility, World
from omnia.loop import Way, find_ways
from worlds import build_inn


def test_ways_lead_through_portals_both_ways() -> None:
    """A portal written in one place is a way out of both, by a name the walker may know."""
    world = build_inn()
    assert find_ways(world, "ent-tomas") == [Way(name="the cellar", leads_to="loc-cellar")]
    world.require_entity("ent-tomas").location_id = "loc-cellar"
    assert find_ways(world, "ent-tomas") == [Way(name="the hall", leads_to="loc-hall")]


def test_a_place_whose_name_is_hidden_is_called_by_its_portal() -> None:
    """Never by its id; a nameless way is unmarked."""
    world = World("w")
    world.add_location(
        Location(
            id="a", portals=(Portal(target_id="b", name="a green door"), Portal(target_id="c"))
        )
    )
    for hidden in ("b", "c"):
        place = Location(id=hidden)
        place.facts.add("name", "the vault")
        world.add_location(place)
    world.add_entity(Entity(id="x", location_id="a"))
    assert [way.name for way in find_ways(world, "x")] == ["a green door", "an unmarked way"]


def test_one_way_portals_lead_one_way() -> None:
    """There is no way back through a chute."""
    world = World("w")
    world.add_location(Location(id="a", portals=(Portal(target_id="b", bidirectional=False),)))
    world.add_location(Location(id="b"))
    world.add_entity(Entity(id="x", location_id="b"))
    assert find_ways(world, "x") == []


def test_places_inside_and_around_are_ways_too() -> None:
    """From the loft into the inn and back."""
    world = World("w")
    inn = Location(id="inn")
    inn.facts.add("name", "the inn", visibility=Visibility.PUBLIC)
    world.add_location(inn)
    world.add_location(Location(id="loft", parent_id="inn"))
    world.add_entity(Entity(id="x", location_id="loft"))
    assert find_ways(world, "x") == [Way(name="the inn", leads_to="inn")]
    world.require_entity("x").location_id = "inn"
    assert [way.leads_to for way in find_ways(world, "x")] == ["loft"]


def test_nowhere_has_no_ways_out() -> None:
    """Who stands nowhere goes nowhere."""
    world = World("w")
    world.add_entity(Entity(id="x"))
    assert find_ways(world, "x") == []
