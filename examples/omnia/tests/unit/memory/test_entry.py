from __future__ import annotations

from dataclasses import replace

import pytest
from entries import DEED, THOUGHT, entry
from hypothesis import given, strategies as st
from omnia.core import Entity
from omnia.memory import Entry, Outcome, in_order, render

TOMAS = Entity(id="ent-tomas")
BRAN = Entity(id="ent-bran", aliases={"ent-tomas": "the clerk"})


@given(st.permutations([entry(1), entry(2), entry(3), entry(4, minutes_ago=9)]))
def test_what_shares_a_moment_keeps_the_order_it_happened_in(entries: list[Entry]) -> None:
    """Thoughts take no time, so ties are common: the sequence number breaks them."""
    ordered = in_order(entries)
    assert [e.id for e in ordered] == ["e4", "e1", "e2", "e3"]


def test_an_entry_is_read_as_its_owner_remembers_it() -> None:
    """The same event, in the words of the actor and of a witness."""
    assert render(entry(), TOMAS) == "I waved."
    assert render(entry(), BRAN) == "The clerk waved."


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome(succeeded=True), "I waved. (Outcome: Succeeded)"),
        (Outcome(succeeded=False), "I waved. (Outcome: Failed)"),
        (
            Outcome(succeeded=False, reason="it is out of reach"),
            "I waved. (Outcome: Failed - it is out of reach)",
        ),
    ],
)
def test_an_action_shows_its_outcome(outcome: Outcome, text: str) -> None:
    """Succeeded, or failed and what may be said about why."""
    assert render(replace(entry(), outcome=outcome), TOMAS) == text


def test_only_actions_show_an_outcome() -> None:
    """A thought has none, whatever the record holds."""
    thought = replace(entry(intent=THOUGHT), outcome=Outcome(succeeded=True))
    assert render(thought, TOMAS) == "I waved."


def test_an_entry_begins_with_a_capital() -> None:
    """Whatever was written first becomes the start of a sentence."""
    assert render(entry(intent=replace(DEED, content="it rained.")), TOMAS) == "It rained."


def test_people_are_actor_and_targets_as_far_as_made_out() -> None:
    """Each once, and nobody who was not recognised."""
    seen = replace(DEED, target_ids=("ent-mira", "ent-tomas"))
    assert entry(intent=seen).people == ("ent-tomas", "ent-mira")
    assert entry(intent=replace(DEED, actor_id="")).people == ()
