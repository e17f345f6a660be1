from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from omnia.intent.words import expand_contractions, split_speech


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("I'm here", "I am here"),
        ("I’ve seen", "I have seen"),  # noqa: RUF001
        ("he's gone", "he is gone"),
        ("I can't and won't", "I cannot and will not"),
        ("They didn't", "They did not"),
        ("I'd say you'll see", "I would say you will see"),
        ("Mira's hat", "Mira's hat"),
        ('I say "I\'m here"', 'I say "I\'m here"'),
    ],
)
def test_contractions_are_written_out_but_for_speech_and_owners(short: str, full: str) -> None:
    """Pronouns stand alone afterwards; possessives and spoken words stay."""
    assert expand_contractions(short) == full


@given(st.text(alphabet='ab "“”'))
def test_cutting_out_speech_loses_nothing(text: str) -> None:
    """The parts, joined, are the text."""
    assert "".join(part for _, part in split_speech(text)) == text
