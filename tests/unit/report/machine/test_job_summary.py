from __future__ import annotations

from html.parser import HTMLParser

import pytest
from machine_facts import CORPUS, entry, every_outcome, facts, hostile, levels, origin
from markdown_it import MarkdownIt

from tierwise.domain import Level, Outcome
from tierwise.report.machine.job_summary import write_job_summary
from tierwise.report.machine.markdown import code, words
from tierwise.report.machine.text import one_line
from tierwise.report.map import LevelRow, Status

OURS = {"h3", "h4", "p", "ul", "li", "code", "strong"}
OURS |= {"table", "thead", "tbody", "tr", "th", "td"}


class Reader(HTMLParser):
    """Reads a page as a browser would: its tags, and the text of each code element."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.codes: list[str] = []
        self.text = ""
        self._is_code = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag."""
        self.tags.add(tag)
        self._is_code = tag == "code"
        if self._is_code:
            self.codes.append("")

    def handle_endtag(self, tag: str) -> None:
        """Leave it."""
        self._is_code = False

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.text += data
        if self._is_code:
            self.codes[-1] += data


def read(markdown: str) -> Reader:
    """Render Markdown with tables and raw HTML, as a code host does, and read the page."""
    return Reader(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown))


def test_the_summary_says_what_the_build_proves_and_what_speaks_against_it() -> None:
    """Head, counts, map, violations, failures and evals."""
    text = write_job_summary(every_outcome())
    assert text.startswith("### tierwise: 1 of 12 levels covered\n")
    assert (
        "Latest results: 6 tests (1 passed, 2 failed, 1 error, 1 unobservable, 1 not run), "
        "1 violation, 1 of 3 expectations of evals proven.\n"
    ) in text
    assert "| static | covered |  | it is covered |\n" in text
    assert "#### Violations (1)\n" in text
    assert "#### Tests that did not pass (4)\n" in text
    assert "- **unobservable** `tests/unit/test_a.py::test_unobservable`: `why unobs" in text
    assert "#### Evals (4)\n" in text
    assert (
        "- **undecided** `tests/evals/test_e.py::test_secret` by `by-undecided`, `never leak`: "
        "`12 scored of 15 planned, rate 0 (0 to 0.242, 95% interval); below the limit`\n"
    ) in text
    assert "- **not judged** `tests/evals/test_e.py::test_secret` by `by-nobody`: 15 tri" in text


def test_what_there_is_nothing_of_has_no_heading() -> None:
    """A green build is short."""
    text = write_job_summary(facts(entry(), origin=origin(run_id="r1")))
    assert "####" not in text
    assert "Run `r1`: 1 test (1 passed), 0 violations.\n" in text


def test_long_lists_are_cut_and_counted() -> None:
    """A job's summary has a limit, above which GitHub drops all of it."""
    tests = [entry(f"a.py::t{n}", outcome=Outcome.FAILED) for n in range(31)]
    assert "more:" not in write_job_summary(facts(*tests[:30]))
    text = write_job_summary(facts(*tests))
    assert "- and 1 more: `tierwise report` shows all.\n" in text
    assert "a.py::t30" not in text


@pytest.mark.parametrize("hostile_text", CORPUS)
def test_a_code_span_shows_any_text_as_it_is(hostile_text: str) -> None:
    """Nothing in it is a tag, a link or the end of the span."""
    page = read(f"- {code(hostile_text)} after")
    assert page.tags == {"ul", "li", "code"}
    assert page.text.strip().endswith("after")
    assert page.codes[0].strip() == one_line(hostile_text).strip()


@pytest.mark.parametrize("hostile_text", CORPUS)
def test_words_in_a_table_stay_words(hostile_text: str) -> None:
    """Neither a cell nor a tag is begun by them, and they read as they are."""
    page = read(f"| a | b |\n| --- | --- |\n| {words(hostile_text)} | end |\n")
    assert page.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    assert page.text.split() == ["a", "b", *one_line(hostile_text).split(), "end"]


def test_a_hostile_store_makes_a_page_of_our_tags_alone() -> None:
    """Ids, messages, targets, providers and reasons from outside are text."""
    rows = tuple(
        LevelRow(level=level, status=Status.GAP, reason=text)
        for level, text in zip(Level, CORPUS, strict=False)
    )
    made = facts(*hostile().tests, evals=hostile().evals, levels=rows)
    page = read(write_job_summary(made))
    assert page.tags <= OURS
    assert len(levels()) == 12


def test_a_long_text_is_cut() -> None:
    """One message does not fill the page."""
    assert len(code("x" * 5000)) < 400
    assert code("x" * 5000).endswith(" ...`")
