"""`omnia audit`: the context audit of two designs, side by side."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from omnia.audit import DESIGNS, audit_design, is_as_expected
from omnia.scenario import read_packaged, read_scenario

if TYPE_CHECKING:
    from collections.abc import Callable

    from omnia.audit import Design
    from tierwise.leaks import ContextAudit

SHOWN: Final = 6


def run_audit(write: Callable[[str], None], scenario: str) -> int:
    """Audit both designs; return 0 when the original is red and the fixed one is green."""
    world = read_scenario(read_packaged(scenario)).world
    audits = [(design, asyncio.run(audit_design(world, design.show_reason))) for design in DESIGNS]
    for design, audit in audits:
        write(describe_audit(design, audit))
    if is_as_expected(audits):
        write("As expected: the audit catches the original design and clears the fixed one.")
        return 0
    write("NOT as expected: see above. Either the fix is broken or the audit has gone blind.")
    return 1


def describe_audit(design: Design, audit: ContextAudit) -> str:
    """Return a design's result as text: the verdict, its ground, and the first few leaks."""
    lines = [f"{design.name} design: {design.says}", f"  {audit.verdict}. {audit.reason}"]
    lines += [
        f"  prompt #{leak.index} told {leak.viewer}: {leak.secret}" for leak in audit.leaks[:SHOWN]
    ]
    if len(audit.leaks) > SHOWN:
        lines.append(f"  and {len(audit.leaks) - SHOWN} more")
    return "\n".join([*lines, ""])
