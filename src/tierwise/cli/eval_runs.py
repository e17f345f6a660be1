"""`tierwise eval runs`: the runs of evals that are recorded, the latest last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tierwise.cli.console import open_console
from tierwise.cli.eval_records import find_store, open_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.run_list import RunSummary

_SHOWN = 20


@click.command()
@click.option(
    "--limit", type=click.IntRange(min=1), default=_SHOWN, help="The latest 20 unless said."
)
@click.option("--store", type=click.Path(path_type=Path), help="Another run store than this one.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data instead of a table.")
def command(*, limit: int, store: Path | None, is_json: bool) -> None:
    """List the runs of evals: when, at which commit, who answered, what it came to and cost.

    The names in the first column are those that `compare`, `history` and `--baseline` take.
    """
    from tierwise.evals.run_list import summarise_run  # noqa: PLC0415  loaded when asked for

    path = find_store(store)
    with open_records(path) as records:
        known = records.evals.runs()
        found = [
            summarise_run(
                entry,
                records.evals.verdicts(entry.run.run_id),
                records.evals.usage(entry.run.run_id),
            )
            for entry in known[-limit:]
        ]
    if is_json:
        click.echo(json.dumps([_as_data(entry) for entry in found], indent=2))
    else:
        _print(found, n_older=len(known) - len(found))


def _print(found: Sequence[RunSummary], *, n_older: int) -> None:
    from rich.markup import escape  # noqa: PLC0415  rich is slow to load
    from rich.table import Table  # noqa: PLC0415

    from tierwise.evals.run_list import say_cost, say_verdicts  # noqa: PLC0415

    console = open_console()
    if not found:
        console.print("No run of evals is recorded yet. Make one: tierwise eval run", markup=False)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("run", no_wrap=True)
    for name in ("started", "commit", "provider", "evals"):
        table.add_column(name, overflow="fold")
    table.add_column("trials", justify="right")
    table.add_column("cost", justify="right")
    for entry in found:
        run = entry.run
        reused = f" + {entry.n_reused} reused" if entry.n_reused else ""
        table.add_row(
            run.run_id,
            run.started_at.replace("T", " ")[:16] + ("" if run.finished_at else " (not finished)"),
            run.info.commit[:8] or "-",
            escape(", ".join(entry.providers)),
            say_verdicts(entry.verdicts),
            f"{entry.n_trials}{reused}",
            say_cost(entry.cost_usd, n_calls=entry.n_calls, n_unpriced=entry.n_unpriced),
        )
    console.print(table)
    if n_older:
        console.print(f"and {n_older} older: --limit {n_older + len(found)}", markup=False)


def _as_data(entry: RunSummary) -> dict[str, Any]:
    run = entry.run
    return {
        "run": run.run_id,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "commit": run.info.commit,
        "exit_code": run.exit_code,
        "providers": entry.providers,
        "evals": entry.evals,
        "verdicts": dict(entry.verdicts),
        "n_trials": entry.n_trials,
        "n_reused": entry.n_reused,
        "n_calls": entry.n_calls,
        "n_tokens": entry.n_tokens,
        "cost_usd": None if entry.n_unpriced == entry.n_calls > 0 else entry.cost_usd,
        "n_calls_of_unknown_price": entry.n_unpriced,
    }
