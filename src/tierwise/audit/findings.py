"""What an audit says: findings, each of one kind, with where and what to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.audit.facts import RunFacts, TouchFact

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Mapping[str, str] = {
    "ended_session": "What ended a session",
    "collection_error": "Errors at collection",
    "order_dependent": "Tests that depend on their order",
    "state_left": "State that is left behind",
    "network": "Tests that reach the network",
    "exit_hang": "What keeps the process alive at its end",
    "failing": "Tests that fail",
    "beyond_level": "Tests that touch more than their level",
    "changed_files": "Files that tests change outside of the temporary folder",
    "never_collected": "Tests that are never collected",
    "defined_twice": "Tests that another one hides",
    "empty_test_file": "Test files without a test",
    "missing_folder": "Folders that are named and not there",
    "not_in_ci": "Tests that CI does not run",
    "ci_untold": "What of CI could not be told",
    "always_skipped": "Tests that are always skipped",
    "skipped_here": "Tests that were skipped here",
    "skip_without_reason": "Skips without a reason",
    "left_out": "Tests that a plain pytest leaves out",
    "xfail_not_strict": "Expected failures that may pass unnoticed",
}
"""Every kind of finding with its heading, in the order in which they are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was found."""

    kind: str
    subject: str
    """What it is about: a test, a file, a host, a folder."""
    text: str
    where: str = ""
    """`path:line`, or the file and the job, where there is more to see."""
    tests: tuple[str, ...] = ()
    """The tests that it concerns, where there are several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestView:
    """One test as the audit sees it."""

    __test__ = False  # a name that begins with Test is no test

    nodeid: str
    path: str
    line: int
    level: str
    """One of the twelve levels; "" when it could not be told."""
    reason: str
    outcome: str
    seconds: float
    message: str = ""
    touches: tuple[TouchFact, ...] = ()
    beyond: tuple[TouchFact, ...] = ()
    """What of it the level does not usually need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to do next."""

    text: str
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A first `[tool.tierwise]` table."""

    toml: str
    notes: tuple[str, ...] = ()
    """What will not be green with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """All that an audit says."""

    project: str
    run: RunFacts = field(default_factory=RunFacts)
    tests: tuple[TestView, ...] = ()
    findings: tuple[Finding, ...] = ()
    ci_files: tuple[str, ...] = ()
    not_looked_for: tuple[str, ...] = ()
    """What was not looked for, and how to have it looked for."""
    is_order_searched: bool = False
    """Was order dependence looked for?"""
    order_unfinished: str = ""
    """Why that search did not come to its end; "" when it did, or was not asked for."""
    steps: tuple[Step, ...] = ()
    proposal: Proposal = field(default_factory=lambda: Proposal(toml=""))

    def of_kind(self, kind: str) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(found for found in self.findings if found.kind == kind)
