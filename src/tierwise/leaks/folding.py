"""How a comparison sees a text: characters folded, and for each the place where it came from."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

from tierwise.leaks.lookalikes import LOOKALIKES

if TYPE_CHECKING:
    from collections.abc import Callable

BARRIER = "\uffff"
"""Stands between texts that must not run into each other; no comparison removes it."""

_SAME_SHAPE = str.maketrans({"i": "l", "1": "l", "0": "o", "m": "rn"})
_SHAPES = {ord(char): letter for letter, chars in LOOKALIKES for char in chars}
_NAMED_LETTER = re.compile(
    r"(?:LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL )?"
    r"|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER "
    r"|REGIONAL INDICATOR SYMBOL LETTER )([A-Z])(?: WITH .*)?",
)
LEET = dict(zip("01l23456789@$\u20ac!|+", "oiizeasgtbgaseiit", strict=True))
_FIRST_STEP = 0xE000
NO_STEP = chr(_FIRST_STEP + 26)
_MARK_BEFORE_LETTER = re.compile(r"[!|+](?![^\W_])")


def squash_char(char: str) -> str:
    """Return a character without case, width, accents; nothing for what is no letter or digit."""
    if char == BARRIER:
        return char
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(
        str(unicodedata.digit(part)) if part.isdigit() else part
        for part in folded
        if part.isalnum()
    )


def shape_char(char: str) -> str:
    """Return what a character looks like; a pipeline of its own, never chained after squashing.

    Unicode warns that the two disagree for some characters: a long s is an s to one, an f to
    the other. Shapes are compared and never shown.
    """
    parts = (_shape_of(part) for part in unicodedata.normalize("NFD", char))
    return "".join(parts).translate(_SAME_SHAPE)


def _shape_of(char: str) -> str:
    known = _SHAPES.get(ord(char))
    if known is not None or char == BARRIER:
        return known or char
    if not char.isascii():
        named = _NAMED_LETTER.fullmatch(unicodedata.name(char, ""))
        if named:
            return named[1].lower()
    decomposed = unicodedata.normalize("NFKD", char)
    if decomposed != char:
        return "".join(map(_shape_of, decomposed))
    return "".join(part for part in char.casefold() if part.isalnum())


def leet_char(char: str) -> str:
    """Return the letter that a digit or sign stands for in leet writing; i and l become one."""
    return LEET.get(char) or "".join(LEET.get(part, part) for part in squash_char(char))


def hide_marks(text: str) -> str:
    """Return the text, equally long, without the leet signs that are mere punctuation."""
    return _MARK_BEFORE_LETTER.sub(" ", text)


def steps_of(squashed: str) -> str:
    """Return the distance of each letter from the letter before it: the same under any shift."""
    steps, last = [], 0
    for char in squashed:
        if "a" <= char <= "z":
            code = ord(char)
            steps.append(chr(_FIRST_STEP + (code - last) % 26) if last else NO_STEP)
            last = code
        else:
            steps.append(char)
            if char == BARRIER:
                last = 0
    return "".join(steps)


class FoldTable(dict[int, str]):
    """A table for `str.translate` that folds each character once, when it is first met."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        super().__init__()
        self._fold = fold

    def __missing__(self, code: int) -> str:
        """Fold and remember a character."""
        folded = self[code] = self._fold(chr(code))
        return folded


class View:
    """A text after folding; `origins` leads each folded character back to its place."""

    def __init__(self, source: str, table: FoldTable) -> None:
        self.source = source
        self.text = source.translate(table)
        self._table = table

    @cached_property
    def origins(self) -> list[int]:
        """Return the index in the source of each character of `text`; made on the first hit."""
        table = self._table
        return [
            index for index, char in enumerate(self.source) for _ in range(len(table[ord(char)]))
        ]
