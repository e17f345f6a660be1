from __future__ import annotations

import pytest
from omnia.core import (
    DuplicateIdError,
    Entity,
    Location,
    Portal,
    UnknownIdError,
    World,
    describe_objectively,
)
from worlds import KEY_PLACE, build_inn


def test_a_duplicate_entity_id_is_refused_and_named() -> None:
    """Two entities never share an id, and the error says which."""
    with pytest.raises(DuplicateIdError, match="'ent-mira'"):
        build_inn().add_entity(Entity(id="ent-mira"))


def test_a_duplicate_location_id_is_refused_and_named() -> None:
    """Two places never share an id, and the error says which."""
    with pytest.raises(DuplicateIdError, match="'loc-hall'"):
        build_inn().add_location(Location(id="loc-hall"))


def test_asking_for_what_is_absent_gives_none() -> None:
    """Absence is an answer; only the `require_` form refuses."""
    world = build_inn()
    assert world.entity("nobody") is None
    assert world.location("nowhere") is None
    assert world.location(None) is None
    with pytest.raises(UnknownIdError, match=r"'nobody' in world 'inn'"):
        world.require_entity("nobody")


@pytest.mark.parametrize("bad", ["", "a b", "a[b", "a@b", "a\n"])
def test_an_id_that_would_break_a_tag_is_refused(bad: str) -> None:
    """Ids have no blanks, brackets or @, wherever they are given."""
    with pytest.raises(ValueError, match="an id has no blanks"):
        Entity(id=bad)
    with pytest.raises(ValueError, match="an id has no blanks"):
        Location(id=bad)
    with pytest.raises(ValueError, match="an id has no blanks"):
        World(bad)


def test_entities_get_an_id_of_their_own() -> None:
    """Two entities built without an id differ."""
    assert Entity().id != Entity().id


def test_two_who_are_nowhere_are_not_together() -> None:
    """Having no location is not a place to meet."""
    world = World("void")
    world.add_entity(Entity(id="a"))
    world.add_entity(Entity(id="b"))
    assert not world.together("a", "b")
    assert world.companions("a") == []


def test_companions_are_the_others_in_the_same_place() -> None:
    """Who is elsewhere, and who asks, are no companions."""
    world = build_inn()
    world.require_entity("ent-bran").location_id = "loc-cellar"
    assert [e.id for e in world.companions("ent-mira")] == ["ent-tomas"]
    assert not world.together("ent-mira", "nobody")


def test_a_removed_entity_is_still_remembered() -> None:
    """Others keep what they called it, and lists keep its id."""
    world = build_inn()
    world.remove_entity("ent-mira")
    assert world.entity("ent-mira") is None
    assert world.require_entity("ent-tomas").name_for("ent-mira") == "the innkeeper"
    with pytest.raises(UnknownIdError):
        world.remove_entity("ent-mira")


def test_a_copy_of_the_world_shares_nothing() -> None:
    """Whatever is done to the copy, the original's text stays the same byte for byte."""
    world = build_inn()
    before = describe_objectively(world)
    twin = world.copy()
    twin.clock.advance(5)
    twin.facts.add("war", "begins")
    twin.require_entity("ent-mira").aliases["ent-bran"] = "Bran"
    twin.require_entity("ent-mira").facts.system_attribute("secret").grant("ent-bran")
    twin.locations["loc-hall"].facts.remove("name")
    twin.remove_entity("ent-tomas")
    assert describe_objectively(world) == before
    assert describe_objectively(world.copy()) == before


@pytest.mark.parametrize("level", [-1, 11])
def test_a_portal_refuses_levels_outside_its_scale(level: int) -> None:
    """Sight and sound go from 0 to 10."""
    with pytest.raises(ValueError, match="0 to 10"):
        Portal(target_id="x", vision=level)
    with pytest.raises(ValueError, match="0 to 10"):
        Portal(target_id="x", sound=level)


@pytest.mark.parametrize("level", [True, 2.5])
def test_a_portal_refuses_levels_that_are_no_whole_numbers(level: object) -> None:
    """A fraction or a boolean is no level."""
    with pytest.raises(TypeError, match="whole number"):
        Portal(target_id="x", vision=level)  # type: ignore[arg-type]  # the fault under test


def test_the_system_sees_everything() -> None:
    """The objective text has ids, portals, private facts and who may know them."""
    text = describe_objectively(build_inn())
    assert f"* secret: {KEY_PLACE} (Visibility: PRIVATE) (Visible to: ent-mira)" in text
    assert "<-> loc-cellar (; vision 0, sound 5)" in text
    assert 'calls ent-mira "the innkeeper"' in text
    assert "title: The Sunken Bell (Visibility: PRIVATE)" in text


def test_an_empty_world_still_has_its_sections() -> None:
    """Nothing there is said, not left out."""
    text = describe_objectively(World("void"))
    assert "(No entities)" in text
    assert "(No locations)" in text
    assert "(No attributes)" in text
