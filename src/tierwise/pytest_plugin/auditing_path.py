"""What tests find only since `python -m pytest` puts the folder it starts in on the path."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

_OF_PYTEST = frozenset({"__main__", "conftest"})


def find_only_here(session: pytest.Session) -> list[str]:
    """Return the imported modules of this folder that a bare pytest would not have found."""
    here = Path.cwd()
    names = [name for name, module in tuple(sys.modules.items()) if _lies_in(here, name, module)]
    if not names or here in _put_on_path(session):
        return []
    before = list(sys.path)
    sys.path[:] = [entry for entry in before if entry and Path(entry) != here]
    if len(before) - len(sys.path) > 1:  # a setting puts it there too
        sys.path[:] = before
        return []
    try:
        return sorted(name for name in names if not _can_be_found(name))
    finally:
        sys.path[:] = before


def _lies_in(folder: Path, name: str, module: object) -> bool:
    if "." in name or name in _OF_PYTEST:
        return False
    known = getattr(module, "__dict__", {})
    file, paths = known.get("__file__"), known.get("__path__", ())
    found = [file] if isinstance(file, str) else [str(path) for path in paths]
    return any(
        Path(one) in (folder / f"{name}.py", folder / name, folder / name / "__init__.py")
        for one in found
    )


def _put_on_path(session: pytest.Session) -> set[Path]:
    """Return the folders that pytest puts on the path for test files and conftests."""
    if session.config.getoption("importmode", "prepend") == "importlib":
        return set()
    files = {item.path for item in session.items}
    files |= set(_conftests(session.config))
    return {_root_of(file) for file in files}


def _conftests(config: pytest.Config) -> Iterator[Path]:
    for plugin in config.pluginmanager.get_plugins():
        file = getattr(plugin, "__file__", None)
        if isinstance(file, str) and Path(file).name == "conftest.py":
            yield Path(file)


def _root_of(file: Path) -> Path:
    """Return the first folder above a file that is no package."""
    return next(folder for folder in file.parents if not (folder / "__init__.py").is_file())


def _can_be_found(name: str) -> bool:
    return any(finder.find_spec(name, None) is not None for finder in tuple(sys.meta_path))
