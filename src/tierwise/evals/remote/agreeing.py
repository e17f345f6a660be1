"""Whether a worker sees what the driver sees: interpreter, tierwise, evals and files."""

from __future__ import annotations

import hashlib
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise._version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.evals.remote.messages import Ready

_NOT_OURS = frozenset({"site-packages", "dist-packages"})


def read_versions() -> Mapping[str, str]:
    """Return the versions that driver and workers have to share."""
    return {"Python": platform.python_version(), "tierwise": __version__}


def hash_modules(root: Path) -> Mapping[str, str]:
    """Return the hash of each loaded file of the project, by its path below `root`."""
    found = {}
    for module in tuple(sys.modules.values()):
        name = getattr(module, "__file__", None)
        if not isinstance(name, str):
            continue
        path = Path(name)
        if not path.is_relative_to(root) or _NOT_OURS & set(path.parts):
            continue
        try:
            found[path.relative_to(root).as_posix()] = hashlib.sha256(
                path.read_bytes()
            ).hexdigest()
        except OSError:  # a module that was made while running has no file
            continue
    return found


def find_difference(here: Ready, there: Ready) -> str:
    """Say in which way a worker differs so that its trials would be others; empty if it does not.

    Files that only one side has loaded do not count: which are loaded when may differ.
    """
    for name, version in here.versions.items():
        other = there.versions.get(name, "none")
        if other != version:
            return f"it has {name} {other}, the driver has {version}"
    missing = sorted(here.evals - there.evals)
    if missing:
        return f"it sees another version of the code, without the eval {missing[0]}"
    for path in sorted(here.modules.keys() & there.modules.keys()):
        if here.modules[path] != there.modules[path]:
            return (
                f"it sees another version of the code: {path} is {there.modules[path][:12]} there "
                f"and {here.modules[path][:12]} here"
            )
    return ""
