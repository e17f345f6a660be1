"""The ladder: every way of looking, from the plainest to the most disguised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.leaks.acrostics import acrostic_hits
from tierwise.leaks.ciphers import (
    atbash_hits,
    atbash_probe,
    leet_hits,
    leet_probe,
    reversed_hits,
    reversed_probe,
    shifted_backwards_hits,
    shifted_backwards_probe,
    shifted_hits,
    shifted_probe,
    words_reversed_hits,
    words_reversed_probe,
)
from tierwise.leaks.numbers import number_hits, number_probe
from tierwise.leaks.probes import (
    Hit,
    Probe,
    exact_hits,
    exact_probe,
    shape_hits,
    shape_probe,
    squashed_hits,
    squashed_probe,
)
from tierwise.leaks.shuffles import WordSet, shuffle_hits, word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tierwise.leaks.documents import Document
    from tierwise.leaks.forms import Form
    from tierwise.leaks.reading import Reading

    MakeProbe = Callable[[Form, Reading], Probe | None]
    FindHits = Callable[[Document, Probe], Iterator[Hit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """All that a detector looks for, made ready."""

    forms: Sequence[Form]
    probes: Sequence[tuple[FindHits, Probe]]
    word_sets: Sequence[WordSet]

    def hits(self, document: Document) -> Iterator[Hit]:
        """Yield the hits in a document, the plainest way first.

        Very short forms are not looked for in what was decoded: noise spells them.
        """
        decoded = document.parent is not None
        for find, probe in self.probes:
            if not (decoded and probe.form.is_short):
                yield from find(document, probe)
        for form in self.forms:
            if form.dates:
                yield from _date_hits(document, form)
        for wanted in self.word_sets:
            yield from shuffle_hits(document, wanted)

    def acrostic_hits(self, document: Document) -> Iterator[Hit]:
        """Yield what the edges of lines, sentences and words spell: the last rung."""
        for acrostic in document.acrostics:
            for form in self.forms:
                yield from acrostic_hits(acrostic, form)


def build_ladder(forms: Sequence[Form], reading: Reading) -> Ladder:
    """Return the ladder for these forms."""
    ways: tuple[tuple[MakeProbe, FindHits], ...] = (
        (exact_probe, exact_hits),
        (squashed_probe, squashed_hits),
        (shape_probe, shape_hits),
        (leet_probe, leet_hits),
        (number_probe, number_hits),
        (reversed_probe, reversed_hits),
        (words_reversed_probe, words_reversed_hits),
        (shifted_probe, shifted_hits),
        (shifted_backwards_probe, shifted_backwards_hits),
        (atbash_probe, atbash_hits),
    )
    made = ((find, make(form, reading)) for make, find in ways for form in forms)
    sets = map(word_set, forms)
    return Ladder(
        forms=forms,
        probes=tuple((find, probe) for find, probe in made if probe is not None),
        word_sets=tuple(wanted for wanted in sets if wanted is not None),
    )


def _date_hits(document: Document, form: Form) -> Iterator[Hit]:
    """Yield where the date that the form is stands in any order."""
    for date in sorted(form.dates, key=str):
        for place in document.dates.get(date, ()):
            tokens = document.tokens[place.first : place.last + 1]
            yield Hit(
                form=form,
                methods=("date",),
                start=tokens[0].start,
                end=tokens[-1].end,
                decoded=" ".join(token.text for token in tokens),
            )
