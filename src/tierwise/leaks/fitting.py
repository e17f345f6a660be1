"""Does a match stand there as a person would read it, or did unrelated words happen to meet?

Folding removes what lies between letters, so that `her on the` holds `heron`. A match of a short
secret therefore has to stand by itself, and what lies between its letters has to look intended.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WHOLE_WORD_BELOW = 8
"""Letters under which a secret has to be a word of its own: `Savannah` does not hold `Anna`."""
WHOLE_CODE_BELOW = 6
"""The same for secrets of letters and digits, which chance does not spell as easily."""
WHOLE_NUMBER_BELOW = 12
"""Digits under which a number has to be whole: `1429` does not hold `42`."""
ANY_GAP_FROM = 10
"""Letters from which anything but letters may lie between those of a match."""
SPELLED_FROM = 4

_HYPHENATION = re.compile(r"-[ \t]*\r?\n[ \t]*")
_DELIBERATE = re.compile(r"[^\s'\u2019,;:!?\"()]+")
_UNSPACED = (
    ("\u0e00", "\u0eff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u2e80", "\ud7ff"),
)
_INVISIBLE = frozenset({"Mn", "Me", "Cf", "Cc"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a form of a secret is made of, apart from which characters they are."""

    size: int
    kind: Literal["letters", "digits", "mixed"]
    breaks: frozenset[int]
    """Offsets before which the form itself has something that folding removes."""
    whole_below: int = 0
    """Characters under which it has to be whole, where that is more than the usual."""

    def reversed(self) -> Outline:
        """Return the outline of the same characters read backwards."""
        breaks = frozenset(self.size - at for at in self.breaks)
        return replace(self, breaks=breaks)


def outline_of(form: str, fold: Callable[[str], str]) -> Outline:
    """Return the outline of a form under a folding."""
    size, folded, breaks = 0, "", set()
    for char in form:
        part = fold(char)
        if part:
            folded, size = folded + part, size + len(part)
        elif size and unicodedata.category(char) not in _INVISIBLE:
            breaks.add(size)
    breaks.discard(size)
    digits = sum(char.isdigit() for char in folded)
    kind: Literal["letters", "digits", "mixed"] = "mixed"
    if digits in {0, size}:
        kind = "digits" if digits else "letters"
    return Outline(size=size, kind=kind, breaks=frozenset(breaks))


def fits(text: str, positions: Sequence[int], outline: Outline) -> bool:
    """Say whether characters at these positions read as the secret."""
    start, end = positions[0], positions[-1] + 1
    if not stands_alone(text, start, end, outline):
        return False
    return len(positions) == end - start or gaps_fit(gaps_of(text, positions), outline)


def stands_alone(text: str, start: int, end: int, outline: Outline) -> bool:
    """Say whether neither edge of a match cuts a word or a number that should be whole."""
    before, after = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    if outline.kind == "digits" and before[:1].isalpha() and after[:1].isalpha():
        return outline.size >= WHOLE_CODE_BELOW
    if outline.size < SPELLED_FROM and (_is_glued(before[:1]) or _is_glued(after[:1])):
        return False
    if before and _is_cut(text[start], before, outline, leaving=False):
        return False
    return not (after and _is_cut(text[end - 1], after, outline, leaving=True))


def _is_cut(inner: str, outer: str, outline: Outline, *, leaving: bool) -> bool:
    if inner.isdigit() and _number_goes_on(outer, outline):
        return outline.size < WHOLE_NUMBER_BELOW or outline.kind != "digits"
    least = WHOLE_CODE_BELOW if outline.kind == "mixed" else WHOLE_WORD_BELOW
    if outline.size >= max(least, outline.whole_below) or not (
        _is_spaced_letter(inner) and _is_spaced_letter(outer[0])
    ):
        return False
    if outline.kind != "mixed" and inner.isdigit() != outer[0].isdigit():
        return False
    first, second = (inner, outer[0]) if leaving else (outer[0], inner)
    if first.islower() and second.isupper():
        return False
    return not (leaving and _is_plural(outer, outline))


def _is_glued(char: str) -> bool:
    """Say whether a neighbour makes a very short secret part of something else, such as a blob."""
    return char != "" and (_is_spaced_letter(char) or char in "+/_")


def _number_goes_on(outer: str, outline: Outline) -> bool:
    if outer[0].isdigit():
        return True
    goes_on = outline.kind == "digits" and outer[0] in ".," and len(outer) > 1
    return goes_on and outer[1].isdigit()


def _is_plural(outer: str, outline: Outline) -> bool:
    ends = len(outer) == 1 or not outer[1].isalnum()
    return ends and outer[0] == "s" and outline.kind == "letters" and outline.size >= SPELLED_FROM


def _is_spaced_letter(char: str) -> bool:
    """Say whether a character is a letter or digit of a script with spaces between its words."""
    return char.isalnum() and not any(first <= char <= last for first, last in _UNSPACED)


def gaps_of(text: str, positions: Sequence[int]) -> dict[int, str]:
    """Return what lies between the characters of a match, by offset, without the invisible."""
    gaps = {}
    for offset in range(1, len(positions)):
        gap = text[positions[offset - 1] + 1 : positions[offset]]
        if gap and not _is_soft(gap):
            gaps[offset] = gap
    return gaps


def _is_soft(gap: str) -> bool:
    if _HYPHENATION.fullmatch(gap):
        return True
    invisible = (unicodedata.category(char) in _INVISIBLE for char in gap)
    return "\n" not in gap and "\t" not in gap and all(invisible)


def gaps_fit(gaps: dict[int, str], outline: Outline) -> bool:
    """Say whether what lies between the characters looks intended."""
    if not gaps or gaps.keys() <= outline.breaks:
        return True
    is_spelled = len(gaps) == outline.size - 1 and outline.size >= SPELLED_FROM
    if outline.kind == "digits":
        return (is_spelled and len(set(gaps.values())) == 1) or _is_grouping(gaps, outline)
    if is_spelled:
        return True
    deliberate = all(_DELIBERATE.fullmatch(gap) for gap in gaps.values())
    return deliberate or outline.size >= ANY_GAP_FROM


def _is_grouping(gaps: dict[int, str], outline: Outline) -> bool:
    """Say whether digits are grouped by one and the same sign: 48-21, 4,821, 06 12 34."""
    signs = set(gaps.values())
    sign = next(iter(signs))
    if len(signs) > 1 or len(sign) > 1 or outline.size < SPELLED_FROM:
        return False
    if sign in ".,'\u2019":
        return all((outline.size - offset) % 3 == 0 for offset in gaps)
    return True
