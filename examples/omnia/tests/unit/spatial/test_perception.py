from __future__ import annotations

import pytest
from omnia.core import Entity, Location, Portal, World
from omnia.spatial import (
    Clarity,
    Containment,
    EventKind,
    Loudness,
    Perception,
    SpatialEvent,
    clarity_of,
    damp,
    default_loudness,
    perceive,
)


def build(*locations: Location, at: dict[str, str | None] | None = None) -> World:
    world = World("w")
    for location in locations:
        world.add_location(location)
    for entity_id, place in (at or {}).items():
        world.add_entity(Entity(id=entity_id, location_id=place))
    return world


def place(location_id: str, *portals: Portal, parent: str | None = None) -> Location:
    return Location(id=location_id, parent_id=parent, portals=portals)


def event(where: str | None = "a", *, vision: int = 10, sound: int = 10) -> SpatialEvent:
    return SpatialEvent(
        actor_id="actor", location_id=where, loudness=Loudness(vision=vision, sound=sound)
    )


def test_who_perceives_what_at_each_step() -> None:
    """From the hall through a door and a window, each place gets its own share."""
    world = build(
        place("a", Portal(target_id="b", vision=5, sound=9)),
        place("b", Portal(target_id="c", vision=10, sound=5)),
        place("c"),
        at={"actor": "a", "near": "a", "far": "c", "mid": "b", "lost": None},
    )
    assert perceive(world, event()) == (
        Perception(step=0, location_id="a", vision=10, sound=10, perceivers=("near",)),
        Perception(step=1, location_id="b", vision=5, sound=9, perceivers=("mid",)),
        Perception(step=2, location_id="c", vision=5, sound=4, perceivers=("far",)),
    )


def test_the_actor_is_no_perceiver_of_its_own_event() -> None:
    """An actor alone in a place reaches nobody there."""
    world = build(place("a"), at={"actor": "a"})
    assert perceive(world, event())[0].perceivers == ()


@pytest.mark.parametrize("where", [None, "gone"])
def test_an_event_nowhere_reaches_nobody(where: str | None) -> None:
    """No place, or one that is not there, carries nothing."""
    assert perceive(build(place("a"), at={"x": None}), event(where)) == ()


@pytest.mark.parametrize(
    ("level", "factor", "left"), [(10, 10, 10), (9, 9, 8), (7, 5, 3), (1, 9, 0), (0, 10, 0)]
)
def test_a_passage_leaves_the_floor_of_its_share(level: int, factor: int, left: int) -> None:
    """A level times the factor over ten, rounded down."""
    assert damp(level, factor) == left


def test_a_channel_that_is_gone_stops_and_the_other_goes_on() -> None:
    """A closed door stops sight; sound passes by itself."""
    world = build(place("a", Portal(target_id="b", vision=0, sound=8)), place("b"))
    assert [(p.location_id, p.vision, p.sound) for p in perceive(world, event())] == [
        ("a", 10, 10),
        ("b", 0, 8),
    ]


def test_the_state_of_a_portal_is_only_text() -> None:
    """`closed` closes nothing; the numbers do."""
    world = build(place("a", Portal(target_id="b", state="closed")), place("b"))
    assert perceive(world, event())[1].vision == 10


def test_a_one_way_mirror_works_one_way() -> None:
    """What happens in the cell is seen in the office, never the other way round."""
    mirror = Portal(target_id="office", sound=0, bidirectional=False)
    world = build(place("cell", mirror), place("office"))
    assert [p.location_id for p in perceive(world, event("cell"))] == ["cell", "office"]
    assert [p.location_id for p in perceive(world, event("office"))] == ["office"]


def test_a_two_way_portal_is_written_once_and_works_both_ways() -> None:
    """The reverse way needs no portal of its own."""
    world = build(place("a"), place("b", Portal(target_id="a")))
    assert [p.location_id for p in perceive(world, event("a"))] == ["a", "b"]


def test_an_event_bubbles_up_to_the_place_around_and_down_again() -> None:
    """A shout in a stall reaches the market around it, then the next stall."""
    world = build(place("market"), place("s1", parent="market"), place("s2", parent="market"))
    assert [
        (p.step, p.location_id, p.vision, p.sound)
        for p in perceive(world, event("s1", vision=10, sound=10))
    ] == [(0, "s1", 10, 10), (1, "market", 5, 7), (2, "s2", 2, 4)]


def test_what_containment_lets_through_can_be_set() -> None:
    """The share between a place and the place around it is a parameter."""
    world = build(place("market"), place("s1", parent="market"))
    thick = perceive(world, event("s1"), Containment(vision=0, sound=1))
    assert [(p.location_id, p.vision, p.sound) for p in thick] == [
        ("s1", 10, 10),
        ("market", 0, 1),
    ]


