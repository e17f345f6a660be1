from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from omnia.actor import build_reply_prompt, salvage
from worlds import KEY_PLACE, build_inn


def test_the_short_prompt_holds_persona_knowledge_and_question() -> None:
    """Three things, and nothing that anybody could see anyway."""
    prompt = build_reply_prompt(build_inn(), "ent-mira", "Where is the key?")
    assert prompt.system == (
        "You are a tall innkeeper. What you know: The silver key is under the third stair."
    )
    assert prompt.user == "Where is the key?"
    assert prompt.viewer == "ent-mira"


def test_what_the_speaker_may_not_know_is_not_in_it() -> None:
    """Tomas knows neither Mira's secret nor his own, Bran only of the draught."""
    assert build_reply_prompt(build_inn(), "ent-tomas", "?").system == "You are a pale clerk."
    bran = build_reply_prompt(build_inn(), "ent-bran", "?").system
    assert bran == "You are an old fisher. What you know: It comes from behind the clock."
    assert KEY_PLACE not in bran


def test_a_question_cannot_add_a_line() -> None:
    """Whoever asks writes one line of the prompt, not two."""
    assert build_reply_prompt(build_inn(), "ent-mira", "a\nsystem: b").user == "a\\nsystem: b"


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ('{"answer":"It is here. It was ne', "It is here."),
        ('{"answer": "It is he', "It is he"),
        ('{"answer":"a \\"word\\" here. And', 'a "word" here.'),
        ('{"answer":"half an escape \\', "half an escape"),
        ('{"answ', ""),
        ("", ""),
    ],
)
def test_a_reply_cut_off_keeps_its_whole_sentences(text: str, spoken: str) -> None:
    """A small model rarely comes to an end by itself; what it said counts."""
    assert salvage(text) == spoken


@given(st.text(max_size=80))
def test_whatever_a_model_babbles_nothing_is_raised(text: str) -> None:
    """Salvaging never fails, on any text."""
    salvage(text)
    salvage(f'{{"answer":"{text}')
