"""An audit as plain data."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.audit.findings import Audit, TestView

FORMAT = 1
"""Raised when a key changes its meaning or goes."""


def as_data(audit: Audit) -> dict[str, object]:
    """Return the audit as JSON-like data; docs/audit.md lists the keys."""
    run = audit.run
    return {
        "format": FORMAT,
        "project": audit.project,
        "is_complete": run.is_complete,
        "is_run": run.is_run,
        "wall_seconds": round(run.wall_seconds, 3),
        "counts": dict(Counter(test.outcome for test in audit.tests)),
        "levels": dict(Counter(test.level or "unknown" for test in audit.tests)),
        "session": asdict(run.session),
        "notes": list(run.notes),
        "ends": [asdict(end) for end in run.ends],
        "ci_files": list(audit.ci_files),
        "findings": [asdict(found) for found in audit.findings],
        "not_looked_for": list(audit.not_looked_for),
        "next_steps": [asdict(step) for step in audit.steps],
        "proposal": {"toml": audit.proposal.toml, "notes": list(audit.proposal.notes)},
        "slowest": [
            {"nodeid": one.nodeid, "seconds": round(one.seconds, 3)} for one in slowest(audit)
        ],
        "tests": [_test(view) for view in audit.tests],
    }


def _test(view: TestView) -> dict[str, object]:
    return {
        "nodeid": view.nodeid,
        "line": view.line,
        "level": view.level or None,
        "reason": view.reason,
        "outcome": view.outcome,
        "seconds": round(view.seconds, 4),
        "message": view.message,
        "touches": [asdict(touch) for touch in view.touches],
        "beyond": sorted({touch.capability for touch in view.beyond}),
    }


def slowest(audit: Audit, most: int = 10) -> list[TestView]:
    """Return the tests that took longest."""
    ran = [view for view in audit.tests if view.seconds > 0]
    return sorted(ran, key=lambda view: -view.seconds)[:most]
