"""A group of commands that are loaded when they are called."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import click

from tierwise.errors import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

    Commands = Mapping[str, str]


def lazy_group(package: str, commands: Commands) -> type[click.Group]:
    """Return a class of groups that know the names of their commands and what each does.

    The command NAME is `command` in the module `packageNAME`.
    """

    class LazyGroup(click.Group):
        """Loads the command that is called, and no other."""

        def list_commands(self, ctx: click.Context) -> list[str]:
            del ctx
            return sorted(commands)

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            del ctx
            if cmd_name not in commands:
                return None
            loaded = importlib.import_module(f"{package}{cmd_name}").command
            assert isinstance(loaded, click.Command)  # noqa: S101  each file exports `command`
            return loaded

        def resolve_command(
            self, ctx: click.Context, args: list[str]
        ) -> tuple[str | None, click.Command | None, list[str]]:
            if args and not args[0].startswith("-") and args[0] not in commands:
                ctx.fail(f"There is no command {args[0]!r}.{suggest(args[0], commands)}")
            return super().resolve_command(ctx, args)

        def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            del ctx
            with formatter.section("Commands"):
                formatter.write_dl([(name, commands[name]) for name in sorted(commands)])

    return LazyGroup
