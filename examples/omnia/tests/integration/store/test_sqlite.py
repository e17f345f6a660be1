from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from entries import entry
from omnia.core import describe_objectively
from omnia.scenario import read_packaged, read_scenario
from omnia.store import SqliteStore, StoreError, connect
from worlds import build_inn

if TYPE_CHECKING:
    from pathlib import Path


def test_a_world_survives_closing_the_file(tmp_path: Path) -> None:
    """Reloaded from the file by another connection, it is identical."""
    path = tmp_path / "worlds.db"
    store = SqliteStore.open(path, "inn")
    store.save_world(build_inn())
    store.save_entries([entry(1)])
    store.close()
    again = SqliteStore.open(path, "inn")
    loaded = again.load_world()
    assert loaded is not None
    assert describe_objectively(loaded) == describe_objectively(build_inn())
    assert again.entries_of("ent-tomas") == [entry(1)]
    again.close()


def test_two_worlds_of_one_scenario_share_a_file_and_nothing_else(tmp_path: Path) -> None:
    """They have the same ids for everybody; saving one leaves the other as it was."""
    db = connect(tmp_path / "worlds.db")
    text = read_packaged("sunken_bell")
    stores = {name: SqliteStore(db, name) for name in ("first", "second")}
    for name, store in stores.items():
        read_scenario(text, world_id=name).save_to(store)
    first = stores["first"].load_world()
    assert first is not None
    first.require_entity("ent-mira").facts.system_attribute("look").value = "changed"
    first.remove_entity("ent-tomas")
    stores["first"].save_world(first)
    second = stores["second"].load_world()
    assert second is not None
    expected = read_scenario(text, world_id="second").world
    assert describe_objectively(second) == describe_objectively(expected)
    assert len(stores["second"].memories_of("ent-mira")) == 1
    db.close()


def test_foreign_keys_are_on(tmp_path: Path) -> None:
    """The database itself refuses a row that hangs on nothing."""
    db = connect(tmp_path / "worlds.db")
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("INSERT INTO aliases VALUES ('w', 'nobody', 't', 0, 'x')")
    db.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A file of another kind is named, and left as it is."""
    path = tmp_path / "notes.txt"
    path.write_text("no database, for sure, and long enough to be read as one " * 20)
    with pytest.raises(StoreError, match="is no saved world"):
        connect(path)
    assert path.read_text().startswith("no database")


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """A path that cannot be opened is an error of ours, with its reason."""
    with pytest.raises(StoreError, match="cannot be opened"):
        connect(tmp_path / "missing" / "world.db")


def test_a_file_of_another_schema_is_refused(tmp_path: Path) -> None:
    """Both versions are named, and nothing is written."""
    path = tmp_path / "worlds.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="has schema 99; this Omnia reads 1"):
        connect(path)
