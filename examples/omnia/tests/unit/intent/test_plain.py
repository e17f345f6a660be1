from __future__ import annotations

import asyncio

import pytest
from omnia.intent import Decoded, Intent, IntentKind, PlainDecoder
from worlds import build_inn


def read(prose: str) -> Intent:
    decoded = asyncio.run(PlainDecoder().decode(build_inn(), "ent-tomas", prose))
    assert isinstance(decoded, Decoded)
    (intent,) = decoded.intents
    return intent


@pytest.mark.parametrize(
    ("prose", "kind", "content"),
    [
        ("Good evening.", IntentKind.DIALOGUE, 'said: "Good evening."'),
        ('Say "no"!', IntentKind.DIALOGUE, "said: \"Say 'no'!\""),
        ("*open the clock*", IntentKind.ACTION, "tried to open the clock."),
        ("(how odd)", IntentKind.MONOLOGUE, "thought: how odd"),
        ("whisper hush", IntentKind.DIALOGUE, 'whispered: "hush"'),
    ],
)
def test_talk_deeds_and_thoughts_are_told_apart(
    prose: str, kind: IntentKind, content: str
) -> None:
    """Stars are a deed, round brackets a thought, everything else is talk."""
    intent = read(prose)
    assert intent.kind is kind
    assert intent.content == f"entity@ent-tomas[I] {content}"


def test_loudness_is_a_modifier() -> None:
    """To whisper or to shout is kept, since it decides who hears."""
    assert read("shout fire").modifiers == ("shout",)
    assert read("fire").modifiers == ()


def test_those_called_by_name_are_the_targets() -> None:
    """A name in the prose aims it, but a thought is aimed at nobody."""
    assert read("Listen, the innkeeper!").target_ids == ("ent-mira",)
    assert read("(the innkeeper!)").target_ids == ()


@pytest.mark.parametrize("prose", ["", "  ", "**", "()"])
def test_nothing_is_no_intent(prose: str) -> None:
    """Silence has no step."""
    assert asyncio.run(PlainDecoder().decode(build_inn(), "ent-tomas", prose)) == Decoded(
        intents=()
    )
