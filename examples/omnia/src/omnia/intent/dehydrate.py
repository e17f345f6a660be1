"""Turn one person's prose into text that belongs to nobody: names and pronouns become tags."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omnia.intent.tags import make_tag, strip_tags
from omnia.intent.words import FIRST_PERSON, THIRD_PERSON, is_pronoun, split_speech

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from omnia.core import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Dehydrated:
    """Text with tags, and the phrases that were left alone since two people answer to them."""

    text: str
    ambiguous: tuple[str, ...] = ()


def names_known_to(world: World, actor_id: str) -> dict[str, tuple[str, ...]]:
    """Return what the actor may call people by: its aliases, and ids; each with who is meant."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    actor = world.require_entity(actor_id)
    for target_id, alias in actor.aliases.items():
        if actor.knows(target_id):
            names[alias.strip().casefold()].append(target_id)
    for entity_id in world.entities:
        if entity_id not in names[entity_id.casefold()]:
            names[entity_id.casefold()].append(entity_id)
    return {name: tuple(ids) for name, ids in names.items()}


def dehydrate(
    text: str,
    *,
    actor_id: str,
    names: Mapping[str, Sequence[str]],
    target_ids: Sequence[str] = (),
) -> Dehydrated:
    """Replace names, ids and pronouns outside speech by tags, in one pass over the text.

    First person is the actor; third person is whoever was named last, else the first target,
    else it stays. Tags that the text brings along are forged and lose their meaning first.
    """
    tagger = _Tagger(actor_id=actor_id, names=names, target_ids=target_ids)
    parts = [
        part if is_speech else tagger.tag(part)
        for is_speech, part in split_speech(strip_tags(text))
    ]
    return Dehydrated(text="".join(parts), ambiguous=tuple(dict.fromkeys(tagger.ambiguous)))


@dataclass(slots=True, kw_only=True)
class _Tagger:
    actor_id: str
    names: Mapping[str, Sequence[str]]
    target_ids: Sequence[str]
    ambiguous: list[str] = field(default_factory=list)
    last_id: str | None = None

    def tag(self, text: str) -> str:
        usable = [name for name in self.names if name and not is_pronoun(name)]
        return _any_of([*usable, *FIRST_PERSON, *THIRD_PERSON]).sub(self._replace, text)

    def _replace(self, match: re.Match[str]) -> str:
        surface = match.group()
        entity_id = self._meant_by(surface.casefold(), surface)
        return surface if entity_id is None else make_tag(entity_id, surface)

    def _meant_by(self, key: str, surface: str) -> str | None:
        if key in FIRST_PERSON:
            return self.actor_id
        if key in THIRD_PERSON:
            return self.last_id or next(iter(self.target_ids), None)
        ids = self.names[key]
        if len(ids) > 1:
            self.ambiguous.append(surface)
            return None
        if ids[0] != self.actor_id:
            self.last_id = ids[0]
        return ids[0]


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    choices = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<![\w@-])(?:{choices})(?![\w@-])", re.IGNORECASE)
