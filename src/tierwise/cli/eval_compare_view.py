"""What `tierwise eval compare` prints: a table of differences and what each rests on, or JSON."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from tierwise.cli.console import open_console
from tierwise.evals.comparison_lines import (
    eval_lines,
    lonely_lines,
    metric_cells,
    side_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from tierwise.evals.comparison import Comparison, EvalComparison, MetricDifference, Side
    from tierwise.evals.no_worse import GateVerdict

_SHOWN = {"A is better": "bold", "B is better": "bold", "undetermined": "yellow"}


def print_comparison(
    comparisons: Sequence[Comparison], population: str, gate: Sequence[GateVerdict] = ()
) -> None:
    """Print who is compared, the table, what each difference rests on, and the gate."""
    console = open_console()

    def say(lines: Iterable[str]) -> None:
        for line in lines:
            console.print(line, markup=False, soft_wrap=True)

    for position, found in enumerate(comparisons):
        say([*([""] if position else []), *side_lines(found), ""])
        if any(entry.metrics for entry in found.evals):
            console.print(render_table(found, population))
        elif found.evals:
            say(["nothing to compare: no trial has a score on both sides"])
        else:
            say(["nothing in common: no eval was run by both"])
        for entry in found.evals:
            say(["", *eval_lines(entry, found)])
        say(lonely_lines(found))
    say([""] if gate else [])
    say(f"{str(v.verdict).upper():<9} {v.eval_id} {v.metric}: {v.reason}" for v in gate)


def render_table(comparison: Comparison, population: str) -> Table:
    """Return one row for each metric, under the name of its eval; 80 columns hold most."""
    from rich.markup import escape  # noqa: PLC0415  rich is slow to load
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("eval", overflow="fold")
    n_tests = comparison.n_tests.get(population, 0)
    of_many = f"p (Holm over {n_tests})" if n_tests > 1 else "p"
    for name in ("A", "B", "B - A", f"{comparison.confidence * 100:g} % interval", of_many):
        table.add_column(name, justify="right")
    table.add_column(f"for {population.replace('_', ' ')}")
    names = name_evals([entry.eval_id for entry in comparison.evals])
    for name, entry in zip(names, comparison.evals, strict=True):
        table.add_row(escape(name))
        for metric in entry.metrics:
            *cells, shown = metric_cells(metric, population)
            style = _SHOWN.get(shown, "")
            said = f"[{style}]{shown}[/]" if style else shown
            table.add_row(f"  {escape(metric.metric)}", *cells, said)
    return table


def name_evals(eval_ids: Sequence[str]) -> list[str]:
    """Return the end of each id, where it tells the evals apart: whole ids stand below."""
    ends = [eval_id.rpartition("::")[2] for eval_id in eval_ids]
    return [
        end if ends.count(end) == 1 else eval_id
        for end, eval_id in zip(ends, eval_ids, strict=True)
    ]


def as_json(comparisons: Iterable[Comparison], gate: Iterable[GateVerdict] = ()) -> str:
    """Return all numbers as JSON."""
    data = {
        "comparisons": [comparison_as_data(found) for found in comparisons],
        "gate": [dataclasses.asdict(verdict) for verdict in gate],
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def comparison_as_data(found: Comparison) -> dict[str, Any]:
    """Return all numbers of one comparison as JSON-like data."""
    return {
        "A": _side_as_data(found.first),
        "B": _side_as_data(found.second),
        "confidence": found.confidence,
        "n_tests": dict(found.n_tests),
        "evals": [_eval_as_data(entry) for entry in found.evals],
        "evals_of_A_alone": found.only_first,
        "evals_of_B_alone": found.only_second,
    }


def _side_as_data(side: Side) -> dict[str, Any]:
    return {
        "run": side.run.run_id,
        "provider": side.name,
        "started_at": side.run.started_at,
        "commit": side.run.info.commit,
        "is_finished": bool(side.run.finished_at),
    }


def _eval_as_data(entry: EvalComparison) -> dict[str, Any]:
    return {
        "eval_id": entry.eval_id,
        "n_cases": entry.n_cases,
        "n_scored": {"A": entry.first.n_scored, "B": entry.second.n_scored},
        "n_planned": {"A": entry.first.plan.n_planned, "B": entry.second.plan.n_planned},
        "cases_of_A_alone": entry.only_first,
        "cases_of_B_alone": entry.only_second,
        "cases_changed": entry.changed,
        "n_shared": {
            "taken_over": entry.shared.n_taken_over,
            "from_cache": entry.shared.n_copied,
        },
        "warnings": entry.warnings,
        "metrics": [_metric_as_data(metric) for metric in entry.metrics],
    }


def _metric_as_data(metric: MetricDifference) -> dict[str, Any]:
    return {
        "metric": metric.metric,
        "kind": metric.kind,
        "better": metric.better,
        "n_pairs": len(metric.pairs.cases),
        "cases_scored_on_one_side": [case.case_id for case in metric.pairs.one_sided],
        "mean": {"A": metric.mean_first, "B": metric.mean_second},
        "claims": [
            {**dataclasses.asdict(claim), "winner": metric.winner(claim.population)}
            for claim in metric.claims
        ],
    }
