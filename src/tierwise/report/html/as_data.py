"""The report as plain data, for programs."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from tierwise.report.html.headline import write_headline
from tierwise.report.terminal import map_as_data

if TYPE_CHECKING:
    from tierwise.contracts.standing import Standing
    from tierwise.report.html.values import EvalPart, Report


def as_data(report: Report) -> dict[str, Any]:
    """Return all that the page says, trials and their transcripts included, as JSON-like data."""
    headline = write_headline(report)
    return {
        "source": dataclasses.asdict(report.source),
        "headline": {"title": headline.title, "sentence": headline.sentence},
        "levels": map_as_data(report.levels),
        "changes": dataclasses.asdict(report.changes),
        "tests": [dataclasses.asdict(test) for test in report.tests],
        "violations": [dataclasses.asdict(one) for one in report.violations],
        "left_behind": [dataclasses.asdict(one) for one in report.left_behind],
        "slowest": [test.nodeid for test in report.slowest],
        "evals": [_eval_as_data(part) for part in report.evals],
        "comparisons": [dataclasses.asdict(part) for part in report.comparisons],
        "why_no_comparison": report.why_no_comparison,
        "contracts": [
            {
                "contract": part.name,
                "implementations": [_standing_as_data(one) for one in part.standings],
            }
            for part in report.contracts
        ],
        "guards": [dataclasses.asdict(one) for one in report.guards],
        "gates": [dataclasses.asdict(one) for one in report.gates],
        "gaps": [dataclasses.asdict(one) for one in report.gaps],
        "flaky": [
            {**dataclasses.asdict(one.mixed), "verdict": one.verdict} for one in report.flaky
        ],
        "runs": [dataclasses.asdict(run) for run in report.runs],
        "history": [dataclasses.asdict(line) for line in report.history],
    }


def _eval_as_data(part: EvalPart) -> dict[str, Any]:
    return {
        "eval_id": part.plan.eval_id,
        "provider": part.provider,
        "model": part.plan.model,
        "tier": part.plan.tier,
        "run": part.plan.run_id,
        "started_at": part.started_at,
        "is_finished": part.is_finished,
        "verdict": part.verdict,
        "n_planned": part.plan.n_planned,
        "outcomes": dict(part.outcomes),
        "control_outcomes": dict(part.controls),
        "usage": dataclasses.asdict(part.usage),
        "judgements": [dataclasses.asdict(judgement) for judgement in part.judgements],
        "trials": [dataclasses.asdict(trial) for trial in part.trials],
    }


def _standing_as_data(standing: Standing) -> dict[str, Any]:
    return {
        "name": standing.side.name,
        "real": standing.side.is_real,
        "state": standing.state.value,
        "reason": standing.reason,
        "proven_at": standing.proven_at,
        "clauses": {cell.clause: cell.outcome.value for cell in standing.side.cells},
    }
