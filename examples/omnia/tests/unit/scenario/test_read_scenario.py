from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from omnia.core import describe_objectively
from omnia.scenario import Scenario, ScenarioError, list_packaged, read_packaged, read_scenario

GOOD: dict[str, Any] = {
    "id": "s",
    "name": "A Story",
    "description": "told by nobody",
    "startTime": "2024-02-29T23:59:00+00:00",
    "locations": [{"id": "a"}, {"id": "b", "parent": "a", "portals": [{"target": "a"}]}],
    "entities": [
        {
            "id": "x",
            "location": "a",
            "attributes": [{"name": "look", "value": "tall", "visibility": "PUBLIC"}],
            "aliases": {"y": "the other"},
            "initialMemories": [{"content": "It rained.", "minutesAgo": 10, "involved": ["y"]}],
        },
        {"id": "y", "attributes": [{"name": "fear", "value": "rain", "allowed": ["x"]}]},
    ],
}


def read(**changes: object) -> Scenario:
    return read_scenario(json.dumps({**GOOD, **changes}))


def problems(**changes: object) -> tuple[str, ...]:
    with pytest.raises(ScenarioError) as caught:
        read(**changes)
    return caught.value.problems


def test_a_good_file_becomes_a_world() -> None:
    """Places, people, facts, lists, aliases, time and memories are all there."""
    scenario = read()
    text = describe_objectively(scenario.world)
    assert "Time: 2024-02-29T23:59:00+00:00" in text
    assert "* fear: rain (Visibility: PRIVATE) (Visible to: x)" in text
    assert 'calls y "the other"' in text
    assert "<-> a (; vision 10, sound 10)" in text
    (memory,) = scenario.memories
    assert memory.moment == scenario.world.clock.now - timedelta(minutes=10)
    assert memory.involved == {"y"}


def test_name_and_description_are_known_to_nobody() -> None:
    """They would give the plot away; only the system reads them."""
    facts = read().world.facts
    assert facts.system_attribute("scenario name").value == "A Story"
    assert facts.system_attribute("description").value == "told by nobody"
    assert facts.visible_for("x") == []


def test_all_problems_are_listed_at_once() -> None:
    """One reading finds every reference to nothing and every duplicate."""
    found = problems(
        world={"attributes": [{"name": "n", "value": "1"}, {"name": "n", "value": "2"}]},
        entities=[
            {"id": "x", "location": "gone", "aliases": {"ghost": "it"}},
            {"id": "x", "attributes": [{"name": "f", "value": "v", "allowed": ["ghost"]}]},
            {"id": "bad id"},
            {
                "id": "z",
                "initialMemories": [{"content": "c", "location": "gone", "involved": ["ghost"]}],
            },
        ],
    )
    assert found == (
        "entity 'x' is there 2 times",
        "entity: an id has no blanks, brackets or @ and is not empty; got 'bad id'",
        "world: attribute 'n' is there 2 times",
        "entity 'x': attribute 'f' allows unknown 'ghost'",
        "entity 'x': unknown location 'gone'",
        "entity 'x': alias for unknown 'ghost'",
        "entity 'z': memory 1 is of unknown location 'gone'",
        "entity 'z': memory 1 involves unknown 'ghost'",
    )


def test_problems_of_the_map_are_found_at_load() -> None:
    """Portals to nowhere and circles of parents never wait for somebody to walk there."""
    found = problems(
        locations=[
            {"id": "a", "parent": "b", "portals": [{"target": "nowhere"}]},
            {"id": "b", "parent": "a"},
        ]
    )
    assert "location 'a': portal leads to unknown 'nowhere'" in found
    assert "locations contain each other in a circle: a inside b inside a" in found


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"startTime": "2024-02-29T23:59:00"}, "startTime"),
        ({"startTime": "yesterday"}, "startTime"),
        ({"stratTime": "x"}, "stratTime"),
        ({"locations": [{"id": "a", "portals": [{"target": "a", "sound": 11}]}]}, "sound"),
        ({"entities": [{"id": "x", "attributes": [{"name": "", "value": "v"}]}]}, "name"),
        ({"entities": [{"id": "x", "attributes": [{"name": "n", "value": 3}]}]}, "value"),
    ],
)
def test_a_malformed_file_says_where(changes: dict[str, object], where: str) -> None:
    """Misspelt keys, naive times, levels off the scale: each with its place in the file."""
    assert any(where in problem for problem in problems(**changes))


def test_a_world_fact_cannot_take_the_loaders_names() -> None:
    """`description` as a fact of the world would collide with the file's own."""
    found = problems(world={"attributes": [{"name": "description", "value": "x"}]})
    assert found == ("world: attribute 'description' is the loader's own",)


def test_a_file_that_is_no_json_says_so() -> None:
    """No traceback of a parser: one problem, with its place."""
    with pytest.raises(ScenarioError, match="Invalid JSON"):
        read_scenario("{")


def test_the_message_shows_every_problem_on_a_line() -> None:
    """What the exception says is what a person needs to mend the file."""
    with pytest.raises(
        ScenarioError, match=r"has 2 problem\(s\):\n  entity.*\n  entity"
    ) as caught:
        read(entities=[{"id": "x", "location": "q"}, {"id": "w", "location": "q"}])
    assert len(str(caught.value).splitlines()) == 3


def test_two_worlds_of_one_scenario_differ_in_their_id() -> None:
    """The caller names the world; everything in it may be called the same."""
    text = json.dumps(GOOD)
    assert read_scenario(text, world_id="w2").world.id == "w2"
    assert read_scenario(text).world.id == "s"


@pytest.mark.parametrize("name", list_packaged())
def test_the_scenarios_that_come_along_are_sound(name: str) -> None:
    """Each can begin, has two places or more, three people or more, and a secret to keep."""
    world = read_scenario(read_packaged(name)).world
    assert len(world.locations) >= 2
    assert len(world.entities) >= 4
    assert any(fact.allowed() for e in world.entities.values() for fact in e.facts.system_all())


def test_an_unknown_scenario_is_named_with_those_there_are() -> None:
    """A misspelt name is answered with the list."""
    with pytest.raises(ScenarioError, match=r"no scenario 'belll'; there are: .*sunken_bell"):
        read_packaged("belll")
