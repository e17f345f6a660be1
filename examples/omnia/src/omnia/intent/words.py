"""The little words that stand for people, and how prose is cut for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST_PERSON: Final = frozenset({"i", "me", "my", "mine", "myself"})
THIRD_PERSON: Final = frozenset(
    {"he", "him", "his", "himself", "she", "her", "hers", "herself"}
    | {"they", "them", "their", "theirs", "themselves"}
)
SUBJECTS: Final = frozenset({"i", "he", "she", "they"})
OBJECTS: Final = frozenset({"me", "him", "them"})
POSSESSIVES: Final = frozenset({"my", "his", "their"})
STANDING_POSSESSIVES: Final = frozenset({"mine", "hers", "theirs"})
REFLEXIVES: Final = frozenset({"myself", "himself", "herself", "themselves"})

_SPEECH = re.compile(r"""(?<!\w)"(?=\S)[^"]*"|“[^”]*”""")
"""A balanced pair of double quotes. One without a partner is an ordinary character."""

_CONTRACTIONS: Final = (
    (re.compile(r"\b(i)'m\b", re.IGNORECASE), r"\1 am"),
    (re.compile(r"\bcan't\b", re.IGNORECASE), "cannot"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\b(\w+)n't\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\b(i|you|he|she|it|we|they)'ll\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(i|you|we|they)'ve\b", re.IGNORECASE), r"\1 have"),
    (re.compile(r"\b(you|we|they)'re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\b(he|she|it|that|there)'s\b", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\b(i|you|he|she|we|they)'d\b", re.IGNORECASE), r"\1 would"),
)


def is_pronoun(text: str) -> bool:
    """Return whether the text is a pronoun, which no name or id may take over."""
    return text.casefold() in FIRST_PERSON | THIRD_PERSON


def split_speech(text: str) -> Iterator[tuple[bool, str]]:
    """Cut prose into spoken and other parts; joined, the parts are the text again."""
    end = 0
    for match in _SPEECH.finditer(text):
        yield False, text[end : match.start()]
        yield True, match.group()
        end = match.end()
    yield False, text[end:]


def expand_contractions(text: str) -> str:
    """Write out `I'm`, `don't` and their like outside speech, so that pronouns stand alone."""
    parts = []
    for is_speech, part in split_speech(text):
        parts.append(part if is_speech else _expand(part))
    return "".join(parts)


def _expand(text: str) -> str:
    text = re.sub(r"(?<=\w)\u2019(?=\w)", "'", text)
    for pattern, full in _CONTRACTIONS:
        text = pattern.sub(full, text)
    return text
