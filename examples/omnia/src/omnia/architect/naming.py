"""What somebody calls a stranger: a model proposes, a rule disposes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict

from omnia.architect.alias_prompt import build_alias_prompt
from omnia.intent.words import is_pronoun
from omnia.llm import Purpose, ask
from tierwise.providers import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omnia.core import Entity, FactBag, World
    from tierwise.providers import Provider

MAX_WORDS: Final = 5
TELLING_LENGTH: Final = 4
"""A word this long that only hidden facts contain gives something away."""
FALLBACK: Final = "a stranger"
_WORD = re.compile(r"\w+")


class AliasAnswer(BaseModel):
    """A phrase for somebody."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    alias: str


async def name_stranger(world: World, viewer_id: str, target_id: str, provider: Provider) -> str:
    """Return what the viewer will call the target; a stranger when the model does no good."""
    prompt = build_alias_prompt(world, viewer_id, target_id)
    reply = await ask(provider, prompt, AliasAnswer, purpose=Purpose.ALIAS)
    proposal = "" if isinstance(reply, Failure) else reply.alias.strip(" .\n\"'")
    viewer = world.require_entity(viewer_id)
    if find_alias_problem(world, viewer_id, proposal) is None:
        return proposal
    return _first_free(viewer)


def find_alias_problem(world: World, viewer_id: str, phrase: str) -> str | None:
    """Return why the viewer must not use the phrase, or None when it may."""
    words = [word.casefold() for word in _WORD.findall(phrase)]
    if not words or len(phrase.split()) > MAX_WORDS or not phrase.isprintable():
        return f"a phrase has 1 to {MAX_WORDS} words on one line"
    if is_pronoun(phrase) or any(sign in phrase for sign in "[]@"):
        return "a phrase is no pronoun and no tag"
    if world.require_entity(viewer_id).targets_called(phrase):
        return "somebody else is called that"
    if any(entity_id.casefold() in phrase.casefold() for entity_id in world.entities):
        return "the phrase holds an id"
    telling = _hidden_words(world, viewer_id).intersection(words)
    return "the phrase holds what the viewer must not know" if telling else None


def _hidden_words(world: World, viewer_id: str) -> set[str]:
    """Return every telling word that only facts hidden from the viewer contain."""
    bags = list(_bags(world))
    known = {
        word
        for bag in bags
        for fact in bag.visible_for(viewer_id)
        for word in _words_of(fact.text)
    }
    everything = {
        word for bag in bags for fact in bag.system_all() for word in _words_of(fact.value)
    }
    return everything - known


def _words_of(text: str) -> set[str]:
    words = {word.casefold() for word in _WORD.findall(text)}
    # A short value that is a name as a whole ("Ann") tells as much as a long word.
    return {word for word in words if len(word) >= TELLING_LENGTH or len(words) == 1}


def _bags(world: World) -> Iterator[FactBag]:
    yield world.facts
    for location in world.locations.values():
        yield location.facts
    for entity in world.entities.values():
        yield entity.facts


def _first_free(viewer: Entity) -> str:
    phrase, n = FALLBACK, 1
    while viewer.targets_called(phrase):
        n += 1
        phrase = f"{FALLBACK} {n}"
    return phrase
