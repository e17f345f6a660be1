"""The words of a value in another order, or with little between them: `42, then Heron, Blue`."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tierwise.leaks.folding import BARRIER
from tierwise.leaks.probes import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tierwise.leaks.documents import Document
    from tierwise.leaks.forms import Form
    from tierwise.leaks.tokens import Token

SHORTEST_WORDS = 6
"""Letters and digits that the words of a value need together."""
_COMMON = (
    "a an the of to in on at by for from with and or is are was were be been it its this that "
    "as he she they his her their has have had i you we my your our"
)
COMMON_WORDS = frozenset(_COMMON.split())
_BRIDGES = frozenset(["then", "and", "next", "after", "before", "plus"])
_NEGATIONS = frozenset(
    ["not", "no", "never", "nor", "neither", "without", "nobody", "none", "nothing"]
)
_CLAUSE_END = re.compile(r"[.!?;:]\s|\n\s*\n")
FEW = 3
"""Words up to which they have to stand in one clause."""
_DENIED = re.compile(r"n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSet:
    """The words that have to stand near each other, each as often as the value has it."""

    form: Form
    words: Mapping[str, int]
    span: int
    """How many tokens they may lie in."""


def word_set(form: Form) -> WordSet | None:
    """Return the words of a value of several words, or None where order is all that tells it.

    Dates have a way of their own. Three words that carry meaning are enough; of fewer, the small
    words count too.
    """
    texts = [token.text for token in form.tokens]
    telling = [text for text in texts if text not in COMMON_WORDS]
    words = telling if len(telling) > 2 else texts  # noqa: PLR2004  two words meet by chance
    if form.dates or len(words) < 2 or len("".join(words)) < SHORTEST_WORDS:  # noqa: PLR2004
        return None
    span = 2 * len(words) - 1
    return WordSet(form=form, words=Counter(words), span=span)


def shuffle_hits(document: Document, wanted: WordSet) -> Iterator[Hit]:
    """Yield where all the words stand near each other, in whatever order."""
    where = document.token_places
    if not all(word in where for word in wanted.words):
        return
    tokens = document.tokens
    rarest = min(wanted.words, key=lambda word: len(where[word]))
    done = -1
    for at in where[rarest]:
        if at <= done:
            continue
        window = _window_around(tokens, at, wanted)
        if window is None:
            continue
        first, last = window
        if _is_plausible(document.text, tokens, window, wanted):
            done = last
            start, end = tokens[first].start, tokens[last].end
            decoded = " ".join(token.text for token in tokens[first : last + 1])
            yield Hit(form=wanted.form, methods=("words",), start=start, end=end, decoded=decoded)


def _window_around(
    tokens: Sequence[Token],
    at: int,
    wanted: WordSet,
) -> tuple[int, int] | None:
    """Return the narrowest row of tokens around a place that holds all the words."""
    span, best = wanted.span, None
    for first in range(max(0, at - span + 1), at + 1):
        missing = dict(wanted.words)
        left = sum(missing.values())
        for last in range(first, min(len(tokens), first + span)):
            if missing.get(tokens[last].text, 0):
                missing[tokens[last].text] -= 1
                left -= 1
            if not left:
                if last >= at and (best is None or last - first < best[1] - best[0]):
                    best = first, last
                break
    return best


def _is_plausible(
    text: str,
    tokens: Sequence[Token],
    window: tuple[int, int],
    wanted: WordSet,
) -> bool:
    """Say whether the words are told together: nothing denied, and two words closer than more."""
    first, last = window
    row = tokens[first : last + 1]
    between = [token.text for token in row if token.text not in wanted.words]
    inside = text[tokens[first].start : tokens[last].end]
    if BARRIER in inside or _DENIED.search(inside) or not _NEGATIONS.isdisjoint(between):
        return False
    n_words = sum(wanted.words.values())
    if n_words <= FEW and _CLAUSE_END.search(inside) and not _is_list(text, tokens, window):
        return False
    return n_words > 2 or all(word in _BRIDGES for word in between)  # noqa: PLR2004


def _is_list(text: str, tokens: Sequence[Token], window: tuple[int, int]) -> bool:
    """Say whether one and the same sign parts all the tokens: `42. Heron. Blue.`."""
    row = tokens[window[0] : window[1] + 1]
    return len({text[first.end : second.start] for first, second in pairwise(row)}) == 1
