"""The observability floor: a run in which too little was seen has not passed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """The tests of one group, a tier or a subject, and how many saw what they ask about."""

    name: str
    n_seen: int
    """Tests that passed, failed, or ended in a gap that is known."""
    n_tests: int
    floor: float = 0.0
    """The share that has to be seen; 0 asks for at least one."""

    @property
    def is_enough(self) -> bool:
        """Tell whether as much was seen as the floor asks for, and anything at all.

        A group without tests was not asked about.
        """
        if not self.n_tests:
            return True
        return self.n_seen > 0 and self.n_seen >= self.floor * self.n_tests

    def __str__(self) -> str:
        """Return one line: `tier live: 3 of 5 tests saw their subject (60 %, floor 50 %)`."""
        share = f"{100 * self.n_seen / self.n_tests:.0f} %" if self.n_tests else "none"
        least = f"floor {100 * self.floor:g} %" if self.floor else "floor: one test"
        line = f"{self.name}: {self.n_seen} of {self.n_tests} tests saw their subject"
        end = "" if self.is_enough else "; NOTHING PROVEN, too little was observed"
        return f"{line} ({share}, {least}){end}"
