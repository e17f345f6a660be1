from __future__ import annotations

from typing import Any

import pytest
from omnia.intent import IntentDraft, IntentKind, IntentSequence
from pydantic import ValidationError

GOOD: dict[str, Any] = {
    "type": "dialogue",
    "content": "I greet them",
    "target_ids": ["ent-mira"],
    "modifiers": [],
}


@pytest.mark.parametrize("missing", ["type", "content", "target_ids", "modifiers"])
def test_every_field_is_required(missing: str) -> None:
    """A draft that lacks a field is malformed, modifiers included."""
    with pytest.raises(ValidationError, match=missing):
        IntentDraft.model_validate({k: v for k, v in GOOD.items() if k != missing})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("type", "song"),
        ("content", ""),
        ("content", 3),
        ("target_ids", "ent-mira"),
        ("target_ids", [3]),
        ("modifiers", None),
    ],
)
def test_malformed_fields_are_refused(field: str, value: object) -> None:
    """What is not of the right kind is refused at the border."""
    with pytest.raises(ValidationError, match=field):
        IntentDraft.model_validate({**GOOD, field: value})


def test_a_thought_is_a_monologue() -> None:
    """Both words mean the same."""
    draft = IntentDraft.model_validate({**GOOD, "type": "thought"})
    assert draft.type is IntentKind.MONOLOGUE


@pytest.mark.parametrize("word", ["thought", "monologue"])
def test_thoughts_have_no_targets(word: str) -> None:
    """A model that aims a thought at somebody is not followed."""
    assert IntentDraft.model_validate({**GOOD, "type": word}).target_ids == []


def test_a_model_cannot_say_who_acts() -> None:
    """An actor in the answer is dropped, like every key that was not asked for."""
    draft = IntentDraft.model_validate({**GOOD, "actor_id": "ent-bran", "mood": "grim"})
    assert set(draft.model_dump()) == {"type", "content", "target_ids", "modifiers"}


def test_a_sequence_may_be_empty_but_not_missing() -> None:
    """No intents is an answer; no list is none."""
    assert IntentSequence.model_validate({"intents": []}).intents == []
    with pytest.raises(ValidationError, match="intents"):
        IntentSequence.model_validate({})
