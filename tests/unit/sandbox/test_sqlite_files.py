# ruff: noqa: S108 - paths of a made-up machine, never opened
from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest

from tierwise.sandbox.sqlite_files import classify_database

if TYPE_CHECKING:
    from tierwise.sandbox.world import World


@pytest.mark.parametrize(
    ("database", "expected"),
    [
        ("/data/a.db", [("write", "/data/a.db")]),
        (b"/data/a.db", [("write", "/data/a.db")]),
        (PurePosixPath("/data/a.db"), [("write", "/data/a.db")]),
        ("/tmp/a.db", [("tmp", "/tmp/a.db")]),
        ("file:/data/a.db", [("write", "/data/a.db")]),
        ("file:///data/a%20b.db", [("write", "/data/a b.db")]),
        ("file://localhost/data/a.db?cache=shared", [("write", "/data/a.db")]),
        ("file:/data/a.db?mode=ro", [("read", "/data/a.db")]),
        ("file:/data/a.db?immutable=1", [("read", "/data/a.db")]),
        ("file:a.db?mode=ro", []),
        (":memory:", []),
        ("", []),
        ("file::memory:?cache=shared", []),
        ("file:anything?mode=memory&cache=shared", []),
        (None, [("write", "a database named by a parameter")]),
    ],
)
def test_files_are_told_from_memory(
    world: World, database: object, expected: list[tuple[str, str]]
) -> None:
    """A database in memory is free, mode=ro reads, everything else may write."""
    touches = classify_database("sqlite3.connect", (database,), world)
    assert [(touch.capability.value, touch.target) for touch in touches] == expected
