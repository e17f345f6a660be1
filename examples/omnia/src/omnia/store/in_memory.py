"""A store without a file: for tests, and for a walk that nobody means to continue."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from omnia.memory import in_order
from omnia.store.protocol import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from omnia.core import World
    from omnia.llm import Embedding
    from omnia.memory import Entry, HandoffPlan, Memory


class InMemoryStore:
    """Keeps one world in dictionaries, under the same promises as the SQLite store."""

    def __init__(self, world_id: str) -> None:
        self.world_id = world_id
        self._world: World | None = None
        self._entries: dict[str, Entry] = {}
        self._memories: dict[str, Memory] = {}

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Put everything back when the block raises."""
        before = (self._world, dict(self._entries), dict(self._memories))
        try:
            yield
        except BaseException:
            self._world, self._entries, self._memories = before
            raise

    def save_world(self, world: World) -> None:
        """Keep a copy; buffers and ledgers of entities that are gone go with them."""
        if world.id != self.world_id:
            raise StoreError(f"this store keeps world {self.world_id!r}; got {world.id!r}")
        self._world = world.copy()
        self._entries = {k: e for k, e in self._entries.items() if world.entity(e.owner_id)}
        self._memories = {k: m for k, m in self._memories.items() if world.entity(m.owner_id)}

    def load_world(self) -> World | None:
        """Return a copy of what was saved, or None."""
        return None if self._world is None else self._world.copy()

    def save_entries(self, entries: Iterable[Entry]) -> None:
        """Keep entries by id."""
        with self.atomic():
            for entry in entries:
                self._require_owner(entry.owner_id)
                self._entries[entry.id] = entry

    def entries_of(self, owner_id: str) -> list[Entry]:
        """Return the owner's buffer in order."""
        return in_order(entry for entry in self._entries.values() if entry.owner_id == owner_id)

    def save_memories(self, memories: Iterable[Memory]) -> None:
        """Keep memories by id."""
        with self.atomic():
            for memory in memories:
                self._require_owner(memory.owner_id)
                self._memories[memory.id] = memory

    def memories_of(self, owner_id: str) -> list[Memory]:
        """Return the owner's ledger, oldest first."""
        own = (memory for memory in self._memories.values() if memory.owner_id == owner_id)
        return sorted(own, key=lambda memory: (memory.moment, memory.id))

    def commit_handoff(self, plan: HandoffPlan, embeddings: Mapping[str, Embedding]) -> None:
        """Write a handoff whole."""
        with self.atomic():
            self.save_memories(
                replace(memory, embedding=embeddings.get(memory.id)) for memory in plan.memories
            )
            for entry_id in plan.pinned_ids:
                self._entries[entry_id] = self._entries[entry_id].pin()
            for entry_id in plan.deleted_ids:
                del self._entries[entry_id]

    def last_seq(self) -> int:
        """Return the highest sequence number; 0 without entries."""
        return max((entry.seq for entry in self._entries.values()), default=0)

    def _require_owner(self, owner_id: str) -> None:
        if self._world is None or self._world.entity(owner_id) is None:
            raise StoreError(f"no saved entity {owner_id!r} to own this; save the world first")
