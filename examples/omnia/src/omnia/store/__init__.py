"""Where worlds are kept."""

from omnia.store.in_memory import InMemoryStore as InMemoryStore
from omnia.store.protocol import Store as Store, StoreError as StoreError
from omnia.store.sqlite import SqliteStore as SqliteStore, connect as connect

__all__ = ["InMemoryStore", "SqliteStore", "Store", "StoreError", "connect"]
