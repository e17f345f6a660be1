"""Everything that has no audit event and can be seen by standing in for one function."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tierwise.sandbox import (
    patch_names,
    patch_pools,
    patch_processes,
    patch_sqlite,
    patch_threads,
    patch_waiting,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tierwise.sandbox.patching import Patch

    Install = Callable[[], Iterable[Patch | None]]

_AT_ONCE: tuple[Install, ...] = (
    patch_waiting.install,
    patch_processes.install,
    patch_sqlite.install,
    patch_threads.install,
)
_ONCE_IMPORTED: Mapping[str, tuple[Install, ...]] = {
    "asyncio.base_events": (patch_waiting.install_asyncio, patch_threads.install_asyncio),
    "concurrent.futures.thread": (patch_threads.install_executor,),
    "multiprocessing.pool": (patch_pools.install,),
    "socket": (patch_names.install,),
}


class Patches:
    """The patches of one process: in from the first sandbox to the last.

    Modules that are slow to import are patched when somebody else has imported them.
    """

    def __init__(self) -> None:
        self._done: list[Patch] = []
        self._waiting: tuple[str, ...] = ()

    def put_in(self) -> None:
        """Patch all that is imported, and remember the rest."""
        for install in _AT_ONCE:
            self._add(install)
        self._waiting = tuple(_ONCE_IMPORTED)
        self.complete()

    def complete(self) -> None:
        """Patch what has been imported since; asked before each test, so that no is said fast."""
        if sys.modules.keys().isdisjoint(self._waiting):
            return
        for name in self._waiting:
            if name in sys.modules:
                for install in _ONCE_IMPORTED[name]:
                    self._add(install)
                # Last: what was cut short by a recursion limit is done the next time.
                self._waiting = tuple(each for each in self._waiting if each != name)

    def take_out(self) -> None:
        """Put every original back, the last one first."""
        self._waiting = ()
        while self._done:
            self._done.pop().undo()

    def _add(self, install: Install) -> None:
        self._done.extend(patch for patch in install() if patch is not None)
