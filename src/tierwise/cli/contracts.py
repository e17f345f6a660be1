"""`tierwise contracts`: which double is verified, by what, and which is not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.contracts_view import as_data, print_contracts
from tierwise.config import Config, load_config
from tierwise.errors import ExitCode, MisuseError, suggest
from tierwise.records import RunStore, read_fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.contracts.cells import Side
    from tierwise.contracts.standing import Standing, Terms
    from tierwise.records import DeclaredContract


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--check", is_flag=True, help="Exit with 1 broken, 11 unobserved, 12 stale.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data instead of tables.")
def command(*, name: str | None, check: bool, is_json: bool) -> int:
    """Show each contract's implementations: verified or not, and why.

    A double is verified when its clauses were kept by it, on the present state of the code, and
    by the real thing, not longer ago than `max_age_days`. With NAME, a contract's name or a part
    of it, every clause is shown.
    """
    from tierwise.contracts.standing import exit_code_of  # noqa: PLC0415  slow to load

    config = load_config(Path.cwd())
    found = read_standings(config, name)
    if is_json:
        click.echo(json.dumps(as_data(found), indent=2))
    else:
        print_contracts(found, is_whole=name is not None, hint=_say_source(config, found))
    standings = [standing for each in found.values() for standing in each]
    return exit_code_of(standings) if check else ExitCode.OK


def read_standings(config: Config, name: str | None = None) -> dict[str, tuple[Standing, ...]]:
    """Return every implementation of each contract judged, or of those that `name` means."""
    from tierwise.contracts.standing import judge_contract  # noqa: PLC0415  slow to load

    sides = choose(read_sides(config), name)
    terms = terms_of(config) if sides else None
    if terms is None:
        return {}
    return {contract: judge_contract(each, terms) for contract, each in sides.items()}


def terms_of(config: Config) -> Terms:
    """Return what a proof is measured by, here and now."""
    from tierwise.contracts.standing import Terms  # noqa: PLC0415  slow to load

    return Terms(
        now=datetime.now(UTC),
        max_age_days=config.contracts.max_age_days,
        code_hash=read_fingerprint(config.root, whole=config.code_paths),
    )


def read_sides(config: Config) -> dict[str, tuple[Side, ...]]:
    """Return what the run store holds of each contract that is still in the project."""
    from tierwise.contracts.cells import fill_sides  # noqa: PLC0415  slow to load

    store = RunStore.open_existing(config.store_path)
    if store is None:
        return {}
    with store:
        declared, kept = store.declared_contracts(), store.kept_clauses()
    return fill_sides(drop_gone(declared, config.root), kept)


def drop_gone(declared: Sequence[DeclaredContract], root: Path) -> list[DeclaredContract]:
    """Return the contracts whose test file is still there."""
    return [one for one in declared if (root / one.declared_by.partition("::")[0]).exists()]


def choose(sides: Mapping[str, tuple[Side, ...]], name: str | None) -> dict[str, tuple[Side, ...]]:
    """Return the contracts that a name means: the one it is, or those it is a part of."""
    if name is None:
        return dict(sides)
    exact = {one: each for one, each in sides.items() if name in (one, one.rpartition(".")[2])}
    found = exact or {one: each for one, each in sides.items() if name in one}
    if not found:
        known = suggest(name, [one.rpartition(".")[2] for one in sides]) if sides else ""
        raise MisuseError(f"No contract {name!r} is recorded.{known}")
    return found


def _say_source(config: Config, found: Mapping[str, Sequence[Standing]]) -> str:
    if found:
        return f"from {config.store_path.relative_to(config.root)}"
    if not config.declared:
        return (
            "No contract is recorded: this project has no [tool.tierwise] table. Run "
            "`tierwise init`, which writes one, then `pytest`."
        )
    return "No contract is recorded yet. Run `pytest`, then `tierwise contracts` again."
