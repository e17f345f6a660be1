"""What the functions of this room give back, and the two populations a claim can be about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from tierwise.errors import StatisticsError, suggest


class Population(StrEnum):
    """Whom a claim is about; the same data give the two claims different bounds."""

    THESE_CASES = "these_cases"
    """Exactly the cases that ran, run again in the same way: every trial counts."""
    CASES_LIKE_THESE = "cases_like_these"
    """Other cases, drawn as these were drawn: only the number of cases counts in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undetermined:
    """The data say nothing about what was asked; never to be read as fine.

    It has no truth value and no order on purpose, so that `if bound:` and `bound < 0.01` fail
    loudly instead of deciding something.
    """

    reason: str

    def __bool__(self) -> NoReturn:
        """Refuse: what could not be told is neither true nor false."""
        raise TypeError(
            f"undetermined ({self.reason}) is neither true nor false; "
            "ask isinstance(value, Undetermined)"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A two-sided interval for a rate, a mean or a difference."""

    low: float
    high: float
    confidence: float
    method: str
    cautions: tuple[str, ...] = ()
    """What weakens the interval, each one a sentence for a reader."""

    def __contains__(self, value: float) -> bool:
        """Return whether the value lies in the interval, its ends included."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class PValue:
    """How probable data as extreme as these are if the hypothesis holds."""

    value: float
    method: str
    note: str = ""
    """What a reader should know beside the number; empty when nothing."""


def require_population(population: Population | str) -> Population:
    """Return the population that is meant; refuse an unknown word with the closest."""
    try:
        return Population(population)
    except ValueError:
        hint = suggest(str(population), [each.value for each in Population])
        raise StatisticsError(f"population={str(population)!r} is unknown.{hint}") from None
