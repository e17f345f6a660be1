from __future__ import annotations

from dataclasses import replace

from entries import DEED, NOON, entry, memory
from omnia.actor import build_actor_prompt
from omnia.core import World, WorldClock
from worlds import KEY_PLACE, build_inn


def inn_at_noon() -> World:
    world = build_inn()
    world.clock = WorldClock(NOON)
    return world


def test_the_prompt_speaks_to_its_actor_and_holds_its_view() -> None:
    """What the actor sees is there; what another hides is not."""
    prompt = build_actor_prompt(inn_at_noon(), "ent-tomas")
    assert prompt.viewer == "ent-tomas"
    assert "It is afternoon." in prompt.user
    assert "Here is the innkeeper" in prompt.user
    assert KEY_PLACE not in prompt.user
    assert KEY_PLACE in build_actor_prompt(inn_at_noon(), "ent-mira").user


def test_memories_come_with_their_age() -> None:
    """As a person would say it."""
    prompt = build_actor_prompt(inn_at_noon(), "ent-tomas", remembered=[memory(hours_ago=2)])
    assert "You remember:\n* a couple hours ago: memory 1" in prompt.user


def test_recent_entries_are_grouped_by_how_long_ago() -> None:
    """The last twenty, in order, each phrase once."""
    lately = [entry(n, minutes_ago=60 - n * 2) for n in range(30)]
    lines = build_actor_prompt(inn_at_noon(), "ent-tomas", lately=lately[::-1]).user.splitlines()
    recent = lines[lines.index("Lately:") + 1 :]
    assert [line for line in recent if line.endswith(":")] == [
        "about half an hour ago:",
        "several minutes ago:",
        "a few minutes ago:",
        "moments ago:",
    ]
    assert recent.count("* I waved.") == 20


def test_no_id_and_no_tag_reaches_the_prompt() -> None:
    """Entries are read in the actor's own words."""
    seen = replace(DEED, actor_id="ent-mira", content="entity@ent-mira[I] saw entity@ent-x[it].")
    prompt = build_actor_prompt(inn_at_noon(), "ent-tomas", lately=[entry(intent=seen)])
    assert "* The innkeeper saw an unfamiliar figure." in prompt.user
    assert "ent-" not in prompt.user
    assert "@" not in prompt.user


def test_nothing_to_remember_has_no_section() -> None:
    """An empty heading would only confuse."""
    prompt = build_actor_prompt(inn_at_noon(), "ent-tomas")
    assert "You remember" not in prompt.user
    assert "Lately" not in prompt.user
