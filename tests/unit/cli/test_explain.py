"""`tierwise explain` finds a page, or the closest one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tierwise.cli.explain import choose_page, command, find_pages, read_pages, spell_links
from tierwise.errors import MisuseError

PAGES = {"tw-net": "# tw-net: a test used the network\n\nMore.\n", "tw-file": "# tw-file: x\n"}


@pytest.mark.parametrize("slug", ["tw-net", "TW-NET", "errors/tw-net"])
def test_a_slug_is_found_as_a_message_shows_it(slug: str) -> None:
    """The head of a message and its last words both lead to the page."""
    assert choose_page(slug, PAGES).startswith("# tw-net")


def test_an_unknown_slug_shows_the_closest_one() -> None:
    """A typing mistake is refused with what was probably meant."""
    with pytest.raises(MisuseError, match="Did you mean 'tw-net'"):
        choose_page("tw-nett", PAGES)


def test_the_pages_of_this_tree_are_listed_by_title() -> None:
    """Without a slug each page is one line."""
    printed = CliRunner().invoke(command, []).output.splitlines()
    assert len(printed) == len(read_pages(find_pages()))
    assert "tw-net: a test used the network" in printed


def test_missing_pages_are_said() -> None:
    """An installation without its pages is not an empty list."""
    with pytest.raises(MisuseError, match="Install tierwise anew"):
        read_pages(Path("/nowhere/at/all"))


def test_a_link_to_another_page_is_written_out() -> None:
    """What the site links to is named where nothing can be clicked, its place included."""
    page = "See [records](../records.md) and [all of it](../evals.md#verdicts)."
    assert (
        spell_links(page)
        == "See records (docs/records.md) and all of it (docs/evals.md#verdicts)."
    )


def test_no_page_is_printed_with_a_link_in_it() -> None:
    """Each page of an error comes out as plain text."""
    pages = read_pages(find_pages())
    assert [slug for slug, page in pages.items() if "](" in spell_links(page)] == []
