from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given, strategies as st
from omnia.core import Entity, Location, Portal, World
from omnia.spatial import Loudness, SpatialEvent, perceive

PLACES = ("p0", "p1", "p2", "p3", "p4")
LEVELS = st.integers(0, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A portal with the place that it leaves from."""

    origin: str
    portal: Portal


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A world on paper: easy to change in one spot and to build again."""

    ways: tuple[Way, ...]
    parents: tuple[int | None, ...]
    people: tuple[str | None, ...]
    event: SpatialEvent

    def build(self, *, backwards: bool = False) -> World:
        """Return the world, written down forwards or backwards."""
        world = World("w")
        order = -1 if backwards else 1
        for index, place in list(enumerate(PLACES))[::order]:
            parent = self.parents[index]
            portals = [way.portal for way in self.ways if way.origin == place]
            world.add_location(
                Location(
                    id=place,
                    parent_id=None if parent is None else PLACES[parent],
                    portals=tuple(portals[::order]),
                )
            )
        for index, where in list(enumerate(self.people))[::order]:
            world.add_entity(Entity(id=f"e{index}", location_id=where))
        return world

    def perceivers(self) -> set[str]:
        """Return everybody whom the event reaches."""
        return {who for p in perceive(self.build(), self.event) for who in p.perceivers}


ways = st.builds(
    Way,
    origin=st.sampled_from(PLACES),
    portal=st.builds(
        Portal,
        target_id=st.sampled_from(PLACES),
        vision=LEVELS,
        sound=LEVELS,
        bidirectional=st.booleans(),
    ),
)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    parents = [draw(st.none() | st.integers(0, i - 1)) if i else None for i in range(len(PLACES))]
    return Plan(
        ways=tuple(draw(st.lists(ways, min_size=1, max_size=8))),
        parents=tuple(parents),
        people=tuple(draw(st.lists(st.none() | st.sampled_from(PLACES), max_size=6))),
        event=SpatialEvent(
            actor_id="e0",
            location_id=draw(st.sampled_from(PLACES)),
            loudness=Loudness(vision=draw(LEVELS), sound=draw(LEVELS)),
        ),
    )


def change(plan: Plan, index: int, **changes: object) -> Plan:
    way = plan.ways[index % len(plan.ways)]
    changed = replace(way, portal=replace(way.portal, **changes))  # type: ignore[arg-type]
    return replace(plan, ways=tuple(changed if w is way else w for w in plan.ways))


@given(plans(), st.integers(0, 7), LEVELS, LEVELS)
def test_opening_a_portal_never_hides_anything(
    plan: Plan, index: int, vision: int, sound: int
) -> None:
    """Raising what a portal lets through removes no perceiver and lowers no level."""
    portal = plan.ways[index % len(plan.ways)].portal
    opened = change(plan, index, vision=max(portal.vision, vision), sound=max(portal.sound, sound))
    assert plan.perceivers() <= opened.perceivers()
    after = {p.location_id: p for p in perceive(opened.build(), opened.event)}
    for before in perceive(plan.build(), plan.event):
        assert after[before.location_id].vision >= before.vision
        assert after[before.location_id].sound >= before.sound


@given(plans(), st.integers(0, 7))
def test_closing_the_way_back_never_adds_a_perceiver(plan: Plan, index: int) -> None:
    """A portal that works one way only shows no more than one that works both ways."""
    assert change(plan, index, bidirectional=False).perceivers() <= plan.perceivers()


@given(plans())
def test_the_order_of_writing_changes_nothing(plan: Plan) -> None:
    """Places, portals and people may be written down in any order."""
    assert perceive(plan.build(), plan.event) == perceive(plan.build(backwards=True), plan.event)


@given(plans())
def test_nothing_is_louder_than_at_its_origin(plan: Plan) -> None:
    """The origin has the event's own levels, and every other place at most those."""
    perceptions = perceive(plan.build(), plan.event)
    for perception in perceptions:
        assert perception.vision <= plan.event.loudness.vision
        assert perception.sound <= plan.event.loudness.sound
    if perceptions:
        assert perceptions[0].location_id == plan.event.location_id
        assert perceptions[0].step == 0


@given(plans())
def test_a_world_without_ways_to_it_perceives_nothing(plan: Plan) -> None:
    """A second map that nothing leads to changes no result and hears nothing."""
    world = plan.build()
    world.add_location(Location(id="q0", portals=(Portal(target_id="q1"),)))
    world.add_location(Location(id="q1"))
    world.add_entity(Entity(id="hermit", location_id="q0"))
    assert perceive(world, plan.event) == perceive(plan.build(), plan.event)
