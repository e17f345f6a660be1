"""What is known of a test's order dependence, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.pollution.endings import Ended


class Dependence(StrEnum):
    """What a search has concluded about one test."""

    POLLUTED = "polluted"
    """It passes alone, and fails (or is skipped) behind the culprits."""
    BRITTLE = "brittle"
    """It fails (or is skipped) alone, and passes behind the culprits, which set something up."""
    INDEPENDENT = "independent"
    """It passes alone and in each order that was tried."""
    BROKEN = "broken"
    """It does not pass alone and in no order that was tried: order is not why."""
    UNDECIDED = "undecided"


class Stop(StrEnum):
    """What ended a search early."""

    INTERRUPTED = "interrupted"
    BUDGET = "budget"


class Way(StrEnum):
    """By what the culprits change a test."""

    RUNNING = "running"
    """They are tests, and have run before it."""
    IMPORTING = "importing"
    """They are files of tests, and collecting them is enough."""


class Proof(StrEnum):
    """How well it is known that a change of state is the cause."""

    CONFIRMED = "confirmed"
    """With this one change taken back, the test ended as it does alone."""
    SUSPECTED = "suspected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What a search has cost."""

    runs: int = 0
    tests: int = 0
    """Of all runs together."""
    seconds: float = 0.0

    def plus(self, other: Effort) -> Effort:
        """Return both together."""
        return Effort(
            runs=self.runs + other.runs,
            tests=self.tests + other.tests,
            seconds=self.seconds + other.seconds,
        )

    def since(self, start: Effort) -> Effort:
        """Return what was added to what `start` counts."""
        return Effort(
            runs=self.runs - start.runs,
            tests=self.tests - start.tests,
            seconds=self.seconds - start.seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A piece of state that the culprits left changed."""

    owner: str
    """`module.attribute`, `os.environ['X']`, `sys.modules['x']` and their like."""
    watcher: str
    before: str
    after: str
    proof: Proof = Proof.SUSPECTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is known of one test."""

    test: str
    dependence: Dependence
    reason: str
    """One sentence for a person."""
    culprits: tuple[str, ...] = ()
    """The polluters of a polluted test, the setters of a brittle one, in their order."""
    way: Way = Way.RUNNING
    alone: Ended | None = None
    together: Ended | None = None
    """How it ended behind the culprits; without any, in the order that showed a difference."""
    orders: tuple[str, ...] = ()
    """In which orders it was run."""
    candidates: int = 0
    """How many tests are left that could be culprits, where the search did not end."""
    left_out: tuple[str, ...] = ()
    """Tests that crash or hang, and were taken out so that others can be seen."""
    leaks: tuple[Leak, ...] = ()
    stopped: Stop | None = None
    effort: Effort = Effort()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRun:
    """One order in which the whole suite was run, and how far it got."""

    name: str
    run: int
    tests: int
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimReport:
    """What the search for victims in a suite has found, and how far it got."""

    tests: int
    findings: tuple[Finding, ...] = ()
    """Each test whose ending depends on order, and each of which that could not be told."""
    orders: tuple[OrderRun, ...] = ()
    isolated: int = 0
    """How many tests were run alone."""
    unsearched: tuple[str, ...] = ()
    """Tests that end differently in different orders, whose culprits nobody looked for."""
    broken: tuple[str, ...] = ()
    """Tests that fail alone and in each order."""
    killers: tuple[tuple[str, Ended], ...] = ()
    """Tests that crash or hang: left out of the orders, and how they ended."""
    notes: tuple[str, ...] = ()
    """What a reader has to know to trust the rest: threads at the fork, files not collected."""
    trouble: str = ""
    """Why nothing could be searched, or not all of it."""
    stopped: Stop | None = None
    effort: Effort = Effort()
