"""Where one world is kept: the world itself, everybody's buffer, everybody's ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager

    from omnia.core import World
    from omnia.llm import Embedding
    from omnia.memory import Entry, HandoffPlan, Memory


class StoreError(RuntimeError):
    """The store cannot keep or find what it was asked for; nothing was kept in part."""


class Store(Protocol):
    """Keeps one world. What is saved comes back identical, and nothing is shared with it."""

    @property
    def world_id(self) -> str:
        """The world that this store keeps."""
        ...

    def close(self) -> None:
        """Let go of what the store holds; what is saved stays."""
        ...

    def atomic(self) -> AbstractContextManager[None]:
        """Return a block whose writes are all kept, or none when it raises."""
        ...

    def save_world(self, world: World) -> None:
        """Keep the world as it is; what is gone from it is gone from the store."""
        ...

    def load_world(self) -> World | None:
        """Return the world as it was saved last, or None."""
        ...

    def save_entries(self, entries: Iterable[Entry]) -> None:
        """Keep entries; one with a known id replaces the old one."""
        ...

    def entries_of(self, owner_id: str) -> list[Entry]:
        """Return the owner's buffer in order."""
        ...

    def save_memories(self, memories: Iterable[Memory]) -> None:
        """Keep memories; one with a known id replaces the old one and those involved in it."""
        ...

    def memories_of(self, owner_id: str) -> list[Memory]:
        """Return the owner's ledger, oldest first."""
        ...

    def commit_handoff(self, plan: HandoffPlan, embeddings: Mapping[str, Embedding]) -> None:
        """Write a handoff: memories in, entries pinned and deleted, all or nothing."""
        ...

    def last_seq(self) -> int:
        """Return the highest sequence number of any entry; 0 without entries."""
        ...
