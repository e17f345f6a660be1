"""Findings of a trial's notes are marked where they stand in the reply."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tierwise.leaks import Detector, Secret
from tierwise.report.html.marking import Mark, Segment, mark_text, read_marks


def mark(start: int, end: int, decoded: str = "honey jar") -> Mark:
    return Mark(label="key (exact)", decoded=decoded, start=start, end=end)


def test_a_note_of_the_detector_is_read() -> None:
    """What `str(Finding)` writes is understood, with the metric in front of it."""
    text = "it is in the honey jar, you know"
    (finding, *_) = (
        Detector([Secret("honey jar", viewers=(), name="the: key")]).examine(text).findings
    )
    (found,) = read_marks([f"leak: {finding}"])
    assert (found.start, found.end, found.decoded) == (13, 22, "honey jar")
    assert found.label.startswith("leak: the: key (")


@pytest.mark.parametrize(
    "note",
    [
        "",
        "seen at 3..4",
        "leak: key: honey at 1..2 (exact)",
        "leak: key: 'a at 1..2 (x)",
        "plain words",
    ],
)
def test_another_note_marks_nothing(note: str) -> None:
    """A note of the user's own is no finding, however much it looks like one."""
    assert read_marks([note]) == ()


def test_the_span_is_marked() -> None:
    """The text is kept whole, its finding a part of its own."""
    assert mark_text("in the honey jar, dear", [mark(7, 16)]) == (
        Segment(text="in the "),
        Segment(text="honey jar", label="key (exact)"),
        Segment(text=", dear"),
    )


def test_a_part_that_was_examined_is_found_by_its_words() -> None:
    """The examined text was a part of the reply, so that the span is off: the words tell."""
    found = mark_text('{"answer": "in the Honey Jar"}', [mark(7, 16)])
    assert [part.text for part in found if part.label] == ["Honey Jar"]


def test_what_was_decoded_is_marked_by_its_span() -> None:
    """The secret stands there in another form, so only the span can place it."""
    found = mark_text("say aG9uZXk= now", [mark(4, 12, decoded="honey")])
    assert [part.text for part in found if part.label] == ["aG9uZXk="]


def test_two_findings_at_one_place_are_marked_once() -> None:
    """Overlapping findings do not repeat the text."""
    found = mark_text("in the honey jar", [mark(7, 16), mark(11, 16, decoded="y jar")])
    assert "".join(part.text for part in found) == "in the honey jar"
    assert sum(bool(part.label) for part in found) == 1


def test_a_finding_that_is_nowhere_marks_nothing() -> None:
    """A reply that is shorter than the span is left as it is."""
    assert mark_text("short", [mark(70, 90)]) == (Segment(text="short"),)


@given(st.text(), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.text(max_size=5))))
def test_no_mark_changes_the_text(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Whatever is marked, the parts together are the text."""
    parts = mark_text(text, [mark(start, end, decoded) for start, end, decoded in spans])
    assert "".join(part.text for part in parts) == text
