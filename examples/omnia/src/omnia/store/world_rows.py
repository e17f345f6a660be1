"""A world as rows of the SQLite store, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnia.core import Attribute, Entity, FactBag, Location, Portal, Visibility, World, WorldClock

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

WORLD, LOCATION, ENTITY = "world", "location", "entity"


def write_world(db: sqlite3.Connection, world: World) -> None:
    """Write the world. Entities that stay are updated in place: buffers hang on their rows."""
    db.execute(
        "INSERT INTO worlds VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET clock = excluded.clock",
        (world.id, world.clock.to_iso()),
    )
    for table in ("facts", "aliases", "locations"):
        db.execute(f"DELETE FROM {table} WHERE world_id = ?", (world.id,))  # noqa: S608  fixed names
    _write_locations(db, world)
    _write_entities(db, world)
    for holder, holder_id, facts in _bags(world):
        _write_facts(db, (world.id, holder, holder_id), facts)


def read_world(db: sqlite3.Connection, world_id: str) -> World | None:
    """Return the world, or None when it was never written."""
    row = db.execute("SELECT clock FROM worlds WHERE id = ?", (world_id,)).fetchone()
    if row is None:
        return None
    world = World(
        world_id,
        clock=WorldClock.from_iso(row[0]),
        facts=_read_facts(db, (world_id, WORLD, world_id)),
    )
    for location in _read_locations(db, world_id):
        world.add_location(location)
    for entity in _read_entities(db, world_id):
        world.add_entity(entity)
    return world


def _write_locations(db: sqlite3.Connection, world: World) -> None:
    for n, location in enumerate(world.locations.values()):
        db.execute(
            "INSERT INTO locations VALUES (?, ?, ?, ?)",
            (world.id, location.id, n, location.parent_id),
        )
        db.executemany(
            "INSERT INTO portals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(world.id, location.id, m, *_portal_row(p)) for m, p in enumerate(location.portals)],
        )


def _portal_row(portal: Portal) -> tuple[str, str, str, int, int, bool]:
    numbers = (portal.vision, portal.sound, portal.bidirectional)
    return (portal.target_id, portal.name, portal.state, *numbers)


def _write_entities(db: sqlite3.Connection, world: World) -> None:
    stored = db.execute("SELECT id FROM entities WHERE world_id = ?", (world.id,)).fetchall()
    gone = [(world.id, entity_id) for (entity_id,) in stored if world.entity(entity_id) is None]
    db.executemany("DELETE FROM entities WHERE world_id = ? AND id = ?", gone)
    for n, entity in enumerate(world.entities.values()):
        db.execute(
            "INSERT INTO entities VALUES (?, ?, ?, ?, ?) ON CONFLICT (world_id, id) DO UPDATE "
            "SET position = excluded.position, location_id = excluded.location_id, "
            "is_agent = excluded.is_agent",
            (world.id, entity.id, n, entity.location_id, entity.is_agent),
        )
        db.executemany(
            "INSERT INTO aliases VALUES (?, ?, ?, ?, ?)",
            [
                (world.id, entity.id, target, m, phrase)
                for m, (target, phrase) in enumerate(entity.aliases.items())
            ],
        )


def _bags(world: World) -> Iterator[tuple[str, str, FactBag]]:
    yield WORLD, world.id, world.facts
    for location in world.locations.values():
        yield LOCATION, location.id, location.facts
    for entity in world.entities.values():
        yield ENTITY, entity.id, entity.facts


def _write_facts(db: sqlite3.Connection, holder: tuple[str, str, str], facts: FactBag) -> None:
    for n, fact in enumerate(facts.system_all()):
        db.execute(
            "INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*holder, fact.name, n, fact.value, fact.visibility.value),
        )
        db.executemany(
            "INSERT INTO viewers VALUES (?, ?, ?, ?, ?, ?)",
            [(*holder, fact.name, m, viewer) for m, viewer in enumerate(fact.allowed())],
        )


def _read_facts(db: sqlite3.Connection, holder: tuple[str, str, str]) -> FactBag:
    where = "world_id = ? AND holder = ? AND holder_id = ?"
    facts = db.execute(
        f"SELECT name, value, visibility FROM facts WHERE {where} ORDER BY position",  # noqa: S608
        holder,
    ).fetchall()
    viewers: dict[str, list[str]] = {name: [] for name, _, _ in facts}
    for name, viewer in db.execute(
        f"SELECT name, viewer_id FROM viewers WHERE {where} ORDER BY position",  # noqa: S608
        holder,
    ):
        viewers[name].append(viewer)
    return FactBag(
        Attribute(name, value, visibility=Visibility(visibility), allowed=viewers[name])
        for name, value, visibility in facts
    )


def _read_locations(db: sqlite3.Connection, world_id: str) -> Iterator[Location]:
    rows = db.execute(
        "SELECT id, parent_id FROM locations WHERE world_id = ? ORDER BY position", (world_id,)
    ).fetchall()
    for location_id, parent_id in rows:
        portals = db.execute(
            "SELECT target_id, name, state, vision, sound, bidirectional FROM portals "
            "WHERE world_id = ? AND location_id = ? ORDER BY position",
            (world_id, location_id),
        ).fetchall()
        yield Location(
            id=location_id,
            parent_id=parent_id,
            facts=_read_facts(db, (world_id, LOCATION, location_id)),
            portals=tuple(
                Portal(
                    target_id=target,
                    name=name,
                    state=state,
                    vision=vision,
                    sound=sound,
                    bidirectional=bool(both),
                )
                for target, name, state, vision, sound, both in portals
            ),
        )


def _read_entities(db: sqlite3.Connection, world_id: str) -> Iterator[Entity]:
    rows = db.execute(
        "SELECT id, location_id, is_agent FROM entities WHERE world_id = ? ORDER BY position",
        (world_id,),
    ).fetchall()
    for entity_id, location_id, is_agent in rows:
        aliases = db.execute(
            "SELECT target_id, phrase FROM aliases WHERE world_id = ? AND entity_id = ? "
            "ORDER BY position",
            (world_id, entity_id),
        ).fetchall()
        yield Entity(
            id=entity_id,
            location_id=location_id,
            is_agent=bool(is_agent),
            facts=_read_facts(db, (world_id, ENTITY, entity_id)),
            aliases=dict(aliases),
        )
