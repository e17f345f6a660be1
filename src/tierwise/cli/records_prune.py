"""`tierwise records prune`: old runs deleted by a policy."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.records_store import open_store
from tierwise.config import Config, load_config
from tierwise.errors import MisuseError
from tierwise.records.named_runs import read_named
from tierwise.records.pruning import Policy

if TYPE_CHECKING:
    from tierwise.records.pruning import Pruning


@click.command()
@click.option(
    "--keep-days", type=click.IntRange(min=1), metavar="N", help="Keep runs of the last N days."
)
@click.option("--keep-runs", type=click.IntRange(min=1), metavar="N", help="Keep the last N runs.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Say what would go, and delete nothing.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data.")
def command(*, keep_days: int | None, keep_runs: int | None, is_dry: bool, is_json: bool) -> None:
    """Delete old runs, by these numbers or those of [tool.tierwise.records].

    A run stays when either number keeps it. Never deleted: what the map, a contract, a gate or a
    verdict still rests on, runs whose trials another one took over, and baselines that a file of
    the project, a test or [tool.tierwise.records] keep = [...] names.
    """
    config = load_config(Path.cwd())
    policy = policy_of(config)
    if keep_days is not None or keep_runs is not None:
        policy = replace(policy, keep_days=keep_days, keep_runs=keep_runs)
    if policy.keep_days is None and policy.keep_runs is None:
        raise MisuseError(
            "What is to be kept is not said, so nothing was deleted. Use --keep-days N or "
            "--keep-runs N, or write keep_days or keep_runs into [tool.tierwise.records]."
        )
    now = datetime.now(UTC)
    with open_store(config) as store:
        if is_dry:
            found, n_rows = store.upkeep.plan_pruning(policy, now=now), None
        else:
            found, n_rows = store.upkeep.prune(policy, now=now)
    if is_json:
        click.echo(json.dumps(_as_data(found, n_rows), indent=2))
    else:
        _say(found, n_rows)


def policy_of(config: Config) -> Policy:
    """Return the policy that a project writes down, with the baselines that it names."""
    try:
        named = read_named(config.root, config.code_paths)
    except OSError as error:
        raise MisuseError(
            f"Which baselines the project names cannot be told: {error}. Nothing was deleted."
        ) from error
    return Policy(
        keep_days=config.records.keep_days,
        keep_runs=config.records.keep_runs,
        keep=(*config.records.keep, *named.ids),
        keep_evals=named.n_latest,
    )


def _say(found: Pruning, n_rows: int | None) -> None:
    n = len(found.gone)
    word = "would be deleted" if n_rows is None else "deleted"
    rows = "" if n_rows is None else f" ({n_rows} rows)"
    click.echo(f"{n} run{'s' * (n != 1)} {word}{rows}, {found.n_kept} kept")
    for run, why in found.held.items():
        click.echo(f"  {run} stays: {why}")


def _as_data(found: Pruning, n_rows: int | None) -> dict[str, object]:
    return {
        "dry_run": n_rows is None,
        "gone": list(found.gone),
        "held": dict(found.held),
        "kept": found.n_kept,
        "rows": n_rows,
    }
