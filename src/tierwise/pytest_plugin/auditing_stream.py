"""A file of one JSON line an event, written as it happens: what ends the session loses nothing."""

from __future__ import annotations

import json
import os
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class EventStream:
    """Appends events to one file for the process that made it, and for none that it forks."""

    def __init__(self, path: Path, clock: Callable[[], float] = monotonic) -> None:
        self._path, self._clock = path, clock
        self._process = os.getpid()
        self._descriptor = os.open(path, _FLAGS, 0o600)
        self._file = _identity(self._descriptor)

    def emit(self, event: str, **facts: object) -> None:
        """Write one event, with the time; a child of a fork writes nothing."""
        if os.getpid() != self._process:
            return
        line = json.dumps({"event": event, "at": round(self._clock(), 4), **facts}, default=str)
        os.write(self._open(), line.encode("ascii") + b"\n")

    def _open(self) -> int:
        """Return the descriptor, opened again when a test has closed it or put another there."""
        if _identity(self._descriptor) != self._file:
            self._descriptor = os.open(self._path, _FLAGS, 0o600)
        return self._descriptor


def _identity(descriptor: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino
