"""English number words read as digits: `forty-two`, `nineteen eighty-four`, `third`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_UNITS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
)
_TEENS = tuple(
    ("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen").split(),  # noqa: SIM905  a word a line would bury the code
)
_TENS = (
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
    "fourty": "forty",
}
HUNDRED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberWord:
    """A word of a number: its value and its rank, from units to scales."""

    value: int
    rank: str
    is_last: bool = False
    """An ordinal: nothing may follow it."""


def _cardinals() -> dict[str, NumberWord]:
    words = {word: NumberWord(value=n, rank="unit") for n, word in enumerate(_UNITS)}
    words |= {word: NumberWord(value=n, rank="teen") for n, word in enumerate(_TEENS, start=10)}
    words |= {word: NumberWord(value=n * 10, rank="ten") for n, word in enumerate(_TENS, start=2)}
    words["hundred"] = NumberWord(value=HUNDRED, rank="hundred")
    words |= {word: NumberWord(value=value, rank="scale") for word, value in _SCALES.items()}
    return words


def _ordinals(cardinals: Mapping[str, NumberWord]) -> dict[str, NumberWord]:
    named = dict(_ORDINALS)
    for word in cardinals:
        named.setdefault(word.removesuffix("y") + "ieth" if word in _TENS else word + "th", word)
    return {
        ordinal: NumberWord(
            value=cardinals[word].value,
            rank=cardinals[word].rank,
            is_last=ordinal != "fourty",
        )
        for ordinal, word in named.items()
    }


def number_words() -> dict[str, NumberWord]:
    """Return every word that is part of a number, folded."""
    cardinals = _cardinals()
    return {**cardinals, **_ordinals(cardinals)}


@dataclass(slots=True)
class _Sum:
    """A number while it is read."""

    total: int = 0
    group: int = 0
    rank: str = ""
    scale: int = 10**15
    size: int = 0

    def accepts(self, word: NumberWord) -> bool:
        """Say whether the word goes on with the number; `twenty twenty` are two."""
        if word.rank == "hundred":
            return self.rank not in {"hundred", "scale"} and self.group < HUNDRED
        if word.rank == "scale":
            return self.rank != "scale" and word.value < self.scale
        if word.rank == "unit" and self.rank == "ten":
            return word.value > 0
        return self.rank in {"", "hundred", "scale"} and not (word.value == 0 and self.rank)

    def add(self, word: NumberWord) -> None:
        """Count the word in."""
        if word.rank == "hundred":
            self.group = (self.group or 1) * HUNDRED
        elif word.rank == "scale":
            self.total += (self.group or 1) * word.value
            self.group, self.scale = 0, word.value
        else:
            self.group += word.value
        self.rank = "closed" if self.rank == "ten" and word.rank == "unit" else word.rank


def read_number(words: Sequence[NumberWord | None]) -> tuple[int, int]:
    """Return the value of the number that the sequence begins with, and how many words it took.

    None stands for `and`, which goes on with a number only after a hundred or a scale.
    """
    state = _Sum()
    at = 0
    while at < len(words):
        word = words[at]
        step = 1
        if word is None:
            if state.rank not in {"hundred", "scale"} or at + 1 >= len(words):
                break
            word, step = words[at + 1], 2
            if word is None or word.rank in {"hundred", "scale"}:
                break
        if not state.accepts(word):
            break
        state.add(word)
        at += step
        if word.is_last:
            break
    return state.total + state.group, at
