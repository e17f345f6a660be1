"""`tierwise requirements`: which requirement is verified, by what, and which is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.console import open_console
from tierwise.config import Config, load_config
from tierwise.errors import ConfigError, ExitCode
from tierwise.records import RunStore, read_fingerprint
from tierwise.report.requirement_file import Requirement, read_requirements
from tierwise.report.requirements import Proof, RequirementRow, draw_matrix, exit_code_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.table import Table

    from tierwise.records import LinkRow
    from tierwise.report.docstrings import Described

_STYLES = {
    Proof.VERIFIED: "green",
    Proof.UNVERIFIED: "yellow",
    Proof.UNTESTED: "bold red",
    Proof.UNKNOWN: "bold red",
}

_NONE = (
    'No requirement is known. Mark tests with @pytest.mark.requirement("ID"), or name a file in '
    "[tool.tierwise.requirements], then run `pytest`."
)
_NO_FILE = (
    "Requirements that no test names are not known: name a file of all of them in "
    "[tool.tierwise.requirements]."
)


@click.command()
@click.option("--check", is_flag=True, help="Exit with 1 not met, 11 unobserved, 12 stale.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data instead of a table.")
def command(*, check: bool, is_json: bool) -> int:
    """Show each requirement with the tests that are evidence for it.

    A requirement is verified when all tests that name it, by @pytest.mark.requirement("ID"),
    passed on the present state of the code. One that no test names is untested; with a file in
    [tool.tierwise.requirements], one that the file does not have is unknown.
    """
    config = load_config(Path.cwd())
    rows = read_matrix(config)
    if is_json:
        click.echo(json.dumps(_as_data(rows), indent=2))
    else:
        _print(rows, config)
    return exit_code_of(rows) if check else ExitCode.OK


def read_matrix(config: Config) -> tuple[RequirementRow, ...]:
    """Return each requirement of the project with its evidence, judged."""
    declared = read_declared(config)
    store = RunStore.open_existing(config.store_path)
    if store is None:
        return draw_matrix(declared, (), code_hash="")
    with store:
        links = store.map.links()
    code = read_fingerprint(config.root, whole=config.code_paths)
    return draw_matrix(declared, drop_gone(links, config.root, code), code_hash=code)


def read_declared(config: Config) -> tuple[Requirement, ...] | None:
    """Return the requirements of the project's file; None where it names none."""
    name = config.requirements.file
    if not name:
        return None
    try:
        text = (config.root / name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"pyproject.toml, [tool.tierwise.requirements]: the file {name} cannot be read: "
            f"{error}."
        ) from error
    return read_requirements(text, name)


def drop_gone(links: Iterable[LinkRow], root: Path, code_hash: str) -> list[LinkRow]:
    """Return the links of tests that are still written, and that a whole run did not miss.

    What was collected on the present state of the code is there, whoever wrote it and how.
    """
    from tierwise.cli.map_files import read_described  # noqa: PLC0415  slow to load
    from tierwise.report.docstrings import is_written  # noqa: PLC0415

    kept: list[LinkRow] = []
    described: dict[str, Mapping[str, Described]] = {}
    for link in links:
        file, _, names = link.nodeid.partition("::")
        is_there = bool(code_hash) and link.said_by == code_hash
        if not (is_there or link.is_gone):
            if file not in described:
                described[file] = read_described(root, file)
            is_code = file.endswith(".py")
            is_there = is_written(described[file], names) if is_code else (root / file).exists()
        if is_there:
            kept.append(link)
    return kept


def _as_data(rows: Sequence[RequirementRow]) -> list[Mapping[str, object]]:
    return [
        {
            "id": row.id,
            "text": row.text,
            "proof": row.proof,
            "reason": row.reason,
            "tests": [
                {
                    "nodeid": link.nodeid,
                    "tier": link.tier,
                    "outcome": link.outcome or "not_run",
                    "message": link.message,
                    "last_run": link.started_at or None,
                }
                for link in row.links
            ],
        }
        for row in rows
    ]


def _print(rows: Sequence[RequirementRow], config: Config) -> None:
    console = open_console()
    if rows:
        console.print(_table(rows))
        proofs = [row.proof for row in rows]
        counts = [f"{proofs.count(proof)} {proof}" for proof in Proof if proof in proofs]
        console.print(f"{len(rows)} requirements: {', '.join(counts)}", markup=False)
    for line in _say_source(rows, config):
        console.print(line, markup=False, soft_wrap=True)


def _table(rows: Sequence[RequirementRow]) -> Table:
    from rich import box  # noqa: PLC0415  rich is slow to load
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("requirement", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("tests", justify="right")
    table.add_column("why", overflow="fold")
    table.add_column("what is asked", overflow="fold")
    for row in rows:
        cells = (str(len(row.links) or ""), row.reason, row.text)
        state = Text(row.proof, style=_STYLES[row.proof])
        table.add_row(Text(row.id), state, *map(Text, cells))
    return table


def _say_source(rows: Sequence[RequirementRow], config: Config) -> tuple[str, ...]:
    if not rows:
        return (_NONE,)
    return () if config.requirements.file else (_NO_FILE,)
