"""What a long command is doing, as a line on stderr now and then."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_INTERVAL_S = 2.0


class LineProgress:
    """Writes a line at most every two seconds; a command that is done before that says nothing."""

    def __init__(
        self,
        name: str,
        *,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._stream, self._clock = name, stream, clock
        self._next = clock() + _INTERVAL_S

    def __call__(self, doing: str, runs: int) -> None:
        """Say what is done now, if it is time."""
        now = self._clock()
        if now >= self._next:
            self._next = now + _INTERVAL_S
            line = f"{self._name}: {doing} ({runs:,} run{'' if runs == 1 else 's'} so far)"
            print(line, file=self._stream or sys.stderr, flush=True)
