"""Build the documentation into site/, and look through every page that came out.

    python scripts/make_site.py

Links between Markdown pages and their headings are checked by the builder; here each page of the
site is read again: what it links to and loads has to be there, and nothing comes from elsewhere.
"""  # noqa: INP001  scripts are run, not imported

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SITE = ROOT / "site"
CHANGELOG = ROOT / "docs" / "changelog.md"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
LOADING = frozenset({"audio", "embed", "iframe", "img", "link", "object", "script", "source"})
"""Tags whose address is fetched when the page is opened, unlike that of a link."""


def make_changelog(kept: str, draft: str) -> str:
    """Return the page of the changelog: what is not released yet, then what was."""
    released = kept.partition("<!-- towncrier release notes start -->")[2].strip()
    _, heading, coming = draft.partition("\n### ")
    parts = ["# Changelog", f"## Not released yet\n{heading}{coming.strip()}" if heading else ""]
    return "\n\n".join(filter(None, [*parts, released])) + "\n"


class Addresses(HTMLParser):
    """Collects what a page links to and loads, and the names of its places."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the addresses and the id of a tag."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        self.found += [(tag, given[name]) for name in ("href", "src", "data") if name in given]


def complaints_about(site: Path) -> Iterator[str]:
    """Yield a line for each address that leads nowhere, or that is loaded from elsewhere."""
    pages = {path.resolve(): read_page(path) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site} has no page at all"
    for path, page in pages.items():
        for tag, address in page.found:
            wrong = judge(tag, address, path, pages)
            # The page for what is not found is served at any address: its links start at the root.
            if wrong and path.name != "404.html":
                yield f"{path.relative_to(site.resolve())}: {address} {wrong}"


def read_page(path: Path) -> Addresses:
    """Return the addresses of one page."""
    page = Addresses()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def judge(tag: str, address: str, path: Path, pages: dict[Path, Addresses]) -> str:
    """Return what is wrong with an address of a page; an empty text when it is right."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        is_fetched = tag in LOADING and parts.scheme != "data"
        return "is loaded from elsewhere" if is_fetched else ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.exists():
        return "leads nowhere"
    place = unquote(parts.fragment)
    is_place = not place or target not in pages or place in pages[target].places
    return "" if is_place else "leads to no such place"


def run(*words: str) -> str:
    """Run a tool of this environment; its words are shown when it fails."""
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = COLOUR.sub("", done.stdout + done.stderr.partition("Traceback")[0])
        sys.exit(f"{said}{words[0]} failed.")
    return done.stdout


def main() -> None:
    """Write the changelog, build the site and check it."""
    draft = run("towncrier", "build", "--draft", "--version", "next")
    kept = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    CHANGELOG.write_text(make_changelog(kept, draft), encoding="utf-8")
    run("zensical", "build", "--clean", "--strict")
    if wrong := list(complaints_about(SITE)):
        sys.exit("\n".join(wrong))
    n_pages = sum(1 for _ in SITE.rglob("*.html"))
    sys.stdout.write(
        f"site/index.html written, with {n_pages} pages; every link leads somewhere\n"
    )


if __name__ == "__main__":
    main()
