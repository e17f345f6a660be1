"""`tierwise records export`: runs as JSON Lines."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise._version import __version__
from tierwise.cli.records_store import open_store
from tierwise.config import load_config
from tierwise.errors import ExitCode, MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

_SHOWN = 5


@click.command()
@click.option(
    "--run",
    "names",
    multiple=True,
    metavar="RUN",
    help="Only this run, by its id or as it begins, or `last` (repeatable).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; stdout unless said.",
)
@click.option("--json", "is_json", is_flag=True, help="Say as JSON what was written (with --out).")
def command(*, names: tuple[str, ...], out: Path | None, is_json: bool) -> ExitCode:
    """Write runs as JSON Lines, so that the records of CI runs can be merged.

    All runs that have ended, unless --run names some. A run whose trials another one took over
    goes with it.
    """
    if is_json and out is None:
        raise MisuseError(
            "tierwise records export --json describes a file: name one by --out FILE. Without "
            "--json the lines themselves, which are JSON, go to stdout."
        )
    config = load_config(Path.cwd())
    with open_store(config) as store:
        chosen = _choose(names, store.upkeep.run_ids()) if names else None
        lines = store.upkeep.export(chosen, tierwise=__version__)
        if out is None:
            return _end(_write(lines, sys.stdout))
        try:
            with out.open("w", encoding="utf-8") as file:
                n_runs = _write(lines, file)
        except OSError as error:
            raise MisuseError(f"{out} cannot be written: {error}.") from error
    said = f"{n_runs} run{'s' * (n_runs != 1)} written to {out}"
    click.echo(json.dumps({"runs": n_runs, "file": str(out)}) if is_json else said)
    return _end(n_runs)


def _end(n_runs: int) -> ExitCode:
    """Say it where nothing was there to export: whoever merges records must not miss it."""
    if not n_runs:
        click.echo("No run has ended yet, so there is nothing to merge.", err=True)
    return ExitCode.OK if n_runs else ExitCode.NOTHING_OBSERVED


def _write(lines: Iterable[str], file: TextIO) -> int:
    n_runs = 0
    for line in lines:
        file.write(line)
        n_runs += line.startswith('{"end":')
    return n_runs


def _choose(names: Sequence[str], known: Sequence[str]) -> list[str]:
    return [_find(name, known) for name in names]


def _find(name: str, known: Sequence[str]) -> str:
    found = known[-1:] if name == "last" else [run for run in known if run.startswith(name)]
    if len(found) == 1 or name in found:
        return name if name in found else found[0]
    if found:
        raise MisuseError(
            f"{name!r} begins the ids of {len(found)} runs: {', '.join(found[-_SHOWN:])}. "
            "Give more of the id."
        )
    hint = suggest(name, ["last", *known[-_SHOWN:]])
    raise MisuseError(f"There is no run {name!r} in the run store.{hint}")
