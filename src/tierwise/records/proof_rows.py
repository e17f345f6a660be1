"""What the run store keeps of guards, gates, gaps and requirements, as frozen rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Decision, Outcome, Verdict
    from tierwise.records.run_rows import KnownGap


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRow:
    """A test tried as a guard: was it red while what it guards was sabotaged?"""

    nodeid: str
    behaviour: str
    sabotage: str
    verdict: Verdict
    """`proven` when the sabotage turned it red."""
    reason: str = ""
    level: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """A gate, or a command that serves a level, as it decided."""

    gate: str
    decision: Decision
    reason: str = ""
    level: str | None = None
    """The level that it serves by itself; None when it only watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGuard:
    """The latest result of a guard, with what its run says of itself."""

    row: GuardRow
    started_at: str
    code_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGate:
    """The latest decision of a gate, with what its run says of itself."""

    row: GateRow
    started_at: str
    code_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGapRow:
    """A known gap that the latest result of its test still shows."""

    nodeid: str
    location: str
    gap: KnownGap


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRow:
    """A test that is evidence for a requirement, with its latest result."""

    nodeid: str
    requirement: str
    outcome: Outcome | None
    """None of a test that was collected and has no result."""
    message: str = ""
    tier: str | None = None
    started_at: str = ""
    code_hash: str = ""
    attempts: int = 1
    said_by: str = ""
    """The state of the code on which the test was last collected."""
    is_gone: bool = False
    """Has a whole run of its tier no longer seen the test?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TierCounts:
    """The latest results of a tier's tests, counted in the store."""

    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    violations: int = 0
    duration_s: float = 0.0
    last_run: str | None = None
    n_stale: int = 0
    n_retried: int = 0
    """Tests that passed when they were tried again."""
    n_elsewhere: int = 0
    """Tests that did not pass on another Python or platform than the last, and stand so."""
    verdicts: Mapping[Verdict, int] = field(default_factory=dict)
