"""What happens that may change process state: counted, so that nobody has to look meanwhile."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ITS_OWN = ("PYTEST_CURRENT_TEST", "COV_CORE_SOURCE", "COV_CORE_CONFIG", "COV_CORE_DATAFILE")
"""Variables of the environment that pytest and its plugins set and take out around each test."""
_ITS_OWN = frozenset({*ITS_OWN, *map(os.fsencode, ITS_OWN)})
_PROCESSES = (
    *("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile"),
    *("os.startfile/2", "os.system", "pty.spawn", "subprocess.Popen"),
)
COUNTED: Mapping[str, str] = {
    "os.chdir": "cwd",
    "os.rename": "cwd",
    "os.rmdir": "cwd",
    "os.putenv": "environ",
    "os.unsetenv": "environ",
    **dict.fromkeys(_PROCESSES, "processes"),
}
"""Audit events after which a watcher of this name has to look."""


class Happened(dict[str, int]):
    """How often, by the watcher's name, whoever did it."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(COUNTED.values(), 0))

    def count(self, kind: str, args: tuple[object, ...]) -> None:
        """Count an event, unless it is pytest's own doing."""
        if kind != "environ" or args[0] not in _ITS_OWN:
            self[kind] += 1
