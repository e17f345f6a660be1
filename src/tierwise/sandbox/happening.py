"""What happens that may change process state: counted, so that nobody has to look meanwhile."""

from __future__ import annotations

import os

ITS_OWN = ("PYTEST_CURRENT_TEST", "COV_CORE_SOURCE", "COV_CORE_CONFIG", "COV_CORE_DATAFILE")
"""Variables of the environment that pytest and its plugins set and take out around each test."""
_ITS_OWN = frozenset({*ITS_OWN, *map(os.fsencode, ITS_OWN)})


class Happened(dict[str, int]):
    """How often, by the watcher's name, whoever did it."""

    def __init__(self) -> None:
        super().__init__(environ=0, cwd=0, processes=0)

    def count(self, kind: str, args: tuple[object, ...]) -> None:
        """Count an event, unless it is pytest's own doing."""
        if kind != "environ" or args[0] not in _ITS_OWN:
            self[kind] += 1
