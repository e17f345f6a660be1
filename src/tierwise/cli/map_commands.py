"""`tierwise map --run`: the commands that serve a level, carried out and kept as gates."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise._version import __version__
from tierwise.cli.records_store import open_store
from tierwise.domain import Decision, Level
from tierwise.errors import ConfigError, MisuseError
from tierwise.records import GateRow, RunInfo, read_commit, read_fingerprint
from tierwise.report.evidence import COMMAND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.config import Config

_STDERR = 2


def run_commands(config: Config, names: Sequence[str]) -> tuple[Decision, ...]:
    """Run the commands of these levels, keep what each came to, and return that."""
    levels = [Level(name) for name in dict.fromkeys(names)]
    for level in levels:
        if level not in config.map.commands:
            raise MisuseError(
                f"No command serves the level {level}. Name one in pyproject.toml, "
                f'[tool.tierwise.map.commands]: {level} = ["..."].'
            )
    before = _fingerprint(config)
    rows = [
        _run_one(config, level, text) for level in levels for text in config.map.commands[level]
    ]
    # A command that changes files, as a formatter does, has looked at no state that is now there.
    _keep(config, rows, code_hash=before if before == _fingerprint(config) else "")
    return tuple(row.decision for row in rows)


def _run_one(config: Config, level: Level, text: str) -> GateRow:
    decision, reason = _carry_out(_split(level, text), config.root)
    click.echo(f"{level}: {text}: {decision}{f' ({reason})' if reason else ''}", err=True)
    return GateRow(gate=f"{COMMAND}{text}", level=str(level), decision=decision, reason=reason)


def _split(level: Level, text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ConfigError(
            f"pyproject.toml, [tool.tierwise.map.commands]: {level} holds {text!r}: {error}."
        ) from error


def _carry_out(arguments: Sequence[str], root: Path) -> tuple[Decision, str]:
    beside = str(Path(sys.executable).parent)
    surroundings = os.environ | {"PATH": f"{beside}{os.pathsep}{os.environ.get('PATH', '')}"}
    try:
        # What it prints goes to stderr: stdout is the map's.
        done = subprocess.run(  # noqa: S603  the project's own command
            arguments, cwd=root, env=surroundings, stdout=_STDERR, check=False
        )
    except FileNotFoundError:
        return Decision.NOTHING_READ, f"there is no program {arguments[0]}"
    except OSError as error:
        return Decision.NOTHING_READ, f"it could not be started: {error.strerror}"
    if done.returncode:
        return Decision.BROKEN, f"it ended with {done.returncode}"
    return Decision.OK, ""


def _keep(config: Config, rows: Sequence[GateRow], *, code_hash: str) -> None:
    with open_store(config, is_made=True) as store:
        run = store.start_run(
            RunInfo(
                command="tierwise map --run",
                mode=str(config.mode),
                commit=read_commit(config.root),
                python=platform.python_version(),
                platform=f"{sys.platform} {platform.machine()}",
                tierwise=__version__,
                code_hash=code_hash,
            )
        )
        store.add_gates(run, rows)
        is_ok = all(row.decision is Decision.OK for row in rows)
        store.finish_run(run, exit_code=0 if is_ok else 1)


def _fingerprint(config: Config) -> str:
    return read_fingerprint(config.root, whole=config.code_paths)
