"""A text as words and whole numbers, numbers in one spelling: the ground of three comparisons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tierwise.leaks.folding import BARRIER
from tierwise.leaks.numerals import NumberWord, number_words, read_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.leaks.folding import FoldTable

_TOKEN = re.compile(
    r"\d{1,3}(?:([,.'\u2019\u00a0\u202f ])\d{3})(?:\1\d{3})*(?!\d)"
    r"|\d+(?:st|nd|rd|th)\b|\d+"
    r"|[^\W\d_]+(?:['\u2019][^\W\d_]+)*"
    rf"|{BARRIER}",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['\u2019]s?\b.*", re.DOTALL)
_NO_DIGITS = re.compile(r"\D+")
_GLUE = re.compile(r"[\s\u2010\u2011-]{1,3}")
_LOOSE_GLUE = re.compile(r"[\s,\u2010\u2011-]{1,3}")
_ZERO_LETTERS = frozenset({"oh", "o"})


class Token(NamedTuple):
    """A word or a number, and where it stands."""

    text: str
    start: int
    end: int
    was_rewritten: bool = False
    """A number that was not written in plain digits."""


class Tokenizer:
    """Reads texts into tokens; holds the number words so that they are made once."""

    def __init__(self, fold: FoldTable) -> None:
        self._fold = fold
        self._numbers: Mapping[str, NumberWord] = number_words()

    def read(self, text: str) -> list[Token]:
        """Return the tokens of a text, numbers in digits, possessives as their word."""
        plain = list(self._plain(text))
        numbers = self._numbers
        if not any(token.text in numbers for token in plain):
            return plain
        tokens: list[Token] = []
        at = 0
        while at < len(plain):
            if plain[at].text in numbers or plain[at].text in _ZERO_LETTERS:
                taken = self._number_at(text, plain, at, tokens)
                if taken:
                    at += taken
                    continue
            tokens.append(plain[at])
            at += 1
        return tokens

    def _plain(self, text: str) -> Iterator[Token]:
        fold = self._fold
        for match in _TOKEN.finditer(text):
            start, end = match.span()
            raw = match[0]
            if raw[0].isdigit():
                digits = _NO_DIGITS.sub("", raw).translate(fold)
                yield Token(digits, start, end, len(digits) != len(raw))
                continue
            word = (
                _POSSESSIVE.sub("", raw) if not raw.isalpha() and raw[-2:-1] in "'\u2019" else raw
            )
            yield Token(word.translate(fold), start, start + len(word))

    def _number_at(self, text: str, plain: list[Token], at: int, before: list[Token]) -> int:
        """Append the number that begins here to the tokens before it; return the words it took."""
        if plain[at].text in _ZERO_LETTERS:
            return self._zero_at(plain, at, before)
        words: list[NumberWord | None] = []
        for index in range(at, min(len(plain), at + 24)):
            token = plain[index]
            word = self._numbers.get(token.text)
            if word is None and token.text != "and":
                break
            if words:
                gap = text[plain[index - 1].end : token.start]
                last = words[-1]
                after_scale = last is not None and last.rank == "scale"
                if not (_LOOSE_GLUE if after_scale else _GLUE).fullmatch(gap):
                    break
            words.append(word)
        value, taken = read_number(words)
        if taken:
            end = plain[at + taken - 1].end
            before.append(Token(str(value), plain[at].start, end, was_rewritten=True))
        return taken

    def _zero_at(self, plain: list[Token], at: int, before: list[Token]) -> int:
        after_number = bool(before) and before[-1].text.isdigit()
        if not (after_number and at + 1 < len(plain) and plain[at + 1].text in self._numbers):
            return 0
        before.append(Token("0", plain[at].start, plain[at].end, was_rewritten=True))
        return 1


def runs_on(text: str, first: Token, second: Token) -> bool:
    """Say whether two number tokens read as one row of digits: `four two`, `19 84`."""
    gap = text[first.end : second.start]
    single = len(first.text) == len(second.text) == 1
    return (_LOOSE_GLUE if single else _GLUE).fullmatch(gap) is not None
