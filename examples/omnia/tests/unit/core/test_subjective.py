from __future__ import annotations

from omnia.core import Entity, World, describe_subjectively
from worlds import KEY_PLACE, build_inn


def view(viewer: str) -> str:
    return describe_subjectively(build_inn(), viewer)


def test_a_viewer_reads_its_own_facts_only_when_granted() -> None:
    """Mira knows of the key; Tomas does not even know of his own debt."""
    assert KEY_PLACE in view("ent-mira")
    assert "forty crowns" not in view("ent-tomas")


def test_a_viewer_never_reads_what_another_may_know() -> None:
    """The key is known to Mira alone, and the place's draught to Bran alone."""
    assert KEY_PLACE not in view("ent-tomas")
    assert "behind the clock" not in view("ent-tomas")
    assert "behind the clock" in view("ent-bran")


def test_facts_of_the_world_show_only_when_visible() -> None:
    """The season is public; the title is the system's own."""
    assert "season: autumn" in view("ent-tomas")
    assert "Sunken Bell" not in view("ent-tomas")
    world = World("void")
    world.add_entity(Entity(id="a"))
    assert "World:" not in describe_subjectively(world, "a")


def test_no_id_of_anything_is_shown() -> None:
    """Neither a place nor a person is shown by its raw id."""
    for viewer in ("ent-mira", "ent-tomas", "ent-bran"):
        assert "ent-" not in view(viewer)
        assert "loc-" not in view(viewer)


def test_a_place_without_a_visible_name_is_not_shown_by_its_id() -> None:
    """The id of a location is the system's word, however telling it is."""
    world = build_inn()
    world.locations["loc-hall"].facts.remove("name")
    text = describe_subjectively(world, "ent-mira")
    assert "You are in an unfamiliar place." in text
    assert "loc-hall" not in text


def test_a_viewer_in_a_place_that_does_not_exist_is_in_an_unfamiliar_one() -> None:
    """A dangling location is no exception and no leak."""
    world = World("void")
    world.add_entity(Entity(id="a", location_id="loc-gone"))
    text = describe_subjectively(world, "a")
    assert "You are in an unfamiliar place." in text
    assert "loc-gone" not in text


def test_a_viewer_without_place_is_alone_nowhere() -> None:
    """Nowhere is said, and so is being alone."""
    world = World("void")
    world.add_entity(Entity(id="a"))
    text = describe_subjectively(world, "a")
    assert text.endswith("You are nowhere in particular.\nYou are alone here.")


def test_companions_show_alias_and_visible_facts() -> None:
    """Who is here is called by the viewer's phrase, strangers by a neutral one."""
    text = view("ent-tomas")
    assert "Here is the innkeeper:\n* look: a tall innkeeper" in text
    assert "Here is an unfamiliar figure:\n* look: an old fisher" in text


def test_those_elsewhere_show_only_when_known() -> None:
    """Someone never met is not announced: a list of strangers tells the head-count."""
    world = build_inn()
    world.require_entity("ent-tomas").location_id = "loc-cellar"
    text = describe_subjectively(world, "ent-tomas")
    assert "[elsewhere] the innkeeper" in text
    assert text.count("[elsewhere]") == 1
    assert "tall" not in text


def test_a_viewer_that_is_not_there_gets_a_sentence() -> None:
    """No exception, and nothing of the world."""
    assert view("nobody") == "(You are not part of this world.)"


def test_an_alias_cannot_forge_a_line() -> None:
    """Line breaks in a phrase are escaped."""
    world = build_inn()
    world.require_entity("ent-tomas").aliases["ent-mira"] = "x\n[elsewhere] the king"
    assert "\n[elsewhere]" not in describe_subjectively(world, "ent-tomas")
