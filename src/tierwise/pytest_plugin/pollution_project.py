"""The state of a project as a whole: its packages, its tests and its conftests."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from types import ModuleType
from typing import TYPE_CHECKING

from tierwise.sandbox.state import Snapshot, take_snapshot
from tierwise.sandbox.state.caches import watch_caches
from tierwise.sandbox.state.classes import watch_classes
from tierwise.sandbox.state.modules import watch_modules
from tierwise.sandbox.state.packages import FirstParty

if TYPE_CHECKING:
    from pathlib import Path

_FOREIGN = frozenset(
    {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}
)


class WholeProject(FirstParty):
    """Finds the modules of a project, also those of its tests: a global of theirs leaks too."""

    def __init__(self, root: Path) -> None:
        super().__init__([str(root)])
        self._root = root

    def _is_ours(self, module: object) -> bool:
        path = module.__dict__.get("__file__") if isinstance(module, ModuleType) else None
        if not isinstance(path, str) or not PurePath(path).is_relative_to(self._root):
            return False
        return _FOREIGN.isdisjoint(PurePath(path).relative_to(self._root).parts)


def take_whole_snapshot(root: Path) -> Snapshot:
    """Return the state of this process, seen by all watchers, in all of a project's modules."""
    project = WholeProject(root)
    ours = {
        watcher.name: watcher
        for watch in (
            partial(watch_modules, thorough=True),
            partial(watch_classes, thorough=True),
            watch_caches,
        )
        for watcher in (watch(project),)
    }
    taken = take_snapshot()
    watchers = tuple(ours.get(watcher.name, watcher) for watcher in taken.watchers)
    return Snapshot(
        watchers=watchers,
        taken={**taken.taken, **{name: watcher.take() for name, watcher in ours.items()}},
    )
