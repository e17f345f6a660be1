from __future__ import annotations

from hypothesis import given, strategies as st
from omnia.core import one_line


@given(st.text())
def test_any_text_becomes_one_line(text: str) -> None:
    """Whatever comes in, nothing that a terminal or a model reads as a new line comes out."""
    assert len(f"{one_line(text)}.".splitlines()) == 1


def test_ordinary_text_stays_as_it_is() -> None:
    """Letters of every script, blanks and signs are left alone."""
    assert one_line("Grüße, 世界 🙂: a * b") == "Grüße, 世界 🙂: a * b"
