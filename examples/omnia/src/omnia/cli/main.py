"""The command line: play, audit."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from omnia.cli.audit import run_audit
from omnia.cli.play import Walk
from omnia.cli.talk import Company
from omnia.core import UnknownIdError
from omnia.loop import Game
from omnia.scenario import ScenarioError, list_packaged, read_packaged, read_scenario
from omnia.store import InMemoryStore, SqliteStore, StoreError
from tierwise.errors import TierwiseError
from tierwise.providers import provider_from_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TextIO

    from omnia.scenario import Scenario
    from omnia.store import Store

DEFAULT_SCENARIO = "sunken_bell"
USAGE = 4


def main(
    argv: Sequence[str] | None = None,
    *,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
) -> int:
    """Run one command; a person's mistake is a message and exit code 4, never a traceback."""
    out = stdout or sys.stdout
    arguments = _parser().parse_args(argv)

    def write(text: str) -> None:
        out.write(f"{text}\n")
        out.flush()

    try:
        if arguments.command == "audit":
            return run_audit(write, arguments.scenario)
        return _play(arguments, _lines(stdin or sys.stdin, out), write)
    except (TierwiseError, ScenarioError, StoreError, UnknownIdError) as error:
        write(str(error))
        return USAGE
    except KeyboardInterrupt:
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="omnia", description="A small world with secrets.")
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="walk about and talk with a model's characters")
    play.add_argument("--provider", default="local:smollm2", metavar="SPEC")
    play.add_argument("--you", default="ent-guest", metavar="ID", help="whom you play")
    play.add_argument("--save", metavar="FILE", help="keep the world here, and go on from it")
    audit = commands.add_parser("audit", help="which prompt carries which secret to whom?")
    for command in (play, audit):
        command.add_argument("--scenario", default=DEFAULT_SCENARIO, help=_scenarios())
    return parser


def _scenarios() -> str:
    return f"one of: {', '.join(list_packaged())}"


def _play(
    arguments: argparse.Namespace, lines: Iterator[str], write: Callable[[str], None]
) -> int:
    scenario = read_scenario(read_packaged(arguments.scenario))
    company = Company(provider=provider_from_spec(arguments.provider))
    with closing(_open_store(arguments.save, scenario.world.id)) as store:
        game = Game.resume(store) or _begin(scenario, store)
        game.world.require_entity(arguments.you)
        walk = Walk(game=game, you=arguments.you, company=company, write=write)
        asyncio.run(walk.run(lines))
    return 0


def _open_store(path: str | None, world_id: str) -> Store:
    return SqliteStore.open(path, world_id) if path else InMemoryStore(world_id)


def _begin(scenario: Scenario, store: Store) -> Game:
    scenario.save_to(store)
    return Game.begin(scenario.world, store)


def _lines(stdin: TextIO, stdout: TextIO) -> Iterator[str]:
    """Yield lines until there are no more; a prompt is only shown to a person."""
    while True:
        if stdin.isatty():
            stdout.write("> ")
            stdout.flush()
        line = stdin.readline()
        if not line:
            return
        yield line
