from __future__ import annotations

from dataclasses import replace

import pytest
from entries import DEED, THOUGHT, entry
from omnia.core import Entity
from omnia.memory import Trigger, find_trigger


def tomas(place: str | None = "loc-hall", **facts: str) -> Entity:
    entity = Entity(id="ent-tomas", location_id=place)
    for name, value in facts.items():
        entity.facts.add(name, value)
    return entity


def test_nothing_lived_through_is_nothing_to_hand_over() -> None:
    """An empty buffer is never due, not even of somebody unconscious."""
    assert find_trigger(tomas(status="asleep"), []) is Trigger.NONE


@pytest.mark.parametrize(("count", "due"), [(20, Trigger.NONE), (21, Trigger.INVOLUNTARY)])
def test_more_than_twenty_entries_must_be_handed_over(count: int, due: Trigger) -> None:
    """Twenty is still fine."""
    assert find_trigger(tomas(), [entry(n) for n in range(count)]) is due


def test_pinned_entries_trigger_nothing() -> None:
    """What no handoff takes away does not make one due at every turn."""
    pinned = [entry(n, pinned=True, place="loc-cellar") for n in range(30)]
    assert find_trigger(tomas(), pinned) is Trigger.NONE
    assert find_trigger(tomas(), [*pinned, entry(99)]) is Trigger.NONE


@pytest.mark.parametrize(
    ("length", "context", "due"),
    [
        (240, 100, Trigger.NONE),
        (241, 100, Trigger.INVOLUNTARY),
        (241, 0, Trigger.NONE),
    ],
)
def test_a_buffer_too_long_for_the_context_must_be_handed_over(
    length: int, context: int, due: Trigger
) -> None:
    """Six tenths of the context at four characters a token; a context of 0 sets no limit."""
    long = replace(DEED, content="X" * length)
    assert find_trigger(tomas(), [entry(intent=long)], max_context=context) is due


@pytest.mark.parametrize(
    ("now_in", "lived_in", "due"),
    [
        ("loc-hall", ["loc-hall"], Trigger.NONE),
        ("loc-cellar", ["loc-hall"], Trigger.VOLUNTARY),
        ("loc-hall", ["loc-cellar", "loc-hall"], Trigger.VOLUNTARY),
        (None, ["loc-hall"], Trigger.NONE),
        ("loc-hall", [None], Trigger.NONE),
    ],
)
def test_leaving_the_scene_allows_a_handoff(
    now_in: str | None, lived_in: list[str | None], due: Trigger
) -> None:
    """Standing elsewhere than the last entry, or entries of two places; nowhere is no place."""
    entries = [entry(n, place=place) for n, place in enumerate(lived_in)]
    assert find_trigger(tomas(now_in), entries) is due


@pytest.mark.parametrize(("thoughts", "due"), [(4, Trigger.NONE), (5, Trigger.VOLUNTARY)])
def test_five_thoughts_in_a_row_allow_a_handoff(thoughts: int, due: Trigger) -> None:
    """Four are not enough, and neither are five after which something was done."""
    musing = [entry(n + 1, intent=THOUGHT) for n in range(thoughts)]
    assert find_trigger(tomas(), [entry(0), *musing]) is due
    assert find_trigger(tomas(), [*musing, entry(99)]) is Trigger.NONE


@pytest.mark.parametrize("status", ["unconscious", "asleep", "Dead", " inactive "])
def test_who_is_out_of_it_may_hand_over(status: str) -> None:
    """The body decides, though nobody may know of its state, the owner included."""
    assert find_trigger(tomas(status=status), [entry()]) is Trigger.VOLUNTARY
    assert find_trigger(tomas(status="awake"), [entry()]) is Trigger.NONE


def test_consciousness_has_a_fact_of_its_own() -> None:
    """`consciousness: unconscious` counts like a status."""
    assert find_trigger(tomas(consciousness="Unconscious"), [entry()]) is Trigger.VOLUNTARY


def test_what_must_be_comes_before_what_may_be() -> None:
    """A full buffer of somebody asleep is due at once."""
    entries = [entry(n) for n in range(21)]
    assert find_trigger(tomas(status="asleep"), entries) is Trigger.INVOLUNTARY
