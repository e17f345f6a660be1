"""`tierwise map`: what is covered, what is partial, what is a gap."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.console import open_console
from tierwise.config import Config, load_config
from tierwise.domain import Decision, Level, Mode
from tierwise.errors import ExitCode, MisuseError
from tierwise.records import RunStore, read_fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.records import KeptGapRow
    from tierwise.report.baseline import Fallen
    from tierwise.report.map import LevelRow, TierFacts

_NOTHING = (
    "Nothing is recorded here, so no level can be compared with the baseline. Run `pytest` "
    "before, or take in what CI has recorded by `tierwise records import FILE`."
)
_WIDE = 200
"""What the table of all that is known needs; a narrower terminal gets lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What the run store of a project holds for its map."""

    facts: Mapping[str, TierFacts]
    rows: Sequence[LevelRow]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    gaps: Sequence[KeptGapRow] = ()


@click.command()
@click.option(
    "--by",
    type=click.Choice(["level", "tier"]),
    default="level",
    help="One row a level of the taxonomy (the default), or one row a tier of this project.",
)
@click.option("--wide", "is_wide", is_flag=True, help="Show all that is known of each level.")
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of a table.")
@click.option(
    "--check",
    is_flag=True,
    help="Exit with 1 when a level is below the baseline, 11 when nothing is recorded.",
)
@click.option("--save-baseline", "is_saved", is_flag=True, help="Write the baseline to review.")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the map between its markers in a document.",
)
@click.option(
    "--run",
    "wanted",
    multiple=True,
    type=click.Choice([str(level) for level in Level]),
    help="First run the commands that serve this level (repeatable).",
)
def command(
    *,
    by: str,
    is_wide: bool,
    as_json: bool,
    check: bool,
    is_saved: bool,
    markdown: Path | None,
    wanted: tuple[str, ...],
) -> int:
    """Show the twelve levels of testing, filled from what was measured.

    A level is `covered` when all its tests passed on the present state of the code and nothing
    is in doubt: each of its tiers was run whole, too. It is `partial` when something is in doubt,
    and a `gap` when no test has a result. A command of [tool.tierwise.map.commands] serves its
    level by its own record.
    """
    if check and is_saved:
        raise MisuseError(
            "--check compares with the baseline that --save-baseline would write: use one of them."
        )
    config = load_config(Path.cwd())
    done = _run(config, wanted)
    found = read(config, is_whole=markdown is not None)
    fallen = _compare(config, found) if check else None
    if as_json:
        click.echo(json.dumps(_as_data(config, found, fallen, by=by), indent=2))
    else:
        _print(config, found, by=by, is_wide=is_wide)
    if is_saved:
        _save(config, found)
    if markdown is not None:
        _write(config, found, markdown)
    return _end(found, fallen, done)


def _end(found: Read, fallen: Sequence[Fallen] | None, done: Sequence[Decision]) -> ExitCode:
    """Say what fell and return the exit code: what could not be told is not fine."""
    if fallen is not None and all(row.status == "gap" for row in found.rows):
        click.echo(_NOTHING, err=True)
        return ExitCode.NOTHING_OBSERVED
    for one in fallen or ():
        click.echo(str(one), err=True)
    if fallen or any(one in (Decision.BROKEN, Decision.STALE) for one in done):
        return ExitCode.FAILED
    return ExitCode.NOTHING_OBSERVED if Decision.NOTHING_READ in done else ExitCode.OK


def read(config: Config, *, is_whole: bool = False) -> Read:
    """Return what the run store of a project holds; with `is_whole` the names of all tests, too.

    No store means no facts.
    """
    from tierwise.report.map import draw_map  # noqa: PLC0415
    from tierwise.report.reading import read_evidence, read_facts, read_map  # noqa: PLC0415

    store, now = RunStore.open_existing(config.store_path), datetime.now(UTC)
    if store is None:
        return Read(facts={}, rows=read_map(None, config, code_hash="", now=now))
    code = read_fingerprint(config.root, whole=config.code_paths)
    with store:
        facts = read_facts(store, config, code)
        evidence = read_evidence(store, config, facts, code_hash=code, now=now)
        return Read(
            facts=facts,
            rows=draw_map(config.tiers, facts, evidence),
            names=store.map.names() if is_whole else {},
            gaps=store.map.gaps() if is_whole else (),
        )


def _run(config: Config, wanted: Sequence[str]) -> Sequence[Decision]:
    if not wanted:
        return ()
    from tierwise.cli.map_commands import run_commands  # noqa: PLC0415  for --run alone

    return run_commands(config, wanted)


def _compare(config: Config, found: Read) -> tuple[Fallen, ...]:
    from tierwise.cli.map_files import compare_with_baseline  # noqa: PLC0415  for --check alone

    return compare_with_baseline(config, found.rows)


def _save(config: Config, found: Read) -> None:
    from tierwise.cli.map_files import save_baseline  # noqa: PLC0415  for --save-baseline alone

    path = save_baseline(config, found.rows)
    click.echo(f"written to {path.relative_to(config.root)}: review and commit it", err=True)


def _write(config: Config, found: Read, path: Path) -> None:
    from tierwise.cli.map_files import write_document  # noqa: PLC0415  for --markdown alone

    is_new = write_document(path, found.rows, found.names, gaps=found.gaps, config=config)
    click.echo(f"{path}: {'written' if is_new else 'already up to date'}", err=True)


def _as_data(config: Config, found: Read, fallen: Sequence[Fallen] | None, *, by: str) -> object:
    from tierwise.report.terminal import map_as_data, tiers_as_data  # noqa: PLC0415  rich is slow

    if by == "tier":
        return tiers_as_data(config.tiers, found.facts)
    rows = map_as_data(found.rows)
    if fallen is None:
        return rows
    before = {one.level: one.before for one in fallen}
    return [
        {**row, "fell_from": before.get(each.level)}
        for row, each in zip(rows, found.rows, strict=True)
    ]


def _print(config: Config, found: Read, *, by: str, is_wide: bool) -> None:
    from tierwise.report.terminal import (  # noqa: PLC0415  rich is slow to load
        list_wide_map,
        render_map,
        render_tiers,
        render_wide_map,
        summarise_map,
    )

    console = open_console()
    store = config.store_path if config.store_path.exists() else None
    if by == "tier":
        console.print(render_tiers(config.tiers, found.facts))
    else:
        if is_wide and console.width < _WIDE:
            console.print(list_wide_map(found.rows), markup=False, soft_wrap=True)
        else:
            console.print((render_wide_map if is_wide else render_map)(found.rows))
        console.print(summarise_map(found.rows))
    told = (*say_contracts(found.rows), *say_unplaced(found.facts), *say_source(config, store))
    for line in told:
        # `[tool.tierwise]` is a name and no markup.
        console.print(line, markup=False, soft_wrap=True)


def say_contracts(rows: Sequence[LevelRow]) -> tuple[str, ...]:
    """Return how many implementations of contracts are verified; nothing where there are none."""
    (share,) = (row.evidence.contracts for row in rows if row.level is Level.CONTRACT)
    if not share.of:
        return ()
    more = "" if share.good == share.of else "; the others, and why: `tierwise contracts`"
    return (f"contracts: {share.good} of {share.of} implementations verified{more}",)


def say_unplaced(facts: Mapping[str, TierFacts]) -> tuple[str, ...]:
    """Return how the tests stand that no tier claims: no level of the map counts them."""
    found = facts.get("")
    if found is None or not found.n_tests:
        return ()
    n, counts = found.n_tests, found.outcomes.items()
    outcomes = ", ".join(f"{count} {outcome.replace('_', ' ')}" for outcome, count in counts)
    return (f"{n} test{'s' * (n > 1)} that no tier claims, and no level counts: {outcomes}",)


def say_source(config: Config, store: Path | None) -> tuple[str, ...]:
    """Return where the map comes from, and what to do where it has nothing to show."""
    start = (
        "this project has no [tool.tierwise] table. Run `tierwise init`, which writes one, then"
    )
    again = "`pytest`, then `tierwise map` again."
    if config.declared and config.mode is not Mode.ENFORCE:
        source = "Nothing is recorded yet" if store is None else f"from {say_path(config, store)}"
        why = f'mode = "{config.mode}" in [tool.tierwise] records no tests'
        return (f'{source}: {why}. Set mode = "{Mode.ENFORCE}", then run {again}',)
    if store is None and config.declared:
        return (f"Nothing is recorded yet. Run {again}",)
    if store is None:
        return (f"Nothing is recorded: {start} {again}",)
    source = f"from {say_path(config, store)}"
    return (source,) if config.declared else (source, f"Tests are not recorded: {start} {again}")


def say_path(config: Config, store: Path) -> str:
    """Return where the store is, as seen from the project."""
    return store.relative_to(config.root).as_posix()
