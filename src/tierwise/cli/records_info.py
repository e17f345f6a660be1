"""`tierwise records info`: what the run store holds."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.records_prune import policy_of
from tierwise.cli.records_store import open_store
from tierwise.config import Config, load_config
from tierwise.records.drives import read_network_kind

if TYPE_CHECKING:
    from tierwise.records.pruning import Pruning
    from tierwise.records.upkeep import Overview

_KILOBYTE = 1024


@click.command()
@click.option("--json", "is_json", is_flag=True, help="Print plain data.")
def command(*, is_json: bool) -> None:
    """Say what the run store holds, where it is, and what pruning by the policy would do."""
    config = load_config(Path.cwd())
    drive = read_network_kind(config.store_path)
    with open_store(config) as store:
        found = store.upkeep.describe()
        pruning = store.upkeep.plan_pruning(policy_of(config), now=datetime.now(UTC))
    if is_json:
        click.echo(json.dumps(_as_data(config, found, drive, pruning), indent=2))
        return
    for line in _lines(config, found, drive, pruning):
        click.echo(line)


def _lines(config: Config, found: Overview, drive: str, pruning: Pruning) -> list[str]:
    place = f"on a network drive ({drive})" if drive else "on a drive of this machine"
    runs = found.rows.get("runs", 0)
    rows = ", ".join(f"{n} {table}" for table, n in found.rows.items() if n and table != "runs")
    policy = _say_policy(config)
    path, size = config.store_path.relative_to(config.root), say_size(found.n_bytes)
    span = f" from {found.first[:10]} to {found.last[:10]}" if runs else ""
    return [
        f"{path}: {size}, schema {found.schema}, {place}",
        f"{runs} runs{span}; {found.n_imported} taken in, {found.n_unfinished} did not end",
        rows or "no rows",
        f"policy: {policy}; pruning would delete {len(pruning.gone)} runs",
    ]


def _say_policy(config: Config) -> str:
    rules = [
        f"the last {n} {unit}"
        for n, unit in ((config.records.keep_days, "days"), (config.records.keep_runs, "runs"))
        if n is not None
    ]
    return f"keep {' and '.join(rules)}" if rules else "none, every run is kept"


def say_size(n_bytes: int) -> str:
    """Return a size as a person reads it."""
    size, units = float(n_bytes), ["bytes", "KB", "MB", "GB"]
    while size >= _KILOBYTE and len(units) > 1:
        size /= _KILOBYTE
        units.pop(0)
    return f"{size:.0f} {units[0]}" if units[0] == "bytes" else f"{size:.1f} {units[0]}"


def _as_data(config: Config, found: Overview, drive: str, pruning: Pruning) -> dict[str, object]:
    return {
        "path": str(config.store_path),
        "network_drive": drive or None,
        **asdict(found),
        "policy": {
            "keep_days": config.records.keep_days,
            "keep_runs": config.records.keep_runs,
            "keep": list(config.records.keep),
        },
        "would_go": list(pruning.gone),
        "held": dict(pruning.held),
    }
