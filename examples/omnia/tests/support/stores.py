"""Stores that fail on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnia.store import InMemoryStore, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from omnia.core import World
    from omnia.llm import Embedding
    from omnia.memory import Entry, HandoffPlan


class FailingStore(InMemoryStore):
    """Fails at the n-th write of a kind, counted from 1, after having begun it."""

    def __init__(self, world_id: str, **fail_at: int) -> None:
        super().__init__(world_id)
        self._left = dict(fail_at)

    def save_world(self, world: World) -> None:
        """Save, then fail when it is time."""
        super().save_world(world)
        self._count("worlds")

    def save_entries(self, entries: Iterable[Entry]) -> None:
        """Save, then fail when it is time."""
        super().save_entries(entries)
        self._count("entries")

    def commit_handoff(self, plan: HandoffPlan, embeddings: Mapping[str, Embedding]) -> None:
        """Write a handoff, then fail when it is time; nothing of it stays."""
        with self.atomic():
            super().commit_handoff(plan, embeddings)
            self._count("handoffs")

    def _count(self, kind: str) -> None:
        if kind in self._left:
            self._left[kind] -= 1
            if self._left[kind] == 0:
                raise StoreError(f"the disk is full of {kind}")
