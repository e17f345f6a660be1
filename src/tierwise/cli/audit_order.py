"""`tierwise audit --order`: the search for tests that depend on order, as findings of an audit."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.audit.concluding import OrderEvidence
    from tierwise.audit.facts import RunFacts
    from tierwise.pollution.findings import VictimReport

BUDGET_S = 1_800.0


def search_order(
    run: RunFacts,
    arguments: tuple[str, ...],
    *,
    timeout_s: float,
    budget_s: float | None = None,
) -> OrderEvidence:
    """Return which tests depend on order; what ends a session is left out, as the run did.

    The search ends after `budget_s` seconds, half an hour unless said.
    """
    from tierwise.audit.running import make_environment  # noqa: PLC0415  loads much
    from tierwise.cli.line_progress import LineProgress  # noqa: PLC0415  for one option
    from tierwise.pollution.findings import Stop, VictimReport  # noqa: PLC0415
    from tierwise.pytest_plugin.pollution_search import find_victims  # noqa: PLC0415

    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory(prefix="tierwise-audit-") as folder:
        os.environ.update(make_environment(os.environ, Path(folder)))
        try:
            report = find_victims(
                (),
                budget_s=BUDGET_S if budget_s is None else budget_s,
                timeout_s=timeout_s,
                arguments=(*run.survival, *arguments),
                tell=LineProgress("audit --order"),
            )
        except KeyboardInterrupt:  # what the run before it has found is told all the same
            report = VictimReport(tests=0, stopped=Stop.INTERRUPTED)
    return read_victims(report)


def read_victims(report: VictimReport) -> OrderEvidence:
    """Return what a search has found, as findings of an audit."""
    from tierwise.audit.concluding import OrderEvidence  # noqa: PLC0415  loads much
    from tierwise.audit.findings import Finding  # noqa: PLC0415
    from tierwise.pollution.findings import Dependence, Stop  # noqa: PLC0415

    findings = [
        Finding(
            kind="order_dependent",
            subject=one.test,
            text=one.reason,
            where=", ".join(leak.owner for leak in one.leaks),
            tests=one.culprits,
        )
        for one in report.findings
        if one.dependence is not Dependence.UNDECIDED
    ]
    findings += [
        Finding(
            kind="order_dependent",
            subject=test,
            text="it ends differently in different orders; nobody looked for the reason",
        )
        for test in report.unsearched
    ]
    unfinished = [report.trouble] if report.trouble else []
    if report.stopped is not None and not unfinished:
        unfinished.append(f"the search was stopped ({report.stopped})")
    unfinished += [
        f"{one.test} could not be told: {one.reason}"
        for one in report.findings
        if one.dependence is Dependence.UNDECIDED
    ]
    return OrderEvidence(
        findings=tuple(findings),
        unfinished="; ".join(unfinished),
        is_interrupted=report.stopped is Stop.INTERRUPTED,
    )
