"""The site has every page, and what scripts write is what they would write now."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


def load_script(name: str) -> Any:
    """Return a script of this repository as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


commands = load_script("make_commands")
errors = load_script("make_errors")
site = load_script("make_site")


def pages_of(entry: Any) -> Iterator[str]:
    """Yield the pages below an entry of the navigation."""
    if isinstance(entry, str):
        yield entry
    else:
        for below in entry if isinstance(entry, list) else entry.values():
            yield from pages_of(below)


def test_every_page_is_in_the_navigation_once() -> None:
    """A page that nobody can reach is not written for anybody; those of errors hang on theirs."""
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    named = sorted(pages_of(settings["nav"]))
    written = {path.name for path in DOCS.glob("*.md")} | {site.CHANGELOG.name}
    assert named == sorted(written)


def test_every_picture_is_made_by_a_script() -> None:
    """A picture that nobody can make anew shows what once was."""
    scripts = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "scripts").glob("*.py"))
    pictures = [path.name for path in (DOCS / "assets").glob("*.png")]
    assert [name for name in pictures if name not in scripts] == []


def test_the_page_of_commands_is_what_they_say() -> None:
    """docs/commands.md says what `--help` says now; `make reference` writes it anew."""
    assert (DOCS / "commands.md").read_text(encoding="utf-8") == commands.make_page()


def test_the_page_of_errors_lists_each_with_its_title() -> None:
    """docs/errors.md has a line for each page of an error; `make reference` writes it anew."""
    assert (DOCS / "errors.md").read_text(encoding="utf-8") == errors.make_page(
        errors.read_pages()
    )


def test_a_command_shows_how_it_is_called_and_its_options() -> None:
    """The section of a command has its call, its text and a row an option, `--help` left out."""

    @click.command()
    @click.argument("name", required=False)
    @click.option("--by", type=click.Choice(["a", "b"]), help="Which.")
    @click.option("--quiet", is_flag=True, help="Say\n nothing.")
    def command(name: str, by: str, *, quiet: bool) -> None:
        """Do it.

        And well.
        """

    assert commands.describe("tool do", command) == (
        "## tool do\n\n```text\ntool do [OPTIONS] [NAME]\n```\n\nDo it.\n\nAnd well.\n\n"
        "| option | what it does |\n| --- | --- |\n"
        "| <code>--by [a&#124;b]</code> | Which. |\n| `--quiet` | Say nothing. |\n"
    )


def test_the_commands_of_a_group_follow_it_and_hidden_ones_are_left_out() -> None:
    """Each command is named by all the words that call it."""
    inner = click.Group("eval", commands={"run": click.Command("run")})
    hidden = click.Command("secret", hidden=True)
    group = click.Group("tool", commands={"eval": inner, "secret": hidden})
    found = commands.commands_of(group, click.Context(group), "tool")
    assert [path for path, _ in found] == ["tool eval", "tool eval run"]


@pytest.mark.parametrize(
    ("kept", "draft", "page"),
    [
        ("<!-- towncrier release notes start -->\n", "Loading\n### Added\n\n- New.\n",
         "# Changelog\n\n## Not released yet\n\n### Added\n\n- New.\n"),
        ("<!-- towncrier release notes start -->\n\n## 1.0\n\n- Old.\n", "No changes.\n",
         "# Changelog\n\n## 1.0\n\n- Old.\n"),
    ],
)  # fmt: skip
def test_the_changelog_opens_with_what_is_not_released(kept: str, draft: str, page: str) -> None:
    """Fragments come first, then what CHANGELOG.md holds; no empty heading without either."""
    assert site.make_changelog(kept, draft) == page


def top_commands() -> list[str]:
    """Return the names of the commands that users see."""
    found = commands.commands_of(commands.cli, click.Context(commands.cli), "")
    return [path.strip() for path, _ in found if " " not in path.strip()]


@pytest.mark.parametrize("name", top_commands())
def test_each_command_has_a_page_that_runs_it(name: str) -> None:
    """It is linked from docs/commands.md, runs the command, and names its exit codes."""
    assert name in commands.PAGES, f"write a page of tierwise {name}, and name it in PAGES"
    page = (DOCS / commands.PAGES[name]).read_text(encoding="utf-8")
    assert f"$ tierwise {name}" in page
    assert re.search(r"\bexit(s| code| with)|ends? with", page, re.IGNORECASE)
    listed = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert f"]({commands.PAGES[name]}).\n" in listed.partition(f"\n## tierwise {name}\n")[2]
