"""Write docs/commands.md: every `tierwise` command, its options and what it exits with.

    python scripts/make_commands.py

The commands are asked themselves, so the page says what `--help` says.
"""  # noqa: INP001  scripts are run, not imported

from __future__ import annotations

import html
import sys
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli import cli
from tierwise.pytest_plugin import pytest_addoption

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"

HEAD = """\
# Commands

Every command and all its options, as `--help` prints them. Written by `make reference` from
the commands; edit those, not this page. What tierwise adds to pytest itself is listed at
[the end](#options-of-pytest).
"""


PAGES = {
    "audit": "audit.md",
    "baseline": "baseline.md",
    "bisect": "bisect.md",
    "contracts": "contracts.md",
    "eval": "evals-running.md",
    "explain": "explain.md",
    "gateway": "gateway-server.md",
    "init": "init.md",
    "map": "map.md",
    "model": "model.md",
    "records": "records.md",
    "report": "report.md",
    "requirements": "requirements.md",
}
"""The page that shows each command with what it prints."""

TABLE = ("| option | what it does |", "| --- | --- |")


def make_page() -> str:
    """Return the whole page as Markdown."""
    context = click.Context(cli, info_name="tierwise")
    parts = [HEAD]
    for path, command in commands_of(cli, context, "tierwise"):
        parts.append(describe(path, command))
    parts.append(pytest_options())
    return "\n".join(parts)


def commands_of(
    group: click.Group, context: click.Context, path: str
) -> Iterator[tuple[str, click.Command]]:
    """Yield each command below a group with the words that call it, groups before their own."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        words = f"{path} {name}"
        yield words, command
        if isinstance(command, click.Group):
            yield from commands_of(command, click.Context(command, info_name=name), words)


def describe(path: str, command: click.Command) -> str:
    """Return the section of one command: its call, its text and a row an option."""
    context = click.Context(command, info_name=path)
    call = " ".join([path, *command.collect_usage_pieces(context)])
    level = "#" * path.count(" ")
    parts = [f"#{level} {path}", f"```text\n{call}\n```", text_of(command)]
    rows = [row for row in (_row(p, context) for p in command.get_params(context)) if row]
    if rows:
        parts.append("\n".join([*TABLE, *rows]))
    page = PAGES.get(path.removeprefix("tierwise "))
    if page is not None:
        parts.append(f"Shown with what it prints: [{title_of(page)}]({page}).")
    return "\n\n".join(part for part in parts if part) + "\n"


def title_of(page: str) -> str:
    """Return the head of a page."""
    text = (PAGE.parent / page).read_text(encoding="utf-8")
    return text.partition("\n")[0].removeprefix("# ")


def text_of(command: click.Command) -> str:
    """Return the help text, with the marks of click taken out."""
    return cleandoc((command.help or "").partition("\f")[0]).replace("\b\n", "")


class Options:
    """Stands where pytest's parser would, and keeps a row for each option that is added."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def getgroup(self, *_: str) -> Options:
        """Return itself: groups are of no matter here."""
        return self

    def addoption(self, *names: str, **said: Any) -> None:  # noqa: ANN401  as pytest takes them
        """Keep how the option is written and what it does."""
        value = said.get("metavar") or "|".join(said.get("choices", ()))
        self.rows.append(row_of(" ".join(filter(None, [", ".join(names), value])), said["help"]))


def pytest_options() -> str:
    """Return the section of what tierwise adds to the `pytest` command."""
    options = Options()
    pytest_addoption(options)  # type: ignore[arg-type]
    return "\n".join(["## Options of pytest", "", *TABLE, *options.rows]) + "\n"


def row_of(call: str, text: str) -> str:
    """Return a row of the table; a bar in a call has to be hidden from the table."""
    code = f"`{call}`"
    if "|" in call:
        code = f"<code>{html.escape(call).replace('|', '&#124;')}</code>"
    return f"| {code} | {' '.join(text.split()).replace('|', '&#124;')} |"


def _row(parameter: click.Parameter, context: click.Context) -> str | None:
    record = parameter.get_help_record(context)
    is_option = isinstance(parameter, click.Option) and "--help" not in parameter.opts
    return row_of(*record) if is_option and record is not None else None


def main() -> None:
    """Write the page; say whether it changed."""
    page = make_page()
    is_same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page
    if not is_same:
        PAGE.write_text(page, encoding="utf-8")
    sys.stdout.write(f"docs/{PAGE.name} {'is up to date' if is_same else 'written'}\n")


if __name__ == "__main__":
    main()
