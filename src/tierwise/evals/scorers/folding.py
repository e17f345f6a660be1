"""Differences between two texts that a comparison may be told to ignore."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals.scorers.reading import require_option

if TYPE_CHECKING:
    from collections.abc import Collection

Ignorable = Literal["case", "space", "punctuation", "form"]
"""What a comparison may ignore.

`case`: upper and lower case, as Unicode folds it (`ß` is `ss`). `space`: how much white space
stands between words, and any at the ends. `punctuation`: every punctuation mark, taken out and
not replaced. `form`: how a character is encoded or drawn (composed or not, full-width, ligature).
"""

ALL: tuple[Ignorable, ...] = ("case", "space", "punctuation", "form")


def require_ignorable(ignore: Collection[str]) -> None:
    """Refuse what nobody can ignore, such as a bare word in place of a list of them."""
    if isinstance(ignore, str):
        raise EvalUsageError(f"ignore={ignore!r}: expected several, such as ignore=[{ignore!r}].")
    if not isinstance(ignore, Iterable):
        raise EvalUsageError(f"ignore={ignore!r}: expected a list, such as ignore=['case'].")
    for entry in ignore:
        require_option("ignore", entry, Ignorable)


def fold(text: str, ignore: Collection[str]) -> str:
    """Return the text without the differences that are ignored."""
    if "form" in ignore:
        text = unicodedata.normalize("NFKC", text)
    if "case" in ignore:
        text = text.casefold()
        if "form" in ignore:
            text = unicodedata.normalize("NFKC", text)
    if "punctuation" in ignore:
        text = "".join(each for each in text if not unicodedata.category(each).startswith("P"))
    return " ".join(text.split()) if "space" in ignore else text


def fold_expected(text: str, ignore: Collection[str], what: str) -> str:
    """Return a text that is looked for, folded; refuse one that nothing is left of.

    An empty text is found everywhere, and two texts that vanish are equal whatever they said.
    """
    folded = fold(text, ignore)
    if not folded and (text or what != "exact()"):
        left = f" once {', '.join(ignore)} is ignored" if text else ""
        raise ScorerError(
            f"{what} looks for {text!r}, of which nothing is left{left}: every text would do. "
            "Does the case have a value there?"
        )
    return folded


def say_ignorable(text: str, expected: str) -> str:
    """Return what would have to be ignored for two texts to be equal; empty if that is not it."""
    if fold(text, ALL) != fold(expected, ALL):
        return ""
    alone = [entry for entry in ALL if fold(text, [entry]) == fold(expected, [entry])]
    return f"; the same but for {alone[0] if alone else ', '.join(ALL)}"
