"""Ask the installed engines for their versions."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def find_versions(engines: Iterable[str]) -> dict[str, str | None]:
    """Return the version of each engine: python, sqlite, or any installed distribution."""
    return {engine: _find_version(engine) for engine in engines}


def _find_version(engine: str) -> str | None:
    if engine == "python":
        return platform.python_version()
    if engine == "sqlite":
        import sqlite3  # noqa: PLC0415  only a project with this floor pays

        return sqlite3.sqlite_version
    from importlib import metadata  # noqa: PLC0415  likewise

    try:
        return metadata.version(engine)
    except metadata.PackageNotFoundError:
        return None
