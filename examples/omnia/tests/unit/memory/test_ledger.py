from __future__ import annotations

from dataclasses import replace

import pytest
from entries import NOON, memory
from omnia.memory import Memory, Recall, Situation, Weights, find_relevant, recall, score

HERE = Situation(owner_id="ent-tomas", now=NOON, location_id="loc-hall")


def ids(memories: list[Memory]) -> list[str]:
    return [m.id for m in memories]


@pytest.mark.parametrize("importance", [0, 11])
def test_importance_goes_from_one_to_ten(importance: int) -> None:
    """Anything else is refused."""
    with pytest.raises(ValueError, match="1 to 10"):
        memory(importance=importance)


def test_relevant_is_what_matters_was_here_or_involves_those_here() -> None:
    """Any of the three is enough; none of them is not."""
    with_mira = replace(HERE, involved=frozenset({"ent-mira"}))
    memories = [
        memory(1, importance=8),
        memory(2, place="loc-hall"),
        memory(3, involved=frozenset({"ent-mira"})),
        memory(4, importance=7, place="loc-pier", involved=frozenset({"ent-bran"})),
    ]
    assert {m.id for m in find_relevant(memories, with_mira)} == {"m001", "m002", "m003"}


def test_no_place_matches_no_place() -> None:
    """Being nowhere is not being in the same place as a memory of nowhere."""
    nowhere = Situation(owner_id="ent-tomas", now=NOON)
    assert find_relevant([memory(place=None), memory(2, place="x")], nowhere) == []


def test_another_ones_memories_never_come_to_mind() -> None:
    """However important they are."""
    foreign = replace(memory(importance=10, place="loc-hall"), owner_id="ent-mira")
    assert find_relevant([foreign], HERE) == []
    assert recall([foreign], HERE) == []


def test_relevant_memories_come_newest_first_up_to_the_limit() -> None:
    """Ties of time are broken by id, so that the order is always the same."""
    memories = [memory(n, hours_ago=n // 2, place="loc-hall") for n in range(6)]
    assert ids(find_relevant(memories, HERE, limit=4)) == ["m001", "m000", "m003", "m002"]
    assert find_relevant(memories, HERE, limit=4) == find_relevant(memories[::-1], HERE, limit=4)


def test_the_score_adds_what_it_is_made_of() -> None:
    """Recency fades by one percent an hour, importance counts in tenths, likeness by cosine."""
    one = memory(hours_ago=2, importance=4, embedding=(1.0, 0.0))
    like = replace(HERE, embedding=(1.0, 0.0))
    assert score(one, HERE) == pytest.approx(0.99**2 + 0.4)
    assert score(one, like) == pytest.approx(0.99**2 + 0.4 + 1.0)
    assert score(one, like, Weights(recency=0, importance=2, likeness=3)) == pytest.approx(3.8)
    assert score(one, replace(HERE, embedding=(1.0,))) == pytest.approx(0.99**2 + 0.4)


def test_a_memory_of_the_future_counts_as_of_now() -> None:
    """A clock set back does not make a memory stronger than a fresh one."""
    assert score(memory(hours_ago=-50), HERE) == score(memory(hours_ago=0), HERE)


def test_an_old_memory_of_great_importance_is_never_out_of_reach() -> None:
    """A hundred newer matches do not push it out before it is scored."""
    newer = [memory(n, hours_ago=0.1, place="loc-hall", importance=1) for n in range(150)]
    old = memory(999, hours_ago=5, importance=10)
    assert "m999" in ids(recall([*newer, old], HERE))


def test_what_comes_to_mind_comes_in_order_of_time() -> None:
    """The strongest are chosen; they are told oldest first."""
    memories = [memory(n, hours_ago=n, place="loc-hall", importance=n % 9 + 1) for n in range(9)]
    chosen = recall(memories, HERE, Recall(limit=3))
    assert ids(chosen) == ["m008", "m007", "m006"]


def test_equal_scores_are_broken_by_id() -> None:
    """The same memories are chosen whatever order they come in."""
    memories = [memory(n, place="loc-hall") for n in range(5)]
    assert ids(recall(memories, HERE, Recall(limit=2))) == ["m000", "m001"]
    assert recall(memories, HERE, Recall(limit=2)) == recall(memories[::-1], HERE, Recall(limit=2))


def test_siblings_of_one_moment_are_neighbours() -> None:
    """One handoff writes several memories of one time; they belong together."""
    memories = [memory(n, hours_ago=3) for n in (1, 3)]
    middle = memory(2, hours_ago=3, place="loc-hall")
    chosen = recall([*memories, middle], HERE, Recall(limit=1, with_neighbours=True))
    assert ids(chosen) == ["m001", "m002", "m003"]


def test_neighbours_come_on_top_of_the_limit_and_are_the_owners() -> None:
    """What lay just before and just after, once each, of nobody else."""
    line = [memory(n, hours_ago=9 - n) for n in range(5)]
    line[2] = replace(line[2], location_id="loc-hall")
    foreign = replace(memory(50, hours_ago=6.5), owner_id="ent-mira")
    chosen = recall([*line, foreign], HERE, Recall(limit=1, with_neighbours=True))
    assert ids(chosen) == ["m001", "m002", "m003"]
    assert ids(recall(line, HERE, Recall(limit=1))) == ["m002"]
