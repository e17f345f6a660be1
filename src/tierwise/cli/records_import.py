"""`tierwise records import`: runs of another store, taken in."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.records_store import open_store
from tierwise.config import load_config
from tierwise.errors import ExitCode, MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from tierwise.records.importing import TakenIn


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "is_json", is_flag=True, help="Print plain data.")
def command(*, files: tuple[str, ...], is_json: bool) -> ExitCode:
    """Take in runs that `tierwise records export` has written; `-` is stdin.

    A run that is there already is left as it is, so that a file may be taken in twice. A file
    that is not understood is refused as a whole, with the line.
    """
    config = load_config(Path.cwd())
    with open_store(config, is_made=True) as store:
        done: list[tuple[str, TakenIn]] = []
        for name in files:
            where = "stdin" if name == "-" else name
            found = store.upkeep.take_in(_lines(name, where), where=where)
            done.append((where, found))
            if not is_json:
                _say(where, found)
    if is_json:
        click.echo(json.dumps([_as_data(name, found) for name, found in done], indent=2))
    empty = [where for where, found in done if not (found.added or found.known)]
    for where in empty:
        click.echo(f"{where} holds no run: nothing was merged from it.", err=True)
    return ExitCode.NOTHING_OBSERVED if empty else ExitCode.OK


def _lines(name: str, where: str) -> Iterator[str]:
    try:
        if name == "-":
            yield from _each(sys.stdin)
        else:
            with Path(name).open(encoding="utf-8") as file:
                yield from _each(file)
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(f"{where} cannot be read: {error}.") from error


def _each(file: TextIO) -> Iterator[str]:
    from tierwise.records.importing import MOST_CHARACTERS  # noqa: PLC0415  slow to load

    while line := file.readline(MOST_CHARACTERS + 1):
        yield line


def _say(where: str, found: TakenIn) -> None:
    n = len(found.added)
    click.echo(
        f"{where}: {n} run{'s' * (n != 1)} taken in ({found.n_rows} rows), "
        f"{len(found.known)} there already"
    )


def _as_data(where: str, found: TakenIn) -> dict[str, object]:
    return {
        "file": where,
        "added": list(found.added),
        "known": list(found.known),
        "rows": found.n_rows,
    }
