"""Of the tests' latest results: the list, the slowest, and the violations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.report.html.values import TestLine, ViolationLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.records import RecordedTest

WORST_FIRST = (
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.UNOBSERVABLE,
    Outcome.NOT_RUN,
    Outcome.PASSED,
)
_RANK = {outcome: rank for rank, outcome in enumerate(WORST_FIRST)}
_SLOWEST = 15


def list_tests(by_tier: Mapping[str, Iterable[RecordedTest]]) -> tuple[TestLine, ...]:
    """Return each test with its latest result, the worst outcome first, then by name."""
    lines = [
        TestLine(
            nodeid=found.row.nodeid,
            tier=found.row.tier or "",
            outcome=found.row.outcome,
            duration_s=found.row.duration_s,
            message=found.row.message,
            started_at=found.run.started_at,
        )
        for tests in by_tier.values()
        for found in tests
    ]
    return tuple(sorted(lines, key=lambda line: (_RANK[line.outcome], line.nodeid)))


def list_slowest(tests: Sequence[TestLine], n: int = _SLOWEST) -> tuple[TestLine, ...]:
    """Return the tests that took the longest, those that took no time to speak of left out."""
    slow = sorted(tests, key=lambda line: -line.duration_s)[:n]
    return tuple(line for line in slow if line.duration_s > 0)


def list_violations(
    by_tier: Mapping[str, Iterable[RecordedTest]],
) -> tuple[ViolationLine, ...]:
    """Return every forbidden touch of the latest results, by test."""
    return tuple(
        ViolationLine(
            nodeid=found.row.nodeid,
            tier=found.row.tier or "",
            capability=str(violation.capability),
            target=violation.target,
            stack=violation.stack,
        )
        for tests in by_tier.values()
        for found in tests
        for violation in found.row.violations
    )
