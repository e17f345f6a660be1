"""How a test ended in one run, and what is asked of whoever runs tests."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Ending(StrEnum):
    """How one test ended in one run."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    CRASHED = "crashed"
    """Its process died, or left pytest by `pytest.exit`."""
    TIMED_OUT = "timed_out"
    NOT_RUN = "not_run"
    """An earlier test of the run crashed or timed out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A test's ending, why in one line, and how long it took."""

    ending: Ending
    message: str = ""
    seconds: float = 0.0


NOT_RUN = Ended(ending=Ending.NOT_RUN)


class Runner(Protocol):
    """Runs tests in a given order, each time from the same untouched state."""

    def run(self, tests: Sequence[str], *, by_chance: bool = False) -> Mapping[str, Ended]:
        """Return how each of `tests` ended; with `by_chance`, random numbers are new ones."""
        ...


_RANKS = {Ending.PASSED: 2, Ending.SKIPPED: 1, Ending.FAILED: 0, Ending.CRASHED: 0}


def is_known(ending: Ending) -> bool:
    """Tell whether an ending says something about the test."""
    return ending in _RANKS


def is_same(one: Ending, other: Ending) -> bool:
    """Tell whether two endings say the same of a test: to crash is to fail."""
    return is_known(one) and is_known(other) and _RANKS[one] == _RANKS[other]


def is_worse(one: Ending, other: Ending) -> bool:
    """Tell whether `one` is worse than `other`: passed, skipped, failed."""
    return _RANKS[one] < _RANKS[other]


def is_killer(ended: Ended) -> bool:
    """Tell whether no test can run behind one that ended so."""
    return ended.ending in (Ending.CRASHED, Ending.TIMED_OUT)
