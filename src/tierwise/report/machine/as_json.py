"""The report as JSON of a kept shape: `report.schema.json` beside this file is its contract."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tierwise.domain import Outcome
from tierwise.report.machine.places import place_of_test, place_of_violation
from tierwise.report.map import Status

if TYPE_CHECKING:
    from tierwise.domain import Violation
    from tierwise.report.html.values import Report
    from tierwise.report.machine.values import EvalEntry, Facts, TestEntry
    from tierwise.report.map import LevelRow

FORMAT = "tierwise-report"
VERSION = 1
"""Grows when a field goes or changes its meaning; new fields leave it as it is."""
_SCHEMA = "report.schema.json"


def read_schema() -> str:
    """Return the JSON Schema of the format."""
    return (files("tierwise.report.machine") / _SCHEMA).read_text(encoding="utf-8")


def write_json(facts: Facts, report: Report | None = None) -> str:
    """Return the facts as JSON in ASCII, so that no text in it reaches a terminal as a command.

    With `report` all is told that the page says, transcripts included.
    """
    data = as_data(facts) if report is None else add_page(as_data(facts), report)
    return json.dumps(data, indent=2).replace("\x7f", "\\u007f") + "\n"


def add_page(data: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return the data with what the page says besides: what both have is told once."""
    from tierwise.report.html.as_data import as_data as page_data  # noqa: PLC0415  slow to load

    page = page_data(report)
    said = {(one["eval_id"], one["provider"], one["run"]): one for one in page.pop("evals")}
    evals = [
        {**said.get((one["eval_id"], one["provider"], one["run"]), {}), **one}
        for one in data["evals"]
    ]
    return {**page, **data, "source": {**page["source"], **data["source"]}, "evals": evals}


def as_data(facts: Facts) -> dict[str, Any]:
    """Return the facts as plain data."""
    origin = facts.origin
    return {
        "format": FORMAT,
        "version": VERSION,
        "source": {
            "project": origin.project,
            "tierwise": origin.tierwise,
            "made_at": origin.made_at,
            "commit": origin.commit,
            "run": origin.run_id or None,
            "folder": origin.folder,
        },
        "counts": {
            "levels": {
                status: sum(row.status is status for row in facts.levels) for status in Status
            },
            "tests": {
                outcome: sum(test.outcome is outcome for test in facts.tests)
                for outcome in Outcome
            },
            "violations": sum(len(test.violations) for test in facts.tests),
        },
        "levels": [_level(row) for row in facts.levels],
        "tests": [_test(test) for test in facts.tests],
        "evals": [_eval(one) for one in facts.evals],
    }


def _level(row: LevelRow) -> dict[str, Any]:
    known = row.evidence
    shares = {"contracts": known.contracts, "guards": known.guards, "gates": known.gates}
    return {
        "number": row.number,
        "level": row.level,
        "status": row.status,
        "reason": row.reason,
        "tiers": list(row.tiers),
        "questions": list(row.questions),
        "tests": row.n_tests,
        "outcomes": {outcome: row.outcomes.get(outcome, 0) for outcome in Outcome},
        "verdicts": {str(verdict): n for verdict, n in row.verdicts.items()},
        "last_run": row.last_run,
        "evidence": {
            **{name: {"good": share.good, "of": share.of} for name, share in shares.items()},
            "served_by": list(known.served_by),
            "missing": list(known.missing),
        },
    }


def _test(test: TestEntry) -> dict[str, Any]:
    place = place_of_test(test)
    return {
        "nodeid": test.nodeid,
        "tier": test.tier or None,
        "level": test.level or None,
        "outcome": test.outcome,
        "duration_s": test.duration_s,
        "message": test.message,
        "file": place.path if place else None,
        "line": place.line if place else None,
        "run": test.run_id,
        "started_at": test.started_at,
        "violations": [_violation(one, test) for one in test.violations],
    }


def _violation(violation: Violation, test: TestEntry) -> dict[str, Any]:
    place = place_of_violation(violation, test)
    return {
        "capability": violation.capability,
        "target": violation.target,
        "event": violation.event,
        "subject": violation.subject,
        "file": place.path if place else None,
        "line": place.line if place else None,
        "stack": list(violation.stack),
    }


def _eval(one: EvalEntry) -> dict[str, Any]:
    return {
        "eval_id": one.eval_id,
        "tier": one.tier or None,
        "provider": one.provider,
        "model": one.model,
        "run": one.run_id,
        "started_at": one.started_at,
        "verdict": one.verdict,
        "n_planned": one.n_planned,
        "expectations": [
            {
                "expectation": entry.expectation,
                "metric": entry.metric,
                "verdict": entry.verdict,
                "reason": entry.reason,
                "n_scored": entry.n_scored,
                "n_planned": entry.n_planned,
                "quantity": entry.quantity,
                "estimate": entry.estimate,
                "interval": None if entry.interval is None else list(entry.interval),
                "confidence": entry.confidence,
            }
            for entry in one.expectations
        ],
    }
