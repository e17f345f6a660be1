"""Every page of the built site is read again: a link that leads nowhere is found."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "make_site.py"


def load_script() -> Any:
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("make_site", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def complaints(folder: Path, page: str, *, name: str = "index.html") -> list[str]:
    """Return what is said about a site of two pages, of which one has a place `end`."""
    (folder / "other.html").write_text('<h1 id="end">Other</h1>', encoding="utf-8")
    (folder / name).write_text(page, encoding="utf-8")
    return list(load_script().complaints_about(folder))


@pytest.mark.parametrize(
    "page",
    [
        '<a href="other.html">a</a>',
        '<a href="other.html#end">a</a>',
        '<a href="https://example.com">a</a>',
        '<a href="./">a</a>',
        '<h1 id="here">x</h1><a href="#here">a</a>',
        '<img src="data:image/png;base64,AA==">',
    ],
)
def test_what_leads_somewhere_is_fine(tmp_path: Path, page: str) -> None:
    """Pages, places in them and links to other sites are taken."""
    assert complaints(tmp_path, page) == []


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ('<a href="lost.html">a</a>', "index.html: lost.html leads nowhere"),
        ('<a href="other.html#lost">a</a>', "index.html: other.html#lost leads to no such place"),
        ('<a href="#lost">a</a>', "index.html: #lost leads to no such place"),
        ('<img src="lost.png">', "index.html: lost.png leads nowhere"),
        ('<script src="https://example.com/x.js"></script>',
         "index.html: https://example.com/x.js is loaded from elsewhere"),
        ('<link rel="stylesheet" href="//example.com/x.css">',
         "index.html: //example.com/x.css is loaded from elsewhere"),
    ],
)  # fmt: skip
def test_what_leads_nowhere_is_told(tmp_path: Path, page: str, complaint: str) -> None:
    """A lost page, place or picture is named with the page, and so is what others would serve."""
    assert complaints(tmp_path, page) == [complaint]


def test_the_page_for_what_is_not_found_links_from_the_root(tmp_path: Path) -> None:
    """404.html is served at any address, so that its links cannot be relative."""
    assert complaints(tmp_path, '<a href="/lost.html">a</a>', name="404.html") == []


def test_a_site_without_pages_is_no_site(tmp_path: Path) -> None:
    """Where nothing was built, nothing was checked, and that is said."""
    assert list(load_script().complaints_about(tmp_path)) == [f"{tmp_path} has no page at all"]
