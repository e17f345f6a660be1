"""Walking: which ways lead out of a place, and taking one. Fully mechanical, no model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omnia.core import one_line, place_name
from omnia.intent import Intent, IntentKind, make_tag
from omnia.loop.witness import Happening, record
from omnia.memory import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omnia.core import World
    from omnia.loop.game import Game

MINUTES_PER_WAY: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way out, by a name that the walker may know."""

    name: str
    leads_to: str


def find_ways(world: World, walker_id: str) -> list[Way]:
    """Return the ways out of where the walker is, each named once; none from nowhere."""
    walker = world.require_entity(walker_id)
    if walker.location_id is None:
        return []
    ways: dict[str, Way] = {}
    for name, leads_to in _exits(world, walker.location_id):
        shown = place_name(world, leads_to, walker_id) or one_line(name) or "an unmarked way"
        ways.setdefault(leads_to, Way(name=shown, leads_to=leads_to))
    return list(ways.values())


def walk(game: Game, walker_id: str, way: Way) -> None:
    """Take a way: those left behind see the walker go, those ahead see it come."""
    leaving = _step(walker_id, "left")
    after = game.world.copy()
    after.clock.advance(MINUTES_PER_WAY)
    done = Outcome(succeeded=True)
    gone = record(Happening(world=after.copy(), intent=leaving, seq=game.seq + 1, outcome=done))
    after.require_entity(walker_id).location_id = way.leads_to
    coming = _step(walker_id, "came in")
    come = record(Happening(world=after, intent=coming, seq=game.seq + 2, outcome=done))
    with game.store.atomic():
        game.store.save_world(after)
        game.store.save_entries([*gone, *come])
    game.world, game.seq = after, game.seq + 2


def _step(walker_id: str, verb: str) -> Intent:
    content = f"{make_tag(walker_id, 'I')} {verb}."
    return Intent(actor_id=walker_id, kind=IntentKind.ACTION, content=content)


def _exits(world: World, origin_id: str) -> Iterator[tuple[str, str]]:
    for location in world.locations.values():
        for portal in location.portals:
            if location.id == origin_id and portal.target_id != origin_id:
                yield portal.name, portal.target_id
            elif portal.target_id == origin_id and portal.bidirectional:
                yield portal.name, location.id
        if location.parent_id == origin_id:
            yield "", location.id
        elif location.id == origin_id and location.parent_id is not None:
            yield "", location.parent_id
