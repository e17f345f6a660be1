"""Code that a trial may run and that lies outside of the project: on the path, editable."""

from __future__ import annotations

import hashlib
import json
import os
import site
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from tierwise.records.code import is_left_out
from tierwise.records.fingerprint import read_digests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.metadata import Distribution
    from types import ModuleType

_MOST_FILES = 5000
"""A folder of more is no library: of such a one the packages that are loaded count."""
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def read_outside(root: Path) -> Mapping[str, bytes]:
    """Return a digest of each file of code outside of the project, by its path.

    Folders on the module path and editable installs count whole, since a trial may import what
    is not loaded yet; of everything else the packages that are loaded. What is installed counts
    by its version, and so does tierwise. Raises `OSError` for a file that cannot be read.
    """
    outside = Outside(root)
    editable = {path for entry in distributions() if (path := find_editable(entry)) is not None}
    found: dict[str, bytes] = {}
    walked: list[Path] = []
    for folder in (*filter(outside.is_whole, map(_resolve, sys.path)), *editable):
        if outside.counts(folder) and not any(folder.is_relative_to(done) for done in walked):
            try:
                found |= outside.read(folder, limit=_MOST_FILES)
            except OSError:  # too large, or not to be looked through
                continue
            walked.append(folder)
    for path in find_loaded(dict(sys.modules)):
        if outside.counts(path) and not any(path.is_relative_to(done) for done in walked):
            found |= outside.read(path)
    return found


class Outside:
    """Tells what lies outside of the project and is not installed."""

    def __init__(self, root: Path) -> None:
        self._root = _resolve(root)
        paths = sysconfig.get_paths()
        places = [
            paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib", "scripts")
        ]
        places += [*site.getsitepackages(), site.getusersitepackages()]
        self._installed = frozenset(map(_resolve, places))
        self._own = tuple(filter(None, (_resolve(Path(__file__).parents[1]), _find_own())))

    def counts(self, path: Path) -> bool:
        """Tell whether what lies there is neither installed, nor ours, nor seen with the root."""
        is_installed = bool(_INSTALLED & set(path.parts)) or any(
            path == place or place in path.parents for place in self._installed
        )
        return path.exists() and not (is_installed or self._is_own(path) or self._is_inside(path))

    def is_whole(self, folder: Path) -> bool:
        """Tell whether all of a folder on the module path is code, and not only a part of it.

        Above the project lie its neighbours, which it may never have heard of.
        """
        return folder.is_dir() and not self._root.is_relative_to(folder)

    def read(self, path: Path, *, limit: int | None = None) -> Mapping[str, bytes]:
        """Return digests of the files at a path, or of the one file that it is."""
        if path.is_file():
            return {str(path): hashlib.sha256(path.read_bytes()).digest()}
        found = read_digests(path, texts=True, limit=limit, skip=self._skips)
        return {str(path / name): digest for name, digest in found.items()}

    def _skips(self, name: str) -> bool:
        return self._is_own(Path(name)) or self._is_inside(Path(name))

    def _is_own(self, path: Path) -> bool:
        return any(path.is_relative_to(own) for own in self._own)

    def _is_inside(self, path: Path) -> bool:
        if not path.is_relative_to(self._root):
            return False
        folders = path.relative_to(self._root).parts[: None if path.is_dir() else -1]
        return not any(is_left_out(part, ()) for part in folders)


def find_editable(entry: Distribution) -> Path | None:
    """Return the folder of a package that is installed as a link to its sources."""
    text = entry.read_text("direct_url.json")
    if not text:
        return None
    try:
        content = json.loads(text)
        is_editable = content.get("dir_info", {}).get("editable", False)
        parts = urlsplit(content["url"])
    except (ValueError, KeyError, AttributeError):
        return None
    is_file = is_editable and parts.scheme == "file"
    return _resolve(url2pathname(parts.path)) if is_file else None


def find_loaded(modules: Mapping[str, ModuleType]) -> Iterator[Path]:
    """Yield the folder of each package that is loaded, and the file of each other module."""
    seen = set()
    for name, module in modules.items():
        top = name.partition(".")[0]
        if top in seen or top in sys.stdlib_module_names or top == "__main__":
            continue
        seen.add(top)
        yield from _places_of(modules.get(top, module))


def _places_of(module: ModuleType) -> Iterable[Path]:
    folders = getattr(module, "__path__", None)
    file = getattr(module, "__file__", None)
    try:
        return list(map(_resolve, folders or filter(None, [file])))
    except TypeError:  # a stand-in for a module that says odd things of itself
        return []


def _find_own() -> Path | None:
    try:
        return find_editable(distribution("tierwise"))
    except PackageNotFoundError:
        return None


def _resolve(path: str | os.PathLike[str]) -> Path:
    return Path(os.path.realpath(path))
