"""The files of a project, as the readers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST = 2_000_000


class Project(Protocol):
    """What readers ask; paths are relative to the project, with `/`."""

    def read(self, path: str) -> str | None:
        """Return a file's text; None when it is not there or cannot be read."""

    def has(self, path: str) -> bool:
        """Tell whether there is such a file or folder."""

    def find(self, pattern: str) -> tuple[str, ...]:
        """Return the paths that match a pattern such as `.github/workflows/*.yml`."""


class ProjectFolder:
    """A project on the disk."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> str | None:
        """Return a file's text; None when it is not there or cannot be read."""
        file = self._root / path
        try:
            if not file.is_file() or file.stat().st_size > _LONGEST:
                return None
            return file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def has(self, path: str) -> bool:
        """Tell whether there is such a file or folder."""
        try:
            return (self._root / path).exists()
        except (OSError, ValueError):
            return False

    def find(self, pattern: str) -> tuple[str, ...]:
        """Return the paths that match a pattern, sorted."""
        try:
            found = sorted(self._root.glob(pattern))
        except (OSError, ValueError, NotImplementedError):
            return ()
        return tuple(path.relative_to(self._root).as_posix() for path in found)


def join(folder: str, path: str) -> str:
    """Return a path below a folder, both relative to the project; `..` is taken out."""
    parts: list[str] = []
    for part in f"{folder}/{path}".split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
