"""What `tierwise eval run` prints: a table of verdicts and what each rests on, or JSON."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from shlex import quote
from typing import TYPE_CHECKING, Any

from tierwise.cli.console import open_console
from tierwise.domain import Spending, Verdict
from tierwise.evals.provenance import say_spending
from tierwise.evals.table import eval_lines, judgement_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from tierwise.domain import EvalSummary
    from tierwise.domain.suite import SuiteResult
    from tierwise.evals.comparison import Comparison

_STYLES = {Verdict.PROVEN: "green", Verdict.REFUTED: "bold red", Verdict.UNDECIDED: "yellow"}
_NUMBERS = ("mean", "difference")


def print_result(summaries: Sequence[EvalSummary], result: SuiteResult) -> None:
    """Print the table, then what each verdict rests on, then where it is kept."""
    console = open_console()
    if summaries:
        console.print(render_table(summaries))
    for summary in summaries:
        console.print()
        for line in eval_lines(summary):
            console.print(line, markup=False, soft_wrap=True)
        if result.store is not None and (hint := say_how_to_look(summary, result.run_id)):
            console.print(f"  {hint}", markup=False, soft_wrap=True)
    if len(summaries) > 1 and (spent := say_spending(sum_up(summaries))):
        console.print(f"\nspent in all: {spent}", markup=False, soft_wrap=True)
    for line in result.not_run:
        console.print(f"NOT RUN  {line}", markup=False, soft_wrap=True)
    if result.store is not None:
        console.print(f"\nkept in {result.store}", markup=False, soft_wrap=True)


def render_table(summaries: Sequence[EvalSummary]) -> Table:
    """Return one row for each expectation, under its eval."""
    from rich.markup import escape  # noqa: PLC0415  rich is slow to load
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    table.add_column("eval", overflow="fold")
    table.add_column("verdict")
    units = {entry.unit for summary in summaries for entry in summary.judgements}
    number = "rate" if units <= {"rate"} else "estimate"
    for name in ("scored", number, "interval (two-sided)", "bound (one-sided)"):
        table.add_column(name, justify="right")
    seen = Counter(summary.eval_id for summary in summaries)
    for summary in summaries:
        unjudged = "[yellow]NOT JUDGED[/]" if summary.error else ""
        asked = f"  with {summary.provider}" if seen[summary.eval_id] > 1 else ""
        table.add_row(escape(f"{summary.eval_id}{asked}"), unjudged)
        for entry in summary.judgements:
            verdict = f"[{_STYLES[entry.verdict]}]{str(entry.verdict).upper()}[/]"
            table.add_row(f"  {escape(entry.expectation)}", verdict, *judgement_numbers(entry))
    return table


def say_how_to_look(summary: EvalSummary, run_id: str) -> str:
    """Return how the trials behind a refuted verdict are shown; empty when none is refuted."""
    refuted = [entry for entry in summary.judgements if entry.verdict is Verdict.REFUTED]
    if not refuted:
        return ""
    # A number speaks against nothing by itself, so that --failed would show none.
    failed = " --failed" if any(entry.unit not in _NUMBERS for entry in refuted) else ""
    return f"see the trials: tierwise eval show {run_id} --eval {quote(summary.eval_id)}{failed}"


def sum_up(summaries: Iterable[EvalSummary]) -> Spending:
    """Return what all trials of this run took."""
    return sum((summary.spent for summary in summaries), Spending())


def as_json(
    summaries: Sequence[EvalSummary],
    result: SuiteResult,
    comparisons: Iterable[Comparison] = (),
) -> str:
    """Return all numbers as JSON, with how several providers compare."""
    data = {
        "exit_code": result.exit_code,
        "error": result.error,
        "not_run": list(result.not_run),
        "store": None if result.store is None else str(result.store),
        "spent": dataclasses.asdict(sum_up(summaries)),
        "evals": [
            {**dataclasses.asdict(summary), "verdict": summary.verdict} for summary in summaries
        ],
        "comparisons": _comparisons_as_data(comparisons),
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _comparisons_as_data(comparisons: Iterable[Comparison]) -> list[dict[str, Any]]:
    found = tuple(comparisons)
    if not found:
        return []
    from tierwise.cli.eval_compare_view import comparison_as_data  # noqa: PLC0415  few have any

    return [comparison_as_data(comparison) for comparison in found]
