"""Which files are the code that a result speaks of, and one hash for all of them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_SUFFIXES = (".py", ".pyi", ".toml", ".cfg", ".ini")
_TEXTS = (
    *(".md", ".txt", ".rst", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".xml", ".html"),
    *(".csv", ".tsv", ".sql", ".j2", ".jinja", ".jinja2", ".mustache", ".hbs", ".tmpl"),
    *(".template", ".prompt", ".prompty", ".liquid"),
)
"""What prompts and cases are written in."""
_NEVER = frozenset({"__pycache__", "node_modules", "site-packages"})
_BUILT = frozenset({"build", "dist"})


def is_code(name: str) -> bool:
    """Tell whether a file counts wherever it lies in the project."""
    return name.endswith(_SUFFIXES)


def is_input(name: str) -> bool:
    """Tell whether a file may be part of what a model is asked, wherever it lies."""
    return is_code(name) or (name.endswith(_TEXTS) and not name.startswith("."))


def is_content(name: str) -> bool:
    """Tell whether a file counts below a package or a tier's path: all but caches and litter."""
    return is_code(name) or not (name.startswith(".") or name.endswith((".pyc", ".pyo")))


def is_left_out(folder: str, names: Collection[str]) -> bool:
    """Tell whether a folder that holds `names` is no part of the project.

    Hidden folders, caches, virtual environments and what was built; a package that is called
    `build` or `dist` is code.
    """
    return (
        folder.startswith(".")
        or folder in _NEVER
        or folder.endswith(".egg-info")
        or "pyvenv.cfg" in names
        or (folder in _BUILT and "__init__.py" not in names)
    )


def hash_code(files: Iterable[tuple[str, bytes]]) -> str:
    """Return one hash of files given as (path, contents), in whatever order they come."""
    whole = hashlib.sha256()
    for path, content in sorted(files):
        name = path.encode("utf-8", "surrogateescape")
        # Lengths first, so that no two sets of files read as the same bytes.
        whole.update(b"%d %d\n" % (len(name), len(content)))
        whole.update(name)
        whole.update(content)
    return whole.hexdigest()
