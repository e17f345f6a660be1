from __future__ import annotations

from dataclasses import replace

import pytest
from entries import DEED, entry
from omnia.core import Entity
from omnia.memory import Chunk, HandoffAnswer, HandoffPlan, Refusal, plan_handoff
from pydantic import ValidationError

OWNER = Entity(id="ent-tomas", aliases={"ent-mira": "Mira"})
CANDIDATES = [
    entry(1, minutes_ago=90),
    entry(2, minutes_ago=60, place="loc-cellar", intent=replace(DEED, target_ids=("ent-mira",))),
    entry(3, minutes_ago=60, place="loc-pier"),
]


def chunk(*sources: str, **fields: object) -> Chunk:
    return Chunk.model_validate(
        {"source_ids": list(sources), "content": "I waved", "importance": 5, **fields}
    )


def plan(*chunks: Chunk, may_forget: bool = False) -> HandoffPlan | Refusal:
    return plan_handoff(
        OWNER, CANDIDATES, HandoffAnswer(chunks=list(chunks)), may_forget=may_forget
    )


def done(*chunks: Chunk) -> HandoffPlan:
    result = plan(*chunks)
    assert isinstance(result, HandoffPlan)
    return result


def test_empty_chunks_delete_nothing() -> None:
    """An answer without chunks is valid by schema and would forget everything: refused."""
    assert isinstance(plan(), Refusal)


def test_forgetting_has_to_be_asked_for() -> None:
    """With leave to forget, no chunk deletes every candidate and keeps nothing."""
    result = plan(may_forget=True)
    assert isinstance(result, HandoffPlan)
    assert result.memories == ()
    assert result.deleted_ids == ("e1", "e2", "e3")


@pytest.mark.parametrize("invented", ["4", "0", "e1", "01"])
def test_source_ids_that_a_model_invents_are_refused(invented: str) -> None:
    """A source that was never shown refuses the whole answer, with the range that was."""
    result = plan(chunk("1"), chunk("2", invented))
    assert isinstance(result, Refusal)
    assert result.reason == f"unknown sources {invented}; shown were 1 to 3"


def test_quotes_that_nobody_said_are_refused() -> None:
    """A quote stands word by word in one of the chunk's own sources."""
    assert isinstance(plan(chunk("1", quotes=["I waved."])), HandoffPlan)
    result = plan(chunk("1", quotes=["I ran."]))
    assert isinstance(result, Refusal)
    assert result.reason == "nobody said 'I ran.'"


def test_all_inventions_are_named_at_once() -> None:
    """Two faults are two reasons."""
    result = plan(chunk("9"), chunk("1", quotes=["no"]))
    assert isinstance(result, Refusal)
    assert "unknown sources 9" in result.reason
    assert "nobody said 'no'" in result.reason


def test_sources_of_a_retaining_chunk_are_pinned_and_the_rest_deleted() -> None:
    """Also what no chunk names is gone afterwards."""
    result = done(chunk("2", retain=True), chunk("1"))
    assert result.pinned_ids == ("e2",)
    assert result.deleted_ids == ("e1", "e3")


def test_a_memory_has_the_time_and_place_of_its_latest_source() -> None:
    """Not the time of the handoff; ties are broken by the order it happened in."""
    (memory,) = done(chunk("1", "3", "2")).memories
    assert memory.moment == CANDIDATES[2].moment
    assert memory.location_id == "loc-pier"


def test_those_involved_are_read_from_the_sources() -> None:
    """The model is not asked who was there; the owner itself does not count."""
    assert done(chunk("1", "2")).memories[0].involved == {"ent-mira"}
    assert done(chunk("1")).memories[0].involved == frozenset()


def test_ids_are_the_same_on_every_run() -> None:
    """No random numbers and no wall clock; two chunks of one source still differ."""
    first, second = done(chunk("1"), chunk("1")).memories
    assert first.id != second.id
    assert done(chunk("1"), chunk("1")).memories == (first, second)


@pytest.mark.parametrize(
    "bad",
    [
        {"source_ids": []},
        {"content": ""},
        {"importance": 0},
        {"importance": 11},
        {"importance": 2.5},
        {"quotes": "x"},
    ],
)
def test_a_malformed_chunk_is_refused_by_its_schema(bad: dict[str, object]) -> None:
    """Sources, content and an importance from 1 to 10 are required."""
    with pytest.raises(ValidationError):
        chunk("1", **bad)
