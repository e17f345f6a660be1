from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from omnia.architect import name_stranger
from worlds import build_inn

from tierwise.providers import MockProvider

if TYPE_CHECKING:
    from omnia.core import World

MakeMock = Callable[..., MockProvider]


def name(provider: MockProvider, world: World | None = None) -> str:
    return asyncio.run(name_stranger(world or build_inn(), "ent-bran", "ent-mira", provider))


def test_a_good_phrase_is_used(mock_provider: MakeMock) -> None:
    """As proposed, without the sign at its end."""
    assert name(mock_provider([{"alias": "The tall one."}])) == "The tall one"


@pytest.mark.parametrize(
    "answer",
    [
        {"alias": "ent-mira"},
        {"alias": "the keeper of the silver key"},
        {"alias": "silver woman"},
        {"alias": ""},
        "no json",
    ],
)
def test_a_bad_phrase_becomes_a_stranger(mock_provider: MakeMock, answer: object) -> None:
    """Ids, secrets, sentences, silence and failures are not put into anybody's mouth."""
    assert name(mock_provider([answer])) == "a stranger"


def test_strangers_are_numbered(mock_provider: MakeMock) -> None:
    """No two people are called the same by one viewer."""
    world = build_inn()
    world.require_entity("ent-bran").aliases["ent-tomas"] = "a stranger"
    assert name(mock_provider(["no json"]), world) == "a stranger 2"
