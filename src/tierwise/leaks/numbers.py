"""Numbers in another spelling: words for digits, digits for words, grouped digits, ordinals."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from tierwise.leaks.fitting import WHOLE_WORD_BELOW
from tierwise.leaks.probes import Hit, Probe, places
from tierwise.leaks.tokens import Token, runs_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.leaks.documents import Document
    from tierwise.leaks.forms import Form
    from tierwise.leaks.reading import Reading

JOINED_FROM = 4
"""Digits from which a number may be told digit by digit: `four eight two one`."""


class NumberView:
    """The tokens of a text run together, with the way back to each."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.text = "".join(token.text for token in tokens)

    @cached_property
    def starts(self) -> list[int]:
        """Return where each token begins in `text`."""
        starts, at = [], 0
        for token in self.tokens:
            starts.append(at)
            at += len(token.text)
        return starts

    def tokens_in(self, start: int, end: int) -> tuple[list[Token], bool]:
        """Return the tokens that a span touches, and whether it cuts none of them."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        found = list(self.tokens[first : last + 1])
        is_whole = self.starts[first] == start and self.starts[last] + len(found[-1].text) == end
        return found, is_whole


def number_probe(form: Form, _reading: Reading) -> Probe | None:
    """Return the probe for a value that holds a number, written in digits or in words."""
    needle = "".join(token.text for token in form.tokens)
    has_number = any(token.text.isdigit() for token in form.tokens)
    if not has_number or (needle.isdigit() and len(needle) == 1):
        return None
    return Probe(form=form, needle=needle, outline=form.outline)


def number_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands with its numbers spelled another way."""
    view = document.numbers
    needle = probe.needle
    for at in places(view.text, needle):
        tokens, is_whole = view.tokens_in(at, at + len(needle))
        if not is_whole and not _may_cut(view, at, len(needle), tokens):
            continue
        if _is_told(document.text, tokens, probe):
            start, end = tokens[0].start, tokens[-1].end
            decoded = " ".join(token.text for token in tokens)
            yield Hit(form=probe.form, methods=("numbers",), start=start, end=end, decoded=decoded)


def _may_cut(view: NumberView, at: int, size: int, tokens: list[Token]) -> bool:
    """Say whether a span may begin or end inside a word: a long one may, in letters alone."""
    if size < WHOLE_WORD_BELOW:
        return False
    first, last = view.text[at], view.text[at + size - 1]
    cuts_start = view.starts[bisect_right(view.starts, at) - 1] != at
    cuts_end = bisect_right(view.starts, at + size) == bisect_right(view.starts, at + size - 1)
    cuts_end = cuts_end and at + size < len(view.text)
    return bool(tokens) and not ((cuts_start and first.isdigit()) or (cuts_end and last.isdigit()))


def _is_told(text: str, tokens: list[Token], probe: Probe) -> bool:
    """Say whether the tokens tell the value in a way that plain folding does not see."""
    rewritten_form = any(token.was_rewritten for token in probe.form.tokens)
    if not rewritten_form and not any(token.was_rewritten for token in tokens):
        return False
    rows = [
        (first, second)
        for first, second in pairwise(tokens)
        if first.text.isdigit() and second.text.isdigit()
    ]
    if not rows:
        return True
    return len(probe.needle) >= JOINED_FROM and all(
        runs_on(text, first, second) for first, second in rows
    )
