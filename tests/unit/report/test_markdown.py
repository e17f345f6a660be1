"""The map within a document."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from tierwise.domain import Level, Outcome, Tier, Verdict
from tierwise.errors import MisuseError
from tierwise.records import KeptGapRow, KnownGap
from tierwise.report.docstrings import Described
from tierwise.report.evidence import Evidence, Share
from tierwise.report.map import TierFacts, Whole, draw_map
from tierwise.report.markdown import (
    BEGIN,
    END,
    escape,
    group_tests,
    put_between,
    render_document,
    say_evidence,
)

HOSTILE = [
    "a|b\n| c |",
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](http://evil.test/x.png)",
    "`code` **bold** _em_ ~~gone~~",
    "<!-- tierwise map: end -->",
    "&lt;img&gt;",
    "\\|",
]


def test_the_text_between_the_markers_is_replaced() -> None:
    """What stands around them stays, and a second time changes nothing."""
    document = f"# Tests\n\n{BEGIN}\nold\n{END}\n\nThe end.\n"
    once = put_between(document, "new\n", "TESTING.md")
    assert once == f"# Tests\n\n{BEGIN}\n\nnew\n\n{END}\n\nThe end.\n"
    assert put_between(once, "new\n", "TESTING.md") == once


@pytest.mark.parametrize(
    "document", ["", BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}{END}{BEGIN}{END}"]
)
def test_a_document_without_its_markers_is_left_alone(document: str) -> None:
    """One begin and one end, in order; the message shows both lines."""
    with pytest.raises(MisuseError, match="expected one of each") as told:
        put_between(document, "new", "TESTING.md")
    assert BEGIN in str(told.value)
    assert END in str(told.value)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_gets_out_of_its_cell(text: str) -> None:
    """Rendered, a cell shows its text and is neither markup nor a second cell."""
    table = f"| a | b |\n| --- | --- |\n| {escape(text)} | last |\n"
    html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(table)
    assert html.count("<td>") == 2
    assert "<td>last</td>" in html
    for tag in ("<script", "<a ", "<img", "<code", "<strong", "<em", "<s>", "<!--"):
        assert tag not in html
    assert END not in escape(text)


def test_levels_tiers_and_gaps_are_tables() -> None:
    """Twelve levels, each class with its count and what it exercises, each gap with its ticket."""
    rows = draw_map(
        [Tier(name="unit", level=Level.UNIT, question="Right?")],
        {
            "unit": TierFacts(
                outcomes={Outcome.PASSED: 2, Outcome.NOT_RUN: 1},
                verdicts={Verdict.PROVEN: 1, Verdict.REFUTED: 1},
                whole=Whole.NOW,
                last_run="2026-01-02T03:04:05+00:00",
            )
        },
        {Level.UNIT: Evidence(guards=Share(good=1, of=2), contracts=Share(good=3, of=3))},
    )
    names = ["t/a.py::TestA::test_x[1]", "t/a.py::TestA::test_x[2]", "t/a.py::test_alone"]
    described = {"t/a.py": {"TestA": Described(says="All of A."), "": Described()}}
    gap = KeptGapRow(
        nodeid="t/a.py::test_y", location="", gap=KnownGap(reason="lost", ticket="ACL-7")
    )
    text = render_document(rows, {"unit": group_tests(names, described)}, [gap])
    assert (
        "| 2 | unit | Right? | unit | 2 passed, 1 not run | 3 of 3 implementations verified, "
        "1 of 2 guards caught, 1 of 2 expectations proven | partial | 1 not run, 1 refuted |"
    ) in text
    assert text.count("\n| ") >= 13
    assert "### unit (3 tests)" in text
    assert "| t/a.py |  | 1 |  |\n| t/a.py | TestA | 2 | All of A. |" in text
    assert "| t/a.py::test\\_y | lost | ACL-7 | open |" in text
    assert "2026" not in text


def test_a_level_without_evidence_says_none() -> None:
    """An empty cell, not a row of zeros."""
    assert {say_evidence(row) for row in draw_map([], {})} == {""}
