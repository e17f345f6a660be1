from __future__ import annotations

from typing import Literal

import pytest
from omnia.architect import Delta, FactChange, Rejected, apply_delta
from omnia.core import Visibility, World, describe_objectively
from pydantic import ValidationError
from worlds import build_inn


def delta(minutes: int = 5, *changes: FactChange) -> Delta:
    return Delta(minutes=minutes, explanation="because", changes=list(changes))


def change(
    op: Literal["set", "add", "remove"], name: str, value: str = "", entity_id: str = "ent-mira"
) -> FactChange:
    return FactChange(entity_id=entity_id, name=name, op=op, value=value)


def applied(*changes: FactChange) -> World:
    after = apply_delta(build_inn(), delta(5, *changes))
    assert isinstance(after, World)
    return after


@pytest.mark.parametrize("minutes", [0, 1, 24 * 60])
def test_time_passes_on_the_new_world_alone(minutes: int) -> None:
    """The world given keeps its clock; zero minutes are allowed, a whole day is too."""
    world = build_inn()
    before = world.clock.now
    after = apply_delta(world, delta(minutes))
    assert isinstance(after, World)
    assert (after.clock.now - before).total_seconds() == minutes * 60
    assert world.clock.now == before


def test_a_model_cannot_skip_more_than_a_day() -> None:
    """Minutes above the cap reject the delta; they are not cut down to it."""
    after = apply_delta(build_inn(), delta(24 * 60 + 1))
    assert after == Rejected(reason="1441 minutes is more than 1440")


@pytest.mark.parametrize("minutes", [-1, 1.5, "soon", None])
def test_negative_and_broken_minutes_are_malformed(minutes: object) -> None:
    """The schema refuses them before any rule of ours is asked."""
    with pytest.raises(ValidationError):
        Delta.model_validate({"minutes": minutes, "explanation": "x"})


def test_set_keeps_who_may_know() -> None:
    """A new value does not open or close a fact."""
    fact = applied(change("set", "secret", "moved")).require_entity("ent-mira").facts
    assert fact.system_attribute("secret").value == "moved"
    assert fact.system_attribute("secret").allowed() == ("ent-mira",)


def test_a_new_fact_is_closed() -> None:
    """What a model adds is known to nobody until somebody is told."""
    facts = applied(change("add", "wound", "a cut")).require_entity("ent-mira").facts
    assert facts.system_attribute("wound").visibility is Visibility.PRIVATE
    assert facts.system_attribute("wound").allowed() == ()


def test_remove_takes_a_fact_away() -> None:
    """After it the name is free."""
    assert "secret" not in applied(change("remove", "secret")).require_entity("ent-mira").facts


@pytest.mark.parametrize(
    "bad",
    [
        change("add", "look", "x"),
        change("set", "wound", "x"),
        change("remove", "wound"),
        change("set", "look", "x", entity_id="ent-dragon"),
        change("add", " ", "x"),
    ],
)
def test_one_bad_change_rejects_the_whole_delta(bad: FactChange) -> None:
    """Good changes beside it are not applied, and no time passes."""
    world = build_inn()
    before = describe_objectively(world)
    after = apply_delta(world, delta(5, change("set", "look", "wet"), bad))
    assert isinstance(after, Rejected)
    assert describe_objectively(world) == before


def test_a_change_with_an_unknown_key_is_malformed() -> None:
    """A model that tries to set who may know is refused, not half followed."""
    with pytest.raises(ValidationError, match="visibility"):
        FactChange.model_validate(
            {"entity_id": "a", "name": "b", "op": "add", "value": "c", "visibility": "PUBLIC"}
        )
