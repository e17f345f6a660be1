from __future__ import annotations

from omnia.core import Location, Portal
from omnia.spatial import find_map_problems


def test_a_sound_map_has_no_problems() -> None:
    """Known targets, known parents, no circles."""
    places = [Location(id="a", portals=(Portal(target_id="b"),)), Location(id="b", parent_id="a")]
    assert find_map_problems(places) == []


def test_all_problems_are_listed_at_once() -> None:
    """Unknown targets and unknown parents are all named, each with its place."""
    places = [
        Location(id="a", portals=(Portal(target_id="x"), Portal(target_id="y"))),
        Location(id="b", parent_id="z"),
    ]
    assert find_map_problems(places) == [
        "location 'a': portal leads to unknown 'x'",
        "location 'a': portal leads to unknown 'y'",
        "location 'b': unknown parent 'z'",
    ]


def test_a_circle_of_parents_is_named_once() -> None:
    """Two places inside each other are one problem; a place beside them is none."""
    places = [
        Location(id="a", parent_id="b"),
        Location(id="b", parent_id="a"),
        Location(id="c", parent_id="a"),
    ]
    assert find_map_problems(places) == [
        "locations contain each other in a circle: a inside b inside a"
    ]


def test_a_place_inside_itself_is_a_circle() -> None:
    """The smallest circle has one member."""
    assert find_map_problems([Location(id="a", parent_id="a")]) == [
        "locations contain each other in a circle: a inside a"
    ]
