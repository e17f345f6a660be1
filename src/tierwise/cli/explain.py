"""`tierwise explain`: the page of an error, by its slug."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_LINK = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


@click.command()
@click.argument("slug", required=False)
def command(*, slug: str | None) -> None:
    """Print what an error means and what to do about it.

    SLUG is the word at the head of a message, such as tw-net. Without one all are listed.
    """
    pages = read_pages(find_pages())
    if slug is None:
        for page in pages.values():
            click.echo(title_of(page))
        return
    click.echo(spell_links(choose_page(slug, pages)).rstrip())


def find_pages() -> Traversable | Path:
    """Return the folder of the pages: in the installed package, or beside a source tree."""
    packed = files("tierwise") / "_pages"
    return packed if packed.is_dir() else Path(__file__).parents[3] / "docs" / "errors"


def read_pages(folder: Traversable | Path) -> dict[str, str]:
    """Return the pages by slug; MisuseError when there are none."""
    if not folder.is_dir():
        raise MisuseError(f"The pages of the errors are not at {folder}. Install tierwise anew.")
    found = sorted(folder.iterdir(), key=lambda page: page.name)
    return {
        page.name.removesuffix(".md"): page.read_text(encoding="utf-8")
        for page in found
        if page.name.endswith(".md")
    }


def title_of(page: str) -> str:
    """Return a page's first line as plain text."""
    return page.partition("\n")[0].removeprefix("# ")


def choose_page(slug: str, pages: dict[str, str]) -> str:
    """Return the page of a slug, in any case; MisuseError with the closest one otherwise."""
    wanted = slug.lower().removeprefix("errors/")
    if wanted not in pages:
        raise MisuseError(f"There is no error {slug!r}.{suggest(wanted, pages)}")
    return pages[wanted]


def spell_links(page: str) -> str:
    """Return a page with its links written out, since a terminal cannot follow them."""
    return _LINK.sub(r"\1 (docs/\2)", page)
