"""Reports added up into tests, and tests into tiers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.domain import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.domain import Capability, Violation
    from tierwise.domain.watching import LeftBehind
    from tierwise.pytest_plugin.facts import ClauseFacts, Facts, GapFacts
    from tierwise.records import ClauseKey, KnownGap

INTERRUPTED = "interrupted before it ended"
"""The message of a test that was still running when the run stopped."""

_WORSE = {
    Outcome.PASSED: 0,
    Outcome.NOT_RUN: 1,
    Outcome.ERROR: 2,
    Outcome.FAILED: 3,
    Outcome.UNOBSERVABLE: 1,
}


@dataclass(slots=True)
class Result:
    """What is known about one test; it grows with each of its reports."""

    nodeid: str
    tier: str | None = None
    level: str | None = None
    outcome: Outcome = Outcome.NOT_RUN
    duration_s: float = 0.0
    message: str = ""
    violations: tuple[Violation, ...] = ()
    allowed: tuple[str, ...] = ()
    has_run: bool = False
    is_interrupted: bool = False
    """Did the run stop before the test ended, with nothing known against it?"""
    is_undecided: bool = False
    """Is it an eval that could not be told, and nothing else? Kept as `error`, shown as it is."""
    clause: ClauseKey | None = None
    """The clause of a contract that the test tried; None for most tests."""
    attempts: int = 1
    location: str = ""
    requirements: tuple[str, ...] = ()
    gap: KnownGap | None = None
    left: tuple[LeftBehind, ...] = ()
    """Process state that it, or a fixture that ended with it, did not put back."""

    def place(self, facts: Facts) -> None:
        """Take what a report says of its test's place."""
        self.tier = facts.get("tier", self.tier)
        self.level = facts.get("level", self.level)
        if "allowed" in facts:
            self.allowed = tuple(facts["allowed"])
        if "clause" in facts:
            self._name_clause(facts["clause"])
        if "requirements" in facts:
            self.requirements = tuple(facts["requirements"])
        if "gap" in facts:
            self._name_gap(facts["gap"])

    def _name_clause(self, facts: ClauseFacts) -> None:
        from tierwise.records import ClauseKey  # noqa: PLC0415  few tests are clauses

        self.clause = ClauseKey(**facts)

    def _name_gap(self, facts: GapFacts) -> None:
        from tierwise.records import KnownGap  # noqa: PLC0415  few tests are gaps

        self.gap = KnownGap(**facts)

    def try_again(self, duration_s: float) -> None:
        """Count an attempt that another one follows: the last decides, its time is all of them."""
        self.attempts += 1
        self.duration_s += duration_s

    def add_phase(self, outcome: Outcome, duration_s: float, message: str) -> None:
        """Count one phase: the worst outcome stands, with its message."""
        self.duration_s += duration_s
        if not self.has_run or _WORSE[outcome] > _WORSE[self.outcome]:
            self.outcome, self.message = outcome, message
        self.has_run = True

    def interrupt(self) -> None:
        """Say that the test never ended: a set-up that passed is no pass of its test."""
        if self.has_run and self.outcome is not Outcome.PASSED:
            return
        self.is_interrupted = True
        self.outcome, self.message = Outcome.NOT_RUN, INTERRUPTED


@dataclass(slots=True, kw_only=True)
class TierTally:
    """What a tier's tests came to."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    n_undecided: int = 0
    n_interrupted: int = 0
    """How many of those that did not run were interrupted."""
    duration_s: float = 0.0
    violations: Counter[Capability] = field(default_factory=Counter)


@dataclass(slots=True, kw_only=True)
class Seen:
    """Who touched a capability, and what first."""

    tests: set[str] = field(default_factory=set)
    target: str = ""


def _unknown(_nodeid: str) -> None:
    """Know of no test where it stands: its reports tell."""


class Tally:
    """The session so far."""

    def __init__(self, facts_of: Callable[[str], Facts | None] = _unknown) -> None:
        """Begin with nothing; `facts_of` tells by its node id where a test stands."""
        self.tiers: dict[str | None, TierTally] = {}
        self.seen: dict[Capability, Seen] = {}
        self.n_tests = 0
        self.left_behind: list[tuple[str, LeftBehind]] = []
        self._facts_of = facts_of
        self._open: dict[str, Result] = {}
        self._passing: dict[str, float] = {}
        """Seconds that tests took of which no report has told more than that a phase passed."""

    def pass_phase(self, nodeid: str, duration_s: float) -> None:
        """Count a phase of a running test that passed, which is all that most reports tell."""
        if nodeid in self._open:
            self._open[nodeid].add_phase(Outcome.PASSED, duration_s, "")
        else:
            self._passing[nodeid] = self._passing.get(nodeid, 0.0) + duration_s

    def result_of(self, nodeid: str) -> Result:
        """Return the result of a test that is still running, new when it starts."""
        result = self._open.get(nodeid)
        if result is None:
            result = self._open[nodeid] = Result(nodeid)
            facts = self._facts_of(nodeid)
            if facts is not None:
                result.place(facts)
            if nodeid in self._passing:
                result.add_phase(Outcome.PASSED, self._passing.pop(nodeid), "")
        return result

    def close(self, nodeid: str) -> Result:
        """Count a test that has ended and return its result."""
        result = self.result_of(nodeid)
        del self._open[nodeid]
        tier = self.tiers.get(result.tier)
        if tier is None:
            tier = self.tiers[result.tier] = TierTally()
        if result.is_undecided:
            tier.n_undecided += 1
        else:
            tier.outcomes[result.outcome] += 1
        tier.n_interrupted += result.is_interrupted
        tier.duration_s += result.duration_s
        self.n_tests += 1
        if result.violations:
            self._count(result, tier)
        if result.left:
            self.left_behind += [(nodeid, found) for found in result.left]
        return result

    def in_order(self, names: Iterable[str]) -> dict[str | None, TierTally]:
        """Return the tiers that have results, in the order of `names`, unplaced tests last."""
        found = {name: self.tiers[name] for name in names if name in self.tiers}
        return found | {name: tier for name, tier in self.tiers.items() if name not in found}

    def close_all(self) -> tuple[Result, ...]:
        """Count the tests whose end was never reported: a worker died, or the run was stopped."""
        left = (*self._open, *self._passing)
        for nodeid in left:
            self.result_of(nodeid).interrupt()
        return tuple(self.close(nodeid) for nodeid in left)

    def _count(self, result: Result, tier: TierTally) -> None:
        for violation in result.violations:
            tier.violations[violation.capability] += 1
            seen = self.seen.setdefault(violation.capability, Seen(target=violation.target))
            seen.tests.add(result.nodeid)


UNOBSERVABLE_REASON = "Skipped: unobservable:"
"""How the reason of a skip begins when it says that the subject could not be seen."""


def outcome_of_phase(when: str, outcome: str, *, expected: bool, reason: str = "") -> Outcome:
    """Return what one phase says about its test.

    A failed set-up or tear-down says nothing about the subject: it is an error, as pytest calls
    it. `expected` is a failure that an xfail mark announced: a known gap, neither passed nor
    failed. A skip is a test that was not run, unless its reason is classified: one that begins
    with `unobservable:` says that the subject could not be seen.
    """
    if outcome == "passed":
        return Outcome.PASSED
    if outcome == "skipped" and not expected and reason.startswith(UNOBSERVABLE_REASON):
        return Outcome.UNOBSERVABLE
    if outcome == "skipped" or expected:
        return Outcome.NOT_RUN
    return Outcome.FAILED if when == "call" else Outcome.ERROR