def test_a_ring_of_open_portals_ends() -> None:
    """Three places in a circle at full strength: each is reached once, and the spreading ends."""
    world = build(
        place("a", Portal(target_id="b", bidirectional=False)),
        place("b", Portal(target_id="c", bidirectional=False)),
        place("c", Portal(target_id="a", bidirectional=False)),
    )
    assert [(p.step, p.location_id) for p in perceive(world, event())] == [
        (0, "a"),
        (1, "b"),
        (2, "c"),
    ]


def test_a_portal_to_the_same_place_is_ignored() -> None:
    """A place does not neighbour itself."""
    world = build(place("a", Portal(target_id="a")))
    assert [(p.step, p.vision) for p in perceive(world, event())] == [(0, 10)]


def test_of_parallel_portals_the_better_one_counts() -> None:
    """A door and a window side by side: each channel takes the better of both."""
    world = build(
        place(
            "a",
            Portal(target_id="b", vision=0, sound=8),
            Portal(target_id="b", vision=9, sound=1),
        ),
        place("b"),
    )
    assert [(p.vision, p.sound) for p in perceive(world, event())] == [(10, 10), (9, 8)]


def test_a_longer_way_that_carries_more_wins_and_sets_the_step() -> None:
    """Through the wall little is heard; around it, in two steps, everything is."""
    world = build(
        place("a", Portal(target_id="c", vision=0, sound=2), Portal(target_id="b", vision=0)),
        place("b", Portal(target_id="c", vision=0)),
        place("c"),
    )
    assert [(p.step, p.location_id, p.sound) for p in perceive(world, event(vision=0))] == [
        (0, "a", 10),
        (1, "b", 10),
        (2, "c", 10),
    ]


def test_of_ways_that_carry_the_same_the_shorter_sets_the_step() -> None:
    """Rounding down can make a short and a long way equal; then the short one counts."""
    world = build(
        place("a", Portal(target_id="x", sound=8), Portal(target_id="m", sound=10)),
        place("m", Portal(target_id="x", sound=9)),
        place("x", Portal(target_id="y", sound=5)),
        place("y"),
    )
    steps = {p.location_id: (p.step, p.sound) for p in perceive(world, event(vision=0))}
    assert steps["x"] == (2, 9)
    assert steps["y"] == (2, 4)


def test_places_of_one_step_come_in_order_of_their_ids() -> None:
    """The order never depends on how the world was written down."""
    world = build(place("a", Portal(target_id="z"), Portal(target_id="b")), place("z"), place("b"))
    assert [p.location_id for p in perceive(world, event())] == ["a", "b", "z"]


@pytest.mark.parametrize(
    ("vision", "sound", "clarity"),
    [
        (5, 0, Clarity.CLEAR),
        (5, 10, Clarity.CLEAR),
        (4, 5, Clarity.AUDIBLE),
        (4, 4, Clarity.FAINT),
        (1, 0, Clarity.FAINT),
        (0, 1, Clarity.FAINT),
        (0, 0, Clarity.NONE),
    ],
)
def test_clarity_has_exact_boundaries(vision: int, sound: int, clarity: Clarity) -> None:
    """From five on something is made out; below it there is only somebody."""
    assert clarity_of(vision=vision, sound=sound) is clarity
    assert Perception(step=0, location_id="a", vision=vision, sound=sound).clarity is clarity


@pytest.mark.parametrize(
    ("kind", "vision", "sound"),
    [
        (EventKind.DIALOGUE, 3, 6),
        (EventKind.WHISPER, 3, 2),
        (EventKind.SHOUT, 3, 9),
        (EventKind.ACTION, 6, 3),
        (EventKind.MONOLOGUE, 0, 0),
    ],
)
def test_each_kind_has_its_usual_loudness(kind: EventKind, vision: int, sound: int) -> None:
    """Talk is heard, deeds are seen."""
    assert default_loudness(kind) == Loudness(vision=vision, sound=sound)


def test_a_thought_reaches_nobody() -> None:
    """A monologue does not even reach the place where it is thought."""
    world = build(place("a"), at={"actor": "a", "near": "a"})
    thought = SpatialEvent.of(EventKind.MONOLOGUE, actor_id="actor", location_id="a")
    assert perceive(world, thought) == ()


@pytest.mark.parametrize("level", [-1, 11])
def test_a_loudness_outside_its_scale_is_refused(level: int) -> None:
    """Levels go from 0 to 10."""
    with pytest.raises(ValueError, match="0 to 10"):
        Loudness(vision=level)
    with pytest.raises(ValueError, match="0 to 10"):
        Loudness(sound=level)
