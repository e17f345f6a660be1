"""What a session of tests puts into the run store, as frozen rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tierwise.domain import Outcome, Violation
    from tierwise.domain.watching import LeftBehind


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What is known about a run when it starts."""

    command: str = ""
    mode: str = ""
    commit: str = ""
    python: str = ""
    platform: str = ""
    config_hash: str = ""
    order_seed: int | None = None
    tierwise: str = ""
    code_hash: str = ""
    """The fingerprint of the project's files; "" when it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseKey:
    """Which clause of a contract a test tried, and on what."""

    contract: str
    declared_by: str
    """The class, or the module, that tries it."""
    clause: str
    implementation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGap:
    """What a strict xfail says of its test."""

    reason: str
    ticket: str = ""
    """What names it in a tracker, found in the reason; "" when nothing does."""
    is_over: bool = False
    """Did the test pass, so that the mark must come off?"""


class TestResult(Protocol):
    """What the store reads of a test's result: a `TestRow`, or whatever else has its fields."""

    @property
    def nodeid(self) -> str:
        """Which test it is."""

    @property
    def tier(self) -> str | None:
        """Its tier; None when no tier claims it."""

    @property
    def level(self) -> str | None:
        """Its tier's level."""

    @property
    def outcome(self) -> Outcome:
        """What it came to."""

    @property
    def duration_s(self) -> float:
        """How long its phases took together."""

    @property
    def message(self) -> str:
        """What went wrong, or why it did not run, in one line."""

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What it touched and may not."""

    @property
    def allowed(self) -> tuple[str, ...]:
        """Allowances of this test alone, each with its reason."""

    @property
    def clause(self) -> ClauseKey | None:
        """The clause of a contract that it tried; None for most tests."""

    @property
    def attempts(self) -> int:
        """How often it was tried until it had this outcome."""

    @property
    def location(self) -> str:
        """Where it is written, as `file:line`; "" when that is not known."""

    @property
    def requirements(self) -> tuple[str, ...]:
        """Ids of the requirements that it is evidence for."""

    @property
    def gap(self) -> KnownGap | None:
        """The known fault that it shows; None for most tests."""

    @property
    def left(self) -> tuple[LeftBehind, ...]:
        """Process state that it, or a fixture that ended with it, did not put back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRow:
    """One test's result in one run."""

    __test__ = False  # a name that begins with Test is no test

    nodeid: str
    tier: str | None
    level: str | None
    outcome: Outcome
    duration_s: float = 0.0
    message: str = ""
    violations: tuple[Violation, ...] = ()
    allowed: tuple[str, ...] = ()
    """Allowances of this test alone, each with its reason, as the map shows them."""
    clause: ClauseKey | None = None
    attempts: int = 1
    location: str = ""
    requirements: tuple[str, ...] = ()
    gap: KnownGap | None = None
    left: tuple[LeftBehind, ...] = ()
