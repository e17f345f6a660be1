"""First and last letters: of lines, of sentences, of words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.leaks.probes import Hit, places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.leaks.folding import FoldTable
    from tierwise.leaks.forms import Form

SHORTEST = 5
"""Letters under which a hit would be chance."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)")
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Acrostic:
    """Letters picked from a text, with the place of each."""

    method: str
    text: str
    at: Sequence[int]
    anywhere_from: int
    """Letters from which a row counts wherever it begins; a shorter one has to fill a sentence."""
    edges: frozenset[int] = frozenset()
    """Offsets at which a sentence begins."""

    def counts(self, start: int, size: int) -> bool:
        """Say whether a row of letters is more than chance."""
        if size >= self.anywhere_from:
            return True
        inside = self.edges.intersection(range(start, start + size))
        return inside == {start} and start + size in self.edges


def acrostics_of(text: str, table: FoldTable) -> tuple[Acrostic, ...]:
    """Return the rows of letters that a text spells at the edges of its parts."""
    words = [match.span() for match in _WORD.finditer(text)]
    sentence_starts = [match.start() for match in _SENTENCE.finditer(text)]
    edges = _edges(words, sentence_starts)
    found = []
    for unit, spans, first_from, last_from in (
        ("lines", [match.span() for match in _LINE.finditer(text)], SHORTEST, 6),
        ("sentences", [match.span() for match in _SENTENCE.finditer(text)], SHORTEST, 6),
        ("words", words, 8, 9),
    ):
        for end, anywhere_from in (("first", first_from), ("last", last_from)):
            at = [place for span in spans if (place := _letter(text, span, end)) is not None]
            letters = [text[place].translate(table)[:1] or " " for place in at]
            found.append(
                Acrostic(
                    method=f"{end} letters of {unit}",
                    text="".join(letters),
                    at=at,
                    anywhere_from=anywhere_from,
                    edges=edges if unit == "words" else frozenset(),
                ),
            )
    return tuple(found)


def acrostic_hits(acrostic: Acrostic, form: Form) -> Iterator[Hit]:
    """Yield where the letters spell the value, or all that is letters in it."""
    letters = "".join(char for char in form.squashed if not char.isdigit())
    for needle in dict.fromkeys((form.squashed, letters)):
        if len(needle) < SHORTEST or needle.isdigit():
            continue
        for start in places(acrostic.text, needle):
            if acrostic.counts(start, len(needle)):
                last = acrostic.at[start + len(needle) - 1]
                yield Hit(
                    form=form,
                    methods=(acrostic.method,),
                    start=acrostic.at[start],
                    end=last + 1,
                    decoded=needle,
                )


def _letter(text: str, span: tuple[int, int], end: str) -> int | None:
    start, stop = span
    if end == "first":
        found = _LETTER.search(text, start, stop)
        return found.start() if found else None
    for place in range(stop - 1, start - 1, -1):
        if text[place].isalnum():
            return place
    return None


def _edges(words: Sequence[tuple[int, int]], sentence_starts: Sequence[int]) -> frozenset[int]:
    """Return the numbers of the words that begin a sentence, and the number of words."""
    edges, next_sentence = {len(words)}, 0
    for number, (start, _) in enumerate(words):
        if next_sentence < len(sentence_starts) and start >= sentence_starts[next_sentence]:
            edges.add(number)
            while next_sentence < len(sentence_starts) and start >= sentence_starts[next_sentence]:
                next_sentence += 1
    return frozenset(edges)
