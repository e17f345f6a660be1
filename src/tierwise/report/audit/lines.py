"""An audit as lines for a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tierwise.audit.as_data import slowest
from tierwise.audit.behaviour import count
from tierwise.audit.findings import KINDS
from tierwise.domain import Level
from tierwise.report.html.text import show_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.audit.findings import Audit, Finding

_MOST = 5
_MOST_SLOW = 5
_OUTCOMES = {
    "passed": "passed",
    "failed": "failed",
    "error": "error in setup or tear-down",
    "skipped": "skipped",
    "xfailed": "failed as expected",
    "xpassed": "passed against expectation",
    "deselected": "left out",
    "ended_session": "ended the session",
    "not_run": "did not run",
}


def write_lines(audit: Audit) -> Iterator[str]:
    """Yield the whole audit; hostile characters are written out."""
    for line in _write(audit):
        yield show_text(line)


def _write(audit: Audit) -> Iterator[str]:
    yield say_head(audit)
    for note in audit.run.notes:
        yield f"  note: {note}"
    if audit.run.session.changed:
        yield f"  note: these options were not used: {', '.join(audit.run.session.changed)}"
    if audit.tests:
        yield ""
        yield from _levels(audit)
    for kind, title in KINDS.items():
        yield from _section(title, audit.of_kind(kind))
    yield from _slow(audit)
    if audit.not_looked_for:
        yield ""
        yield "Not looked for"
        yield from (f"  {entry}" for entry in audit.not_looked_for)
    yield from _steps(audit)
    yield from _proposal(audit)


def say_head(audit: Audit) -> str:
    """Return how far the audit got, in one line."""
    run, counts = audit.run, Counter(view.outcome for view in audit.tests)
    if not audit.tests:
        return f"{audit.project}: no test was collected"
    if not run.is_run:
        return f"{audit.project}: {count(len(audit.tests), 'test')} collected, none run"
    parts = [f"{counts[name]:,} {said}" for name, said in _OUTCOMES.items() if counts[name]]
    end = "" if run.is_complete else "; the audit ended before the suite did"
    return (
        f"{audit.project}: {count(len(audit.tests), 'test')} in {run.wall_seconds:.1f} s: "
        f"{', '.join(parts)}{end}"
    )


def _levels(audit: Audit) -> Iterator[str]:
    yield "Tests by level (guessed)"
    for level in (*(str(level) for level in Level), ""):
        views = [view for view in audit.tests if view.level == level]
        if not views:
            continue
        (reason, n_first), *others = Counter(view.reason for view in views).most_common()
        more = f" ({n_first:,} of them)" if others else ""
        beyond = sum(bool(view.beyond) for view in views)
        verb = "touches" if beyond == 1 else "touch"
        says = f"; {beyond:,} {verb} more than the level needs" if beyond else ""
        yield f"  {level or 'unknown':<12} {len(views):>6,}  {reason}{more}{says}"


def _section(title: str, findings: tuple[Finding, ...]) -> Iterator[str]:
    if not findings:
        return
    yield ""
    yield f"{title} ({len(findings):,})"
    for found in findings[:_MOST]:
        where = f" [{found.where}]" if found.where else ""
        yield f"  {found.subject}: {found.text}{where}"
    if len(findings) > _MOST:
        yield f"  and {len(findings) - _MOST:,} more: --json or the page names them"


def _slow(audit: Audit) -> Iterator[str]:
    views = slowest(audit, _MOST_SLOW)
    if views:
        yield ""
        yield "Slowest tests"
        yield from (f"  {view.seconds:>8.2f} s  {view.nodeid}" for view in views)


def _steps(audit: Audit) -> Iterator[str]:
    if not audit.steps:
        return
    yield ""
    yield "What to do next"
    for number, step in enumerate(audit.steps, start=1):
        yield f"  {number}. {step.text}"
        if step.command:
            yield f"     {step.command}"


def _proposal(audit: Audit) -> Iterator[str]:
    proposal = audit.proposal
    if proposal.toml:
        yield ""
        yield "A first table for pyproject.toml (tierwise init writes it)"
        yield from (f"  {line}".rstrip() for line in proposal.toml.splitlines())
    yield from (f"  note: {note}" for note in proposal.notes)
