"""The ways of looking that come down to: is this string in that view of the text?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.leaks.fitting import Outline, fits, outline_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.leaks.documents import Document
    from tierwise.leaks.folding import View
    from tierwise.leaks.forms import Form
    from tierwise.leaks.reading import Reading

SHAPE_IN_ASCII_FROM = 8
"""Letters from which `rn` for m or `l` for i is taken for a disguise rather than for a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One string to look for in one view."""

    form: Form
    needle: str
    outline: Outline


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A match in a document, before it is led back to the caller's text."""

    form: Form
    methods: tuple[str, ...]
    start: int
    end: int
    decoded: str


def exact_probe(form: Form, _reading: Reading) -> Probe:
    """Return the probe for the value, letter by letter."""
    return Probe(form=form, needle=form.value, outline=form.outline)


def squashed_probe(form: Form, _reading: Reading) -> Probe | None:
    """Return the probe for the value without case, accents, spaces and punctuation."""
    if not form.squashed:
        return None
    return Probe(form=form, needle=form.squashed, outline=form.outline)


def shape_probe(form: Form, reading: Reading) -> Probe | None:
    """Return the probe for what the value looks like."""
    if form.is_short:
        return None
    table = reading.shape
    outline = outline_of(form.value, lambda char: table[ord(char)])
    return Probe(form=form, needle=form.value.translate(table), outline=outline)


def exact_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands as it is."""
    text, size = document.text, len(probe.needle)
    for start in places(text, probe.needle):
        if not probe.form.squashed or fits(text, range(start, start + size), probe.outline):
            yield Hit(
                form=probe.form,
                methods=("exact",),
                start=start,
                end=start + size,
                decoded=text[start : start + size],
            )


def squashed_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands in other dress."""
    for start, end in view_spans(document.squashed, probe):
        slice_ = document.text[start:end]
        yield Hit(form=probe.form, methods=("normalised",), start=start, end=end, decoded=slice_)


def shape_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where something stands that looks like the value."""
    for start, end in view_spans(document.shaped, probe):
        slice_ = document.text[start:end]
        if not slice_.isascii() or len(probe.form.squashed) >= SHAPE_IN_ASCII_FROM:
            value = probe.form.value
            yield Hit(form=probe.form, methods=("lookalike",), start=start, end=end, decoded=value)


def view_spans(view: View, probe: Probe) -> Iterator[tuple[int, int]]:
    """Yield the spans in the source where the needle of a probe fits."""
    size = len(probe.needle)
    for at in places(view.text, probe.needle):
        positions = view.origins[at : at + size]
        if fits(view.source, positions, probe.outline):
            yield positions[0], positions[-1] + 1


def places(text: str, needle: str) -> Iterator[int]:
    """Yield where a needle stands, also where two overlap."""
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)
