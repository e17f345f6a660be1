"""A body that cannot work: its first trials all end in one error of its own code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.evals.outcomes import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

ENOUGH = 20
"""So many trials without any other ending show that the body itself is broken."""
_ENDING = re.compile(r"(\w+)(?:: .*)? at (\S+:\d+)", re.DOTALL)


@dataclass(slots=True)
class BreakWatch:
    """Tells when all trials so far have ended in the same error at the same line.

    One trial that ends in any other way, also one of an earlier run, ends the watch for good. So
    an eval that is stopped by it has no trial that was scored, and the stop can neither prove
    nor refute anything: what was not run counts as missing, as the errors do.
    """

    n: int = 0
    first: tuple[str, str] | None = None
    example: str = ""
    is_over: bool = False

    def take(self, outcome: Outcome, message: str) -> None:
        """Count one trial."""
        found = read_error(outcome, message)
        self.is_over = self.is_over or found is None or self.first not in (None, found)
        self.first, self.n = found, self.n + 1
        self.example = self.example or reason_of(message)

    def find_break(self, n_left: Callable[[], int]) -> str:
        """Return why no further trial is to start; empty while there is no such reason."""
        if self.is_over or self.n < ENOUGH or not n_left():
            return ""
        return (
            f"stopped early: each of the first {self.n} trials ended in {self.example}. No "
            "further one was started, and nothing is proven. Is the error the body's own? "
            "`tierwise eval run --dry-run` carries it out once"
        )


def read_error(outcome: Outcome, message: str) -> tuple[str, str] | None:
    """Return the kind and the line of an error that the user's own code raised."""
    first = message.partition("\n")[0]
    found = _ENDING.fullmatch(first) if outcome is Outcome.ERROR else None
    return None if found is None else (found[1], found[2])
