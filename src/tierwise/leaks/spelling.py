"""Alphabets that spell letter by letter: Morse, the NATO alphabet, places in the alphabet."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from tierwise.leaks.documents import Segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_MORSE_SIGNS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- "
    ".-- -..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
_MORSE = tuple(_MORSE_SIGNS.split())
_FROM_MORSE: Mapping[str, str] = dict(
    zip(_MORSE, string.ascii_lowercase + string.digits, strict=True),
)
_NATO_ALPHABET = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november "
    "oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu"
)
_NATO = tuple(_NATO_ALPHABET.split())
_FROM_NATO: Mapping[str, str] = {
    **{word: word[0] for word in _NATO},
    "alfa": "a",
    "juliett": "j",
    "whisky": "w",
    "x-ray": "x",
    "niner": "9",
    "fower": "4",
    "tree": "3",
    "fife": "5",
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
}
_NATO_WORDS = rf"(?:{'|'.join(_FROM_NATO)}|\d{{1,4}})"
_NATO_RUN = re.compile(
    rf"\b{_NATO_WORDS}(?:[\s,.;/-]{{1,3}}{_NATO_WORDS}){{3,}}\b",
    re.IGNORECASE,
)
_NATO_WORD = re.compile(_NATO_WORDS, re.IGNORECASE)
_DOTS = str.maketrans("\u00b7\u2022\u2219\u2013\u2014\u2212_", "...----")
_MORSE_RUN = re.compile(r"[.-]{1,5}(?:(?:[ \t\n]{1,8}|[ \t]?[/|][ \t]?)[.-]{1,5}){3,}")
_MORSE_LETTER = re.compile(r"[.-]+")
_PLACES_RUN = re.compile(r"(?<![\d.])\d{1,2}(?:[\s,./-]{1,3}\d{1,2}){3,}(?![\d])")
_HAS_LETTER = re.compile(r"[a-z]", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def spelled(text: str) -> Iterator[Segment]:
    """Yield what each run of a spelling alphabet spells.

    The full stop of a sentence may cling to the last letter of Morse, so both readings are given.
    """
    for run in _MORSE_RUN.finditer(text.translate(_DOTS)):
        yield _spell("morse", run[0], run.start(), _MORSE_LETTER)
        if run[0].endswith("."):
            yield _spell("morse", run[0][:-1], run.start(), _MORSE_LETTER)
    for run in _NATO_RUN.finditer(text):
        if _HAS_LETTER.search(run[0]):
            yield _spell("nato", run[0], run.start(), _NATO_WORD)
    for run in _PLACES_RUN.finditer(text):
        yield _spell("places in the alphabet", run[0], run.start(), _NUMBER)


def _spell(method: str, run: str, offset: int, pattern: re.Pattern[str]) -> Segment:
    """Return what a run spells, with `?` for a part that stands for nothing."""
    parts = list(pattern.finditer(run))
    letters = [_READERS[method](part[0]) for part in parts]
    owners = [part for part, spelt in zip(parts, letters, strict=True) for _ in spelt]

    def locate(start: int, end: int) -> tuple[int, int]:
        return offset + owners[start].start(), offset + owners[end - 1].end()

    return Segment(methods=(method,), text="".join(letters), locate=locate)


def _read_morse(signs: str) -> str:
    return _FROM_MORSE.get(signs, "?")


def _read_nato(word: str) -> str:
    return _FROM_NATO.get(word.lower(), word)


def _read_place(number: str) -> str:
    place = int(number)
    return string.ascii_lowercase[place - 1] if 1 <= place <= len(string.ascii_lowercase) else "?"


_READERS: Mapping[str, Callable[[str], str]] = {
    "morse": _read_morse,
    "nato": _read_nato,
    "places in the alphabet": _read_place,
}
