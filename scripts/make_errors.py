"""Write docs/errors.md: every error by its slug, with a line each.

python scripts/make_errors.py
"""  # noqa: INP001  scripts are run, not imported

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "errors.md"

HEAD = """\
# Errors by slug

Each message of tierwise opens with the slug of its error and ends with the way to its page:
`tierwise explain tw-net` prints the page in the terminal, offline. Without a slug the command
lists them all. Written by `make reference` from the pages.

| slug | what happened |
| --- | --- |
"""


def make_page(pages: Mapping[str, str]) -> str:
    """Return the whole page as Markdown, from the text of each error's own page."""
    return HEAD + "".join(
        f"| [{slug}](errors/{slug}.md) | {title_of(slug, text)} |\n"
        for slug, text in sorted(pages.items())
    )


def title_of(slug: str, text: str) -> str:
    """Return what follows the slug in the first line of an error's page."""
    return text.partition("\n")[0].removeprefix(f"# {slug}: ")


def read_pages() -> dict[str, str]:
    """Return the pages of all errors by slug."""
    return {path.stem: path.read_text("utf-8") for path in (DOCS / "errors").glob("*.md")}


def main() -> None:
    """Write the page; say whether it changed."""
    page = make_page(read_pages())
    is_same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page
    if not is_same:
        PAGE.write_text(page, encoding="utf-8")
    sys.stdout.write(f"docs/{PAGE.name} {'is up to date' if is_same else 'written'}\n")


if __name__ == "__main__":
    main()
