"""The `tierwise` command; each subcommand is one file, imported when it is called."""

from __future__ import annotations

import importlib
import io
import sys
from typing import TYPE_CHECKING

import click

from tierwise.errors import ExitCode, TierwiseError, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMANDS: Mapping[str, str] = {
    "eval": "run evals and judge them",
    "explain": "say what an error means and what to do about it",
    "init": "write a first [tool.tierwise] table for this project",
    "map": "show the twelve levels: what has tests and what is a gap",
    "model": "install and list the models that run on this machine",
}


class _LazyGroup(click.Group):
    """A group that knows its commands' names and loads the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        loaded = importlib.import_module(f"tierwise.cli.{cmd_name}").command
        assert isinstance(loaded, click.Command)  # noqa: S101  each file exports `command`
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            ctx.fail(f"There is no command {args[0]!r}.{suggest(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name]) for name in sorted(_COMMANDS)])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tierwise")
def cli() -> None:
    """Test Python software that has a language model inside, tier by tier."""


def main() -> None:
    """Run the command line and exit with one of `ExitCode`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What a model said, or an ASCII terminal, must not end a command half way.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(prog_name="tierwise", standalone_mode=False)
    except TierwiseError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(ExitCode.USAGE)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(ExitCode.INTERRUPTED)
    sys.exit(code if isinstance(code, int) else ExitCode.OK)
