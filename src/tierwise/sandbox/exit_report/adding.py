"""What is seen at the end of a process, added to its report; and what is said of it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.sandbox.exit_report.looking import find_waits
from tierwise.sandbox.exit_report.report import describe_end, describe_waits

if TYPE_CHECKING:
    from pathlib import Path

    from tierwise.sandbox.exit_report.report import ExitReport, Wait


def add_waits(
    report: ExitReport, *, root: Path, seconds: float
) -> tuple[ExitReport, tuple[str, ...]]:
    """Return the report with what the process waits for now, and lines about what is new in it."""
    known = {(wait.kind, wait.name) for wait in report.waits}
    found = (_shorten(wait, f"{root}{os.sep}") for wait in find_waits())
    new = tuple(wait for wait in found if (wait.kind, wait.name) not in known)
    return replace(report, waits=(*report.waits, *new)), describe_waits(new, seconds=seconds)


def end(report: ExitReport, *, seconds: float) -> tuple[ExitReport, tuple[str, ...]]:
    """Return the report of a process that has ended, and the last line where it hung."""
    ended = replace(report, exit_s=seconds)
    return ended, (describe_end(ended),) if report.waits else ()


def _shorten(wait: Wait, folder: str) -> Wait:
    return replace(
        wait,
        place=wait.place.removeprefix(folder),
        started_at=wait.started_at.removeprefix(folder),
    )
