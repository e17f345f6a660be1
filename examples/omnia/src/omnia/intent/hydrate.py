"""Turn stored text back into what one viewer reads: `I` for itself, its own names for others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from omnia.core import one_line
from omnia.intent.tags import TAG, plain
from omnia.intent.words import (
    OBJECTS,
    POSSESSIVES,
    REFLEXIVES,
    STANDING_POSSESSIVES,
    SUBJECTS,
)

if TYPE_CHECKING:
    from omnia.core import Entity

_MENTION = re.compile(
    TAG.pattern
    + r"(?P<possessive>['\u2019]s\b)?(?P<verb>\s+(?:am|have|do)\b)?(?=(?:\s+(?P<next>\w+))?)",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?]\s+|\n\s*)['\"]?$")
_THIRD_PERSON_VERBS: Final = {"am": "is", "have": "has", "do": "does"}
_NO_NOUNS: Final = frozenset(
    [
        "and",
        "or",
        "but",
        "with",
        "in",
        "on",
        "at",
        "to",
        "from",
        "as",
        "then",
        "while",
        "for",
        "again",
        "by",
        "of",
        "into",
        "over",
    ]
)
"""Words after which `her` was no possessive: it looks at her and leaves, it takes her hand."""
_QUOTES: Final = str.maketrans({'"': "'", "“": "'", "”": "'"})


def hydrate(text: str, viewer: Entity) -> str:
    """Return the text as the viewer reads it: no id, no tag, double quotes made single."""
    parts: list[str] = []
    end = 0
    for match in _MENTION.finditer(text):
        parts.append(text[end : match.start()].translate(_QUOTES))
        parts.append(_mention(match, viewer, "".join(parts)))
        end = match.end()
    parts.append(text[end:].translate(_QUOTES))
    return "".join(parts)


def _mention(match: re.Match[str], viewer: Entity, before: str) -> str:
    at_start = _SENTENCE_START.search(before) is not None
    verb = match["verb"] or ""
    if match["id"] == viewer.id:
        return _own(match, at_start=at_start) + verb
    word = _others(match, plain(one_line(viewer.name_for(match["id"]))))
    verb = re.sub(r"\w+", lambda found: _THIRD_PERSON_VERBS[found.group().lower()], verb)
    return (word[:1].upper() + word[1:] if at_start else word) + verb


def _own(match: re.Match[str], *, at_start: bool) -> str:
    role = _role(match)
    if role == "name":
        role = "possessive" if match["possessive"] else ("subject" if at_start else "object")
    word = {
        "subject": "I",
        "object": "me",
        "possessive": "my",
        "standing": "mine",
        "reflexive": "myself",
    }[role]
    return word[:1].upper() + word[1:] if at_start else word


def _others(match: re.Match[str], alias: str) -> str:
    role = _role(match)
    if role == "reflexive":
        return "themself"
    is_owner = role in {"possessive", "standing"} or match["possessive"]
    return f"{alias}'s" if is_owner else alias


def _role(match: re.Match[str]) -> str:
    word = match["surface"].casefold()
    if word == "her":
        follows = match["next"]
        return "object" if follows is None or follows in _NO_NOUNS else "possessive"
    for role, words in (
        ("subject", SUBJECTS),
        ("object", OBJECTS),
        ("possessive", POSSESSIVES),
        ("standing", STANDING_POSSESSIVES),
        ("reflexive", REFLEXIVES),
    ):
        if word in words:
            return role
    return "name"
