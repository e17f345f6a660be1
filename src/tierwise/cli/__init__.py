"""The `tierwise` command; each subcommand is one file, imported when it is called."""

from __future__ import annotations

import atexit
import gc
import io
import json
import sys
from typing import TYPE_CHECKING

import click

from tierwise.cli.lazy import lazy_group
from tierwise.errors import ExitCode, TierwiseError

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMANDS: Mapping[str, str] = {
    "audit": "say what tests of any project are like, with no set-up",
    "bisect": "find the tests that make another one fail, and why",
    "baseline": "accept today's violations, and from then on only ever fewer",
    "contracts": "show which double is verified, by what, and which is not",
    "eval": "run evals and judge them",
    "gateway": "play OpenAI, Anthropic and Gemini for programs in any language",
    "explain": "say what an error means and what to do about it",
    "init": "write a first [tool.tierwise] table for this project",
    "map": "show the twelve levels: what has tests and what is a gap",
    "records": "export, import, prune and describe what was learnt",
    "requirements": "show which requirement is verified, by what, and which is not",
    "model": "install and list the models that run on this machine",
    "report": "write one page that says what the build proves",
}


@click.group(
    cls=lazy_group("tierwise.cli.", _COMMANDS),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="tierwise")
def cli() -> None:
    """Test Python software that has a language model inside, tier by tier."""


def main() -> None:
    """Run the command line and exit with one of `ExitCode`."""
    # The interpreter would look for garbage in all that was loaded: a tenth of a second.
    atexit.register(gc.freeze)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What a model said, or an ASCII terminal, must not end a command half way.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(prog_name="tierwise", standalone_mode=False)
    except TierwiseError as error:
        _tell_machine(str(error), error.exit_code)
        click.echo(str(error), err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        _tell_machine(error.format_message(), ExitCode.USAGE)
        error.show()
        sys.exit(ExitCode.USAGE)
    except click.exceptions.Abort:
        _tell_machine("interrupted", ExitCode.INTERRUPTED)
        click.echo("interrupted", err=True)
        sys.exit(ExitCode.INTERRUPTED)
    sys.exit(code if isinstance(code, int) else ExitCode.OK)


def _tell_machine(error: str, code: ExitCode) -> None:
    """Say on stdout as JSON what went wrong, where a program reads along."""
    if "--json" in sys.argv[1:]:
        click.echo(json.dumps({"exit_code": int(code), "error": error}, ensure_ascii=False))
