"""`tierwise eval history`: a metric over runs, and where it can be shown to have changed."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.console import open_console
from tierwise.cli.eval_records import find_store, open_records, reading_scores
from tierwise.errors import EvalUsageError, ExitCode, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, JustifyMethod
    from rich.table import Table

    from tierwise.evals.history import History, PastRun
    from tierwise.records import RunStore
    from tierwise.records.scores import EvalRun

_SHOWN = 20
_ASCII = "_.-=*#"
_NUMBERS = ("scored", "estimate", "interval")


@click.command()
@click.argument("eval_name", required=False, metavar="[EVAL]")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Only this (repeatable).")
@click.option(
    "--limit", type=click.IntRange(min=1), default=_SHOWN, help="The latest 20 runs unless said."
)
@click.option(
    "--confidence", type=click.FloatRange(0.5, 0.9999), default=0.95, help="0.95 unless said."
)
@click.option("--store", type=click.Path(path_type=Path), help="Another run store than this one.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data instead of tables.")
def command(
    *,
    eval_name: str | None,
    metrics: tuple[str, ...],
    limit: int,
    confidence: float,
    store: Path | None,
    is_json: bool,
) -> int:
    """Show the metrics of EVAL over its runs, oldest first; of all evals when none is named.

    EVAL is an id or a part of it. Runs that go on with one another are one measurement, and one
    line. A change between two neighbours is marked when a test case by case shows it, corrected
    for all neighbours that are looked at.
    """
    from tierwise.evals.history import make_histories  # noqa: PLC0415  statistics are slow to load

    with open_records(find_store(store)) as records:
        known = records.evals.runs()
        eval_id = None if eval_name is None else find_eval(eval_name, known)
        runs = _read(records, choose_runs(known, eval_id, limit), eval_id)
    found = make_histories(runs, metrics=metrics, confidence=confidence)
    if is_json:
        click.echo(json.dumps([dataclasses.asdict(entry) for entry in found], indent=2))
    else:
        _print(found, open_console())
    return ExitCode.OK if found else ExitCode.NOTHING_COLLECTED


def find_eval(
    name: str, known: Sequence[EvalRun], *, where: str = "No recorded run has an"
) -> str:
    """Return the one eval whose id is, or holds, the name."""
    ids = sorted({plan.eval_id for entry in known for plan in entry.plans})
    found = [eval_id for eval_id in ids if name in eval_id]
    if name in ids or len(found) == 1:
        return name if name in ids else found[0]
    if found:
        raise EvalUsageError(f"{name!r} is part of {len(found)} evals: {', '.join(found)}.")
    raise EvalUsageError(f"{where} eval {name!r}.{suggest(name, ids)}")


def choose_runs(known: Sequence[EvalRun], eval_id: str | None, limit: int) -> Sequence[EvalRun]:
    """Return the latest runs that planned the eval, oldest first."""
    wanted = [
        entry
        for entry in known
        if eval_id is None or any(plan.eval_id == eval_id for plan in entry.plans)
    ]
    return wanted[-limit:]


def _read(records: RunStore, runs: Sequence[EvalRun], eval_id: str | None) -> list[PastRun]:
    from tierwise.evals.history import PastRun  # noqa: PLC0415  statistics are slow to load

    with reading_scores(records) as reading:
        return [
            PastRun(
                run=entry.run,
                evals=reading.read(entry, eval_id=eval_id),
                verdicts=records.evals.verdicts(entry.run.run_id),
            )
            for entry in runs
        ]


def _print(histories: Sequence[History], console: Console) -> None:
    from tierwise.evals.history import draw_sparkline  # noqa: PLC0415  statistics are slow to load
    from tierwise.evals.history_lines import (  # noqa: PLC0415
        history_cells,
        legend_lines,
        say_scale,
    )

    if not histories:
        console.print("No run of evals is recorded yet. Make one: tierwise eval run", markup=False)
    is_narrow = not (console.encoding or "").lower().startswith("utf")
    for position, entry in enumerate(histories):
        levels = {"levels": _ASCII} if is_narrow else {}
        picture = draw_sparkline([point.estimate for point in entry.points], **levels)
        way = f", {entry.better} is better" if entry.better else ""
        if position:
            console.print()
        console.print(
            f"{entry.eval_id}  {entry.metric}  [{entry.provider}{way}]  {picture}"
            f"  {say_scale(entry)}",
            markup=False,
            soft_wrap=True,
        )
        console.print(_render(history_cells(entry)))
    if legend := legend_lines(histories):
        console.print("\n" + "\n".join(legend), markup=False, soft_wrap=True)


def _render(rows: Sequence[tuple[str, ...]]) -> Table:
    from rich.markup import escape  # noqa: PLC0415  rich is slow to load
    from rich.table import Table  # noqa: PLC0415

    from tierwise.evals.history_lines import COLUMNS  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in COLUMNS:
        justify: JustifyMethod = "right" if name in _NUMBERS else "left"
        table.add_column(name, justify=justify, no_wrap=name == "run", overflow="fold")
    for cells in rows:
        *most, change = map(escape, cells)
        style = "bold red" if "WORSE" in change else "green" if "better" in change else ""
        table.add_row(*most, f"[{style}]{change}[/]" if style else change)
    return table
