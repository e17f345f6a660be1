"""What nobody can see is written out, and JSON stays data wherever it stands."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given, strategies as st
from report_world import HOSTILE

from tierwise.report.html.text import shorten, show_text, to_script_json


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with ümläuts and 漢字", "plain, with ümläuts and 漢字"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("Windows\r\nline", "Windows\nline"),
        ("a\u202eb", "a\\u202eb"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("bell\x07 and \x1b[31m", "bell\\x07 and \\x1b[31m"),
        ("half \ud800", "half \\ud800"),
        ("line\u2028end", "line\\u2028end"),
        ("back\rover", "back\\rover"),
    ],
)
def test_what_is_obeyed_or_unseen_is_written_out(text: str, shown: str) -> None:
    """Controls, bidi, format characters and halves of pairs are shown by their escapes."""
    assert show_text(text) == shown


@given(st.text())
def test_shown_text_can_be_printed(text: str) -> None:
    """Whatever comes in, what comes out holds nothing that a browser obeys, and stays so."""
    shown = show_text(text)
    left = {unicodedata.category(char) for char in shown if char not in "\n\t"}
    assert not left & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert show_text(shown) == shown
    shown.encode()


@given(st.recursive(st.text() | st.sampled_from(HOSTILE), st.lists))
def test_json_in_a_script_reads_back_and_holds_no_tag(value: object) -> None:
    """Nothing in it can end the script or begin a comment, and it is the same data."""
    text = to_script_json(value)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == value


def test_a_long_text_says_how_long_it_is() -> None:
    """What is cut off is told."""
    assert shorten("a" * 1200, 5) == "aaaaa ... (1,200 characters)"
    assert shorten("short", 5) == "short"
