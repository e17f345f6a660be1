"""A project for the readers of CI, made of texts alone."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class TextProject:
    """Holds its files in memory; a folder is there when a file lies below it."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)

    def read(self, path: str) -> str | None:
        """Return a file's text."""
        return self._files.get(path)

    def has(self, path: str) -> bool:
        """Tell whether there is such a file or folder."""
        return path in self._files or any(one.startswith(f"{path}/") for one in self._files)

    def find(self, pattern: str) -> tuple[str, ...]:
        """Return the paths that match a pattern."""
        return tuple(sorted(path for path in self._files if fnmatchcase(path, pattern)))
