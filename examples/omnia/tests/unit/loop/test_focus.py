from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from entries import DEED, entry
from omnia.core import Entity, World
from omnia.loop import find_focus
from worlds import build_inn

if TYPE_CHECKING:
    from omnia.memory import Entry


def crowd() -> World:
    world = build_inn()
    for name in ("ada", "cole"):
        world.add_entity(Entity(id=f"ent-{name}", location_id="loc-hall"))
    return world


def by(actor: str, n: int, *targets: str) -> Entry:
    return entry(n, intent=replace(DEED, actor_id=f"ent-{actor}", target_ids=targets))


def test_up_to_three_here_are_all_in_mind() -> None:
    """Nobody has to be looked for."""
    assert find_focus(build_inn(), "ent-tomas", []) == ("ent-mira", "ent-bran")


def test_of_more_the_latest_three_are_in_mind() -> None:
    """Actors and targets count, the newest first, each once, and only those here."""
    entries = [by("mira", 1), by("cole", 2), by("bran", 3, "ent-ada"), by("gone", 4)]
    assert find_focus(crowd(), "ent-tomas", entries) == (
        "ent-bran",
        "ent-ada",
        "ent-cole",
    )


def test_only_the_last_ten_entries_count() -> None:
    """Who spoke eleven entries ago is out of mind."""
    old = [by("mira", 0), *(by("tomas", n) for n in range(1, 11))]
    assert find_focus(crowd(), "ent-tomas", old) == ()
    assert find_focus(crowd(), "ent-tomas", old[:10]) == ("ent-mira",)
