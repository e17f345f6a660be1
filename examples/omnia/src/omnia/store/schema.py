"""The tables. Every key begins with the world's id, so that two worlds never share a row."""

from __future__ import annotations

from typing import Final

SCHEMA_VERSION: Final = 1

TABLES: Final = """
CREATE TABLE worlds (id TEXT PRIMARY KEY, clock TEXT NOT NULL) STRICT;
CREATE TABLE locations (
  world_id TEXT NOT NULL REFERENCES worlds ON DELETE CASCADE,
  id TEXT NOT NULL, position INTEGER NOT NULL, parent_id TEXT,
  PRIMARY KEY (world_id, id)
) STRICT;
CREATE TABLE portals (
  world_id TEXT NOT NULL, location_id TEXT NOT NULL, position INTEGER NOT NULL,
  target_id TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL,
  vision INTEGER NOT NULL, sound INTEGER NOT NULL, bidirectional INTEGER NOT NULL,
  PRIMARY KEY (world_id, location_id, position),
  FOREIGN KEY (world_id, location_id) REFERENCES locations ON DELETE CASCADE
) STRICT;
CREATE TABLE entities (
  world_id TEXT NOT NULL REFERENCES worlds ON DELETE CASCADE,
  id TEXT NOT NULL, position INTEGER NOT NULL, location_id TEXT, is_agent INTEGER NOT NULL,
  PRIMARY KEY (world_id, id)
) STRICT;
CREATE TABLE aliases (
  world_id TEXT NOT NULL, entity_id TEXT NOT NULL, target_id TEXT NOT NULL,
  position INTEGER NOT NULL, phrase TEXT NOT NULL,
  PRIMARY KEY (world_id, entity_id, target_id),
  FOREIGN KEY (world_id, entity_id) REFERENCES entities ON DELETE CASCADE
) STRICT;
CREATE TABLE facts (
  world_id TEXT NOT NULL REFERENCES worlds ON DELETE CASCADE,
  holder TEXT NOT NULL, holder_id TEXT NOT NULL, name TEXT NOT NULL,
  position INTEGER NOT NULL, value TEXT NOT NULL, visibility TEXT NOT NULL,
  PRIMARY KEY (world_id, holder, holder_id, name)
) STRICT;
CREATE TABLE viewers (
  world_id TEXT NOT NULL, holder TEXT NOT NULL, holder_id TEXT NOT NULL, name TEXT NOT NULL,
  position INTEGER NOT NULL, viewer_id TEXT NOT NULL,
  PRIMARY KEY (world_id, holder, holder_id, name, viewer_id),
  FOREIGN KEY (world_id, holder, holder_id, name) REFERENCES facts ON DELETE CASCADE
) STRICT;
CREATE TABLE entries (
  world_id TEXT NOT NULL, id TEXT NOT NULL, owner_id TEXT NOT NULL, moment TEXT NOT NULL,
  seq INTEGER NOT NULL, location_id TEXT, intent TEXT NOT NULL,
  succeeded INTEGER, reason TEXT, pinned INTEGER NOT NULL,
  PRIMARY KEY (world_id, id),
  FOREIGN KEY (world_id, owner_id) REFERENCES entities ON DELETE CASCADE
) STRICT;
CREATE TABLE memories (
  world_id TEXT NOT NULL, id TEXT NOT NULL, owner_id TEXT NOT NULL, moment TEXT NOT NULL,
  location_id TEXT, content TEXT NOT NULL, importance INTEGER NOT NULL, quotes TEXT NOT NULL,
  embedding TEXT,
  PRIMARY KEY (world_id, id),
  FOREIGN KEY (world_id, owner_id) REFERENCES entities ON DELETE CASCADE
) STRICT;
CREATE TABLE memory_people (
  world_id TEXT NOT NULL, memory_id TEXT NOT NULL, person_id TEXT NOT NULL,
  PRIMARY KEY (world_id, memory_id, person_id),
  FOREIGN KEY (world_id, memory_id) REFERENCES memories ON DELETE CASCADE
) STRICT;
"""
