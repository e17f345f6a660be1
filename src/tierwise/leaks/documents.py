"""A text and what was decoded from it, each with the way back to the text a caller gave."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tierwise.leaks.acrostics import Acrostic, acrostics_of
from tierwise.leaks.dates import Date, DatePlace, dates_in
from tierwise.leaks.folding import BARRIER, View, hide_marks, steps_of
from tierwise.leaks.numbers import NumberView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tierwise.leaks.reading import Reading
    from tierwise.leaks.tokens import Token

    Locate = Callable[[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A text that one way of decoding read in another; `locate` leads a span back to that one."""

    methods: tuple[str, ...]
    text: str
    locate: Locate
    is_whole: bool = True
    """Every byte was readable, so that there is no need to read it another way."""


class Document:
    """Texts to be searched at once, kept apart by barriers; each view is made when first asked."""

    def __init__(
        self,
        segments: Sequence[Segment],
        *,
        reading: Reading,
        parent: Document | None = None,
    ) -> None:
        self._segments = segments
        self._reading = reading
        self.parent = parent
        self.text = BARRIER.join(segment.text.replace(BARRIER, " ") for segment in segments)

    @classmethod
    def of(cls, text: str, reading: Reading) -> Document:
        """Return the document of a text as a caller gave it."""
        whole = Segment(methods=(), text=text, locate=lambda start, end: (start, end))
        return cls((whole,), reading=reading)

    def decoded(self, segments: Sequence[Segment]) -> Document:
        """Return the document of what was decoded from this one."""
        return Document(segments, reading=self._reading, parent=self)

    def trace(self, start: int, end: int) -> tuple[tuple[int, int], tuple[str, ...]]:
        """Return the span in the caller's text, and how it was decoded, outermost first."""
        index = bisect_right(self._starts, start) - 1
        offset = self._starts[index]
        segment = self._segments[index]
        inner = segment.locate(start - offset, end - offset)
        if self.parent is None:
            return inner, ()
        span, chain = self.parent.trace(*inner)
        return span, (*chain, *segment.methods)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for segment in self._segments:
            starts.append(at)
            at += len(segment.text) + len(BARRIER)
        return starts

    @cached_property
    def squashed(self) -> View:
        """Return the text without case, accents, spaces and punctuation."""
        return View(self.text, self._reading.squash)

    @cached_property
    def shaped(self) -> View:
        """Return the text by what its letters look like."""
        return View(self.text, self._reading.shape)

    @cached_property
    def unleeted(self) -> View:
        """Return the text with digits and signs read as the letters they stand for."""
        return View(hide_marks(self.text), self._reading.leet)

    @cached_property
    def steps(self) -> str:
        """Return the squashed text as distances between letters."""
        return steps_of(self.squashed.text)

    @cached_property
    def tokens(self) -> list[Token]:
        """Return the words and whole numbers of the text."""
        return self._reading.tokenizer.read(self.text)

    @cached_property
    def token_places(self) -> Mapping[str, list[int]]:
        """Return where among the tokens each word stands."""
        found: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            found.setdefault(token.text, []).append(index)
        return found

    @cached_property
    def numbers(self) -> NumberView:
        """Return the tokens run together."""
        return NumberView(self.tokens)

    @cached_property
    def dates(self) -> Mapping[Date, list[DatePlace]]:
        """Return the places of each date that the text can hold, with and without its year."""
        found: dict[Date, list[DatePlace]] = {}
        for place in dates_in(self.tokens):
            of_any_year = {(None, month, day) for _, month, day in place.readings}
            for date in place.readings | of_any_year:
                found.setdefault(date, []).append(place)
        return found

    @cached_property
    def acrostics(self) -> tuple[Acrostic, ...]:
        """Return the letters at the edges of lines, sentences and words."""
        return acrostics_of(self.text, self._reading.squash)
