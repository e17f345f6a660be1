"""`tierwise map`: what is covered, what is partial, what is a gap."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.console import open_console
from tierwise.config import Config, load_config
from tierwise.records import RunStore, read_fingerprint
from tierwise.report.facts import gather_facts
from tierwise.report.map import draw_map

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.report.map import TierFacts


@click.command()
@click.option(
    "--by",
    type=click.Choice(["level", "tier"]),
    default="level",
    help="One row a level of the taxonomy (the default), or one row a tier of this project.",
)
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of a table.")
def command(*, by: str, as_json: bool) -> None:
    """Show the twelve levels of testing, filled from what was measured.

    A level is `covered` when all its tests passed on the present state of the code and nothing
    is in doubt: each of its tiers was run whole, too. It is `partial` when something is in doubt,
    and a `gap` when no test has a result.
    """
    config = load_config(Path.cwd())
    store = config.store_path
    facts = read_facts(store, config=config)
    if as_json:
        click.echo(json.dumps(_as_data(config, facts, by=by), indent=2))
    else:
        _print(config, facts, by=by, store=store)


def read_facts(store: Path, *, config: Config) -> dict[str, TierFacts]:
    """Return what the run store of a project holds; no store means no facts."""
    opened = RunStore.open_existing(store)
    if opened is None:
        return {}
    with opened:
        return gather_facts(
            opened.latest_tests_by_tier(),
            opened.latest_verdicts(),
            runs=opened.runs(),
            code_hash=read_fingerprint(config.root, whole=config.code_paths),
        )


def _as_data(config: Config, facts: Mapping[str, TierFacts], *, by: str) -> object:
    from tierwise.report.terminal import map_as_data, tiers_as_data  # noqa: PLC0415  rich is slow

    if by == "tier":
        return tiers_as_data(config.tiers, facts)
    return map_as_data(draw_map(config.tiers, facts))


def _print(config: Config, facts: Mapping[str, TierFacts], *, by: str, store: Path) -> None:
    from tierwise.report.terminal import (  # noqa: PLC0415  rich is slow to load
        render_map,
        render_tiers,
        summarise_map,
    )

    console = open_console()
    if by == "tier":
        console.print(render_tiers(config.tiers, facts))
    else:
        rows = draw_map(config.tiers, facts)
        console.print(render_map(rows))
        console.print(summarise_map(rows))
    for line in (*say_contracts(config), *say_source(config, store if store.exists() else None)):
        # `[tool.tierwise]` is a name and no markup.
        console.print(line, markup=False, soft_wrap=True)


def say_contracts(config: Config) -> tuple[str, ...]:
    """Return how many implementations of contracts are verified; nothing where there are none."""
    from tierwise.cli.contracts import read_standings  # noqa: PLC0415  slow to load

    states = [one.state.value for each in read_standings(config).values() for one in each]
    if not states:
        return ()
    n = states.count("verified")
    more = "" if n == len(states) else "; the others, and why: `tierwise contracts`"
    return (f"contracts: {n} of {len(states)} implementations verified{more}",)


def say_source(config: Config, store: Path | None) -> tuple[str, ...]:
    """Return where the map comes from, and what to do where it has nothing to show."""
    start = (
        "this project has no [tool.tierwise] table. Run `tierwise init`, which writes one, then"
    )
    again = "`pytest`, then `tierwise map` again."
    if store is None and config.declared:
        return (f"Nothing is recorded yet. Run {again}",)
    if store is None:
        return (f"Nothing is recorded: {start} {again}",)
    source = f"from {store.relative_to(config.root)}"
    return (source,) if config.declared else (source, f"Tests are not recorded: {start} {again}")
