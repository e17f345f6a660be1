"""`tierwise map`: what is covered, what is partial, what is a gap."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tierwise.config import Config, load_config
from tierwise.records import RunStore, read_commit
from tierwise.report.facts import gather_facts
from tierwise.report.map import LevelRow, TierFacts, draw_map


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the map as JSON.")
def command(*, as_json: bool) -> None:
    """Show the twelve levels of testing, filled from what was measured.

    A level is `covered` when all its tests passed on the present commit and nothing is in doubt,
    `partial` when something is, and a `gap` when no test has a result.
    """
    config = load_config(Path.cwd())
    store = config.root / ".tierwise" / "records.db"
    rows = draw_map(config.tiers, read_facts(store, root=config.root))
    if as_json:
        from tierwise.report.terminal import map_as_data  # noqa: PLC0415  rich is slow to load

        click.echo(json.dumps(map_as_data(rows), indent=2))
    else:
        print_map(rows, config=config, store=store)


def read_facts(store: Path, *, root: Path) -> dict[str, TierFacts]:
    """Return what the run store of a project holds; no store means no facts."""
    opened = RunStore.open_existing(store)
    if opened is None:
        return {}
    with opened:
        return gather_facts(
            opened.latest_tests_by_tier(), opened.latest_verdicts(), commit=read_commit(root)
        )


def print_map(rows: tuple[LevelRow, ...], *, config: Config, store: Path) -> None:
    """Print the table, its summary, and where the facts come from."""
    from rich.console import Console  # noqa: PLC0415  rich is slow to load

    from tierwise.report.terminal import render_map, summarise_map  # noqa: PLC0415

    console = Console(highlight=False)
    console.print(render_map(rows))
    console.print(summarise_map(rows))
    if store.exists():
        console.print(f"from {store.relative_to(config.root)}", style="dim")
    else:
        console.print("Nothing is recorded yet. Run `pytest`, then `tierwise map` again.")
    if not config.declared:
        console.print("This project has no [tool.tierwise] table. `tierwise init` writes one.")
