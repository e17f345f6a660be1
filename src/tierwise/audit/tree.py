"""The Python files of a project that may hold tests, read from the disk."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tierwise.audit.test_files import FileFacts, read_test_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_NEVER = frozenset(
    (
        *("__pycache__", "node_modules", "site-packages", "build", "dist", "venv", "env"),
        *("__pypackages__", "_build", "htmlcov"),
    )
)
_TEST_NAME = re.compile(r"(?:^|[_.-])tests?(?:[_.-]|$)", re.IGNORECASE)
_MENTIONS = re.compile(rb"^\s*(?:async\s+)?(?:def\s+test|class\s+\w*Tests?\w*)", re.MULTILINE)
_LARGEST = 2_000_000


def read_test_files(root: Path, scopes: Iterable[Path]) -> tuple[FileFacts, ...]:
    """Return the facts of each file below the scopes that looks like tests, or holds some."""
    found: dict[str, FileFacts] = {}
    for scope in scopes:
        for path in find_python_files(scope):
            name = name_below(path, root)
            facts = _read(path, name)
            if facts is not None and name not in found:
                found[name] = facts
    return tuple(found[name] for name in sorted(found))


def _read(path: Path, name: str) -> FileFacts | None:
    try:
        if path.stat().st_size > _LARGEST:
            return None
        source = path.read_bytes()
    except OSError as error:
        return FileFacts(path=name, error=str(error)) if is_named_like_tests(name) else None
    if _MENTIONS.search(source) is None and not is_named_like_tests(name):
        return None
    return read_test_file(name, source)


def find_python_files(scope: Path) -> Iterator[Path]:
    """Yield the Python files of a folder, environments and built things left out."""
    from pathlib import Path  # noqa: PLC0415  for what os.walk names

    if scope.is_file():
        yield scope
        return
    for folder, folders, files in os.walk(scope):
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _NEVER and not name.endswith(".egg-info")
        )
        yield from (Path(folder, name) for name in sorted(files) if name.endswith(".py"))


def name_below(path: Path, root: Path) -> str:
    """Return a path relative to the root, as pytest names it."""
    return os.path.relpath(path, root).replace(os.sep, "/")


def is_named_like_tests(path: str) -> bool:
    """Tell whether a file is named as files of tests are."""
    name = path.rpartition("/")[2].removesuffix(".py")
    return name != "conftest" and _TEST_NAME.search(name) is not None
