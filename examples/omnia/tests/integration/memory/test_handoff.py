from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from entries import NOON, entry
from omnia.llm import Embedder, Embedding, WordEmbedder
from omnia.memory import Handoff, HandoffReport
from omnia.store import InMemoryStore, StoreError
from stores import FailingStore
from worlds import KEY_PLACE, build_inn

from tierwise.providers import Failure, FailureKind, MockProvider

MakeMock = Callable[..., MockProvider]

GOOD = {
    "chunks": [
        {"source_ids": ["1", "2"], "content": "I waved twice.", "quotes": [], "importance": 3},
        {
            "source_ids": ["3"],
            "content": "I waved once more.",
            "quotes": ["I waved."],
            "importance": 9,
            "retain": True,
        },
    ]
}


@dataclass(frozen=True)
class NoEmbedder:
    """Fails at every text."""

    async def embed(self, text: str) -> Embedding | Failure:
        """Return a failure."""
        return Failure(kind=FailureKind.UNAVAILABLE, message="no vectors today")


def fill(store: InMemoryStore, count: int = 12) -> InMemoryStore:
    store.save_world(build_inn())
    store.save_entries([entry(n, minutes_ago=200 - n) for n in range(1, count + 1)])
    return store


def hand_over(
    store: InMemoryStore,
    provider: MockProvider,
    *,
    embedder: Embedder | None = None,
    may_forget: bool = False,
) -> HandoffReport:
    handoff = Handoff(
        provider=provider,
        embedder=embedder or WordEmbedder(),
        store=store,
        may_forget=may_forget,
    )
    tomas = build_inn().require_entity("ent-tomas")
    return asyncio.run(handoff.run(tomas, store.entries_of("ent-tomas"), NOON))


def snapshot(store: InMemoryStore) -> object:
    return store.entries_of("ent-tomas"), store.memories_of("ent-tomas")


def test_what_is_old_becomes_memory(mock_provider: MakeMock) -> None:
    """Condensed sources go, retained ones are pinned, unnamed ones go, the tail stays."""
    store = fill(InMemoryStore("inn"))
    report = hand_over(store, mock_provider([GOOD]))
    assert report == HandoffReport(done=True)
    assert [(e.id, e.pinned) for e in store.entries_of("ent-tomas")][:2] == [
        ("e3", True),
        ("e5", False),
    ]
    first, second = store.memories_of("ent-tomas")
    assert (first.content, second.content) == ("I waved twice.", "I waved once more.")
    assert first.embedding is not None
    assert first.moment == entry(2, minutes_ago=198).moment


def test_a_small_buffer_asks_no_model(mock_provider: MakeMock) -> None:
    """With nothing old enough there is nothing to condense."""
    provider = mock_provider([])
    report = hand_over(fill(InMemoryStore("inn"), 8), provider)
    assert not report.done
    assert provider.calls == ()


@pytest.mark.parametrize(
    "answer",
    [
        "no json",
        {"chunks": []},
        {"chunks": [{"source_ids": ["77"], "content": "I dreamt.", "importance": 5}]},
        {
            "chunks": [
                {"source_ids": ["1"], "content": "x", "importance": 5, "quotes": ["I fled."]}
            ]
        },
    ],
)
def test_an_answer_that_cannot_be_believed_changes_nothing(
    mock_provider: MakeMock, answer: object
) -> None:
    """Failures, empty chunks, invented sources and quotes: every entry is still there."""
    store = fill(InMemoryStore("inn"))
    before = snapshot(store)
    assert not hand_over(store, mock_provider([answer])).done
    assert snapshot(store) == before


def test_forgetting_on_purpose_is_possible(mock_provider: MakeMock) -> None:
    """With leave to forget, an empty answer empties what is old."""
    store = fill(InMemoryStore("inn"))
    assert hand_over(store, mock_provider([{"chunks": []}]), may_forget=True).done
    assert [e.id for e in store.entries_of("ent-tomas")] == [f"e{n}" for n in range(5, 13)]


def test_without_vectors_nothing_is_written(mock_provider: MakeMock) -> None:
    """All embeddings come first; one that fails leaves everything as it was."""
    store = fill(InMemoryStore("inn"))
    before = snapshot(store)
    report = hand_over(store, mock_provider([GOOD]), embedder=NoEmbedder())
    assert report == HandoffReport(done=False, reason="no vectors today")
    assert snapshot(store) == before


def test_a_write_that_fails_is_rolled_back(mock_provider: MakeMock) -> None:
    """Memories, pins and deletions happen together or not at all."""
    store = fill(FailingStore("inn", handoffs=1))
    before = snapshot(store)
    with pytest.raises(StoreError, match="full of handoffs"):
        hand_over(store, mock_provider([GOOD]))
    assert snapshot(store) == before


def test_the_prompt_is_the_owners_and_has_no_ids(mock_provider: MakeMock) -> None:
    """Numbers stand for entries; the text is the owner's own view."""
    provider = mock_provider([GOOD])
    hand_over(fill(InMemoryStore("inn")), provider)
    request = provider.calls[0].request
    assert request.viewer == "ent-tomas"
    assert "1. I waved.\n2. I waved." in request.prompt_text
    assert "ent-" not in request.prompt_text
    assert KEY_PLACE not in request.prompt_text
