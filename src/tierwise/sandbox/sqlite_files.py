"""Touches of SQLite database files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

from tierwise.domain import Capability, Touch
from tierwise.sandbox.files import read, written

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]


def classify_database(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge the database that is opened or attached.

    In-memory ones touch nothing; a URI with `mode=ro` reads; every other one is written, since
    SQLite creates what is missing. None is an ATTACH whose name comes from a parameter: it cannot
    be told, so it is no database that is allowed for being in memory or in the temporary folder.
    """
    database = args[0]
    if database is None:
        target = "a database named by a parameter"
        return (Touch(capability=Capability.WRITE, target=target, event=event),)
    name = os.fsdecode(database)
    if not name.startswith("file:"):
        return () if name in {"", ":memory:"} else written(event, name, world)
    path, _, query = name[len("file:") :].partition("?")
    options = parse_qs(query.partition("#")[0])
    location = unquote(path.partition("#")[0])
    if location.startswith("//"):
        location = "/" + location[2:].partition("/")[2]
    if location in {"", ":memory:"} or options.get("mode") == ["memory"]:
        return ()
    is_read = options.get("mode") == ["ro"] or options.get("immutable") == ["1"]
    return read(event, location, world) if is_read else written(event, location, world)


CLASSIFIERS: Mapping[str, Classifier] = {"sqlite3.connect": classify_database}
