"""A text and what was decoded from it, each with the way back to the text a caller gave."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tierwise.leaks.folding import BARRIER, Folding, View, hide_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Locate = Callable[[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A text that one way of decoding read in another; `locate` leads a span back to that one."""

    method: str
    text: str
    locate: Locate


class Document:
    """Texts to be searched at once, kept apart by barriers; each view is made when first asked."""

    def __init__(
        self,
        segments: Sequence[Segment],
        *,
        folding: Folding,
        parent: Document | None = None,
    ) -> None:
        self._segments = segments
        self._folding = folding
        self.parent = parent
        self.text = BARRIER.join(segment.text.replace(BARRIER, " ") for segment in segments)

    @classmethod
    def of(cls, text: str, folding: Folding) -> Document:
        """Return the document of a text as a caller gave it."""
        whole = Segment(method="", text=text, locate=lambda start, end: (start, end))
        return cls((whole,), folding=folding)

    def decoded(self, segments: Sequence[Segment]) -> Document:
        """Return the document of what was decoded from this one."""
        return Document(segments, folding=self._folding, parent=self)

    def trace(self, start: int, end: int) -> tuple[tuple[int, int], tuple[str, ...]]:
        """Return the span in the caller's text, and how it was decoded, outermost first."""
        index = bisect_right(self._starts, start) - 1
        offset = self._starts[index]
        segment = self._segments[index]
        inner = segment.locate(start - offset, end - offset)
        if self.parent is None:
            return inner, ()
        span, chain = self.parent.trace(*inner)
        return span, (*chain, segment.method)

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
        return View(self.text, self._folding.squash)

    @cached_property
    def shaped(self) -> View:
        """Return the text by what its letters look like."""
        return View(self.text, self._folding.shape)

    @cached_property
    def unleeted(self) -> View:
        """Return the text with digits and signs read as the letters they stand for."""
        return View(hide_marks(self.text), self._folding.leet)
