from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from omnia.core import UnknownIdError
from omnia.intent import Decoded, DecodingFailure, ModelDecoder
from worlds import build_inn

from tierwise.providers import MockProvider

MakeMock = Callable[..., MockProvider]
GREETING = {
    "type": "dialogue",
    "content": "I greet the innkeeper.",
    "target_ids": ["ent-mira", "ent-dragon"],
    "modifiers": [],
    "actor_id": "ent-bran",
}


def decode(provider: MockProvider, prose: str = "I greet her.") -> Decoded | DecodingFailure:
    return asyncio.run(ModelDecoder(provider).decode(build_inn(), "ent-tomas", prose))


def test_prose_becomes_the_actors_intents(mock_provider: MakeMock) -> None:
    """Who acts is set by us whatever the model says, and unknown targets are set apart."""
    decoded = decode(mock_provider([{"intents": [GREETING]}]))
    assert isinstance(decoded, Decoded)
    (intent,) = decoded.intents
    assert intent.actor_id == "ent-tomas"
    assert intent.target_ids == ("ent-mira",)
    assert intent.unresolved_targets == ("ent-dragon",)
    assert "entity@ent-mira[the innkeeper]" in intent.content


def test_a_thought_aimed_at_somebody_loses_its_target(mock_provider: MakeMock) -> None:
    """Also when a model aims it."""
    decoded = decode(mock_provider([{"intents": [{**GREETING, "type": "thought"}]}]))
    assert isinstance(decoded, Decoded)
    assert decoded.intents[0].target_ids == ()


def test_a_model_that_fails_gives_no_intents(mock_provider: MakeMock) -> None:
    """The failure says that decoding failed and why."""
    decoded = decode(mock_provider(["no json at all"]))
    assert isinstance(decoded, DecodingFailure)
    assert decoded.message.startswith("Intent decoding failed: ")


def test_silence_asks_no_model(mock_provider: MakeMock) -> None:
    """Empty prose has no intents, and costs nothing."""
    provider = mock_provider([])
    assert decode(provider, " \n ") == Decoded(intents=())
    assert provider.calls == ()


def test_an_unknown_actor_is_refused_before_any_call(mock_provider: MakeMock) -> None:
    """No prompt with raw ids goes out for somebody who is not there."""
    provider = mock_provider([])
    with pytest.raises(UnknownIdError, match="ent-dragon"):
        asyncio.run(ModelDecoder(provider).decode(build_inn(), "ent-dragon", "roar"))
    assert provider.calls == ()
