"""Small worlds that several tests start from; each call builds a new one."""

from __future__ import annotations

from omnia.core import Entity, FactBag, Location, Portal, Visibility, World

KEY_PLACE = "the silver key is under the third stair"


def build_inn() -> World:
    """Return a hall with Mira, Tomas and Old Bran in it, and a cellar with nobody.

    Mira hides a key and only she may know where; Tomas hides a debt that nobody but he knows.
    """
    world = World("inn")
    hall = Location(id="loc-hall", portals=(Portal(target_id="loc-cellar", vision=0, sound=5),))
    hall.facts.add("name", "the hall", visibility=Visibility.PUBLIC)
    hall.facts.add("draught", "it comes from behind the clock", allowed=["ent-bran"])
    cellar = Location(id="loc-cellar")
    cellar.facts.add("name", "the cellar", visibility=Visibility.PUBLIC)
    world.add_location(hall)
    world.add_location(cellar)
    world.facts.add("title", "The Sunken Bell")
    world.facts.add("season", "autumn", visibility=Visibility.PUBLIC)
    world.add_entity(_person("ent-mira", "a tall innkeeper", hiding=KEY_PLACE, allowed="ent-mira"))
    world.add_entity(_person("ent-tomas", "a pale clerk", hiding="he owes forty crowns"))
    world.add_entity(_person("ent-bran", "an old fisher", hiding="he cannot swim"))
    world.require_entity("ent-tomas").aliases["ent-mira"] = "the innkeeper"
    world.require_entity("ent-mira").aliases["ent-tomas"] = "Tomas"
    return world


def _person(entity_id: str, look: str, *, hiding: str, allowed: str | None = None) -> Entity:
    facts = FactBag()
    facts.add("look", look, visibility=Visibility.PUBLIC)
    facts.add("secret", hiding, allowed=[allowed] if allowed else [])
    return Entity(id=entity_id, location_id="loc-hall", facts=facts)
