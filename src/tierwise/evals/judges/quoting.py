"""Does a text say what a judge quotes from it?"""

from __future__ import annotations

import re

from tierwise.evals.scorers.folding import ALL, fold

_LEFT_OUT = re.compile(r"\s*(?:\[\s*(?:\.\.\.|\u2026)\s*\]|\.\.\.|\u2026)\s*")


def has_quote(text: str, quote: str) -> bool:
    """Say whether the quote stands in the text, in this order where it leaves something out.

    Case, white space, punctuation and the form of characters make no difference, since judges
    tidy up what they copy. A quote without a letter or digit shows nothing.
    """
    parts = [fold(part, ALL) for part in _LEFT_OUT.split(quote)]
    folded = fold(text, ALL)
    position = 0
    for part in filter(None, parts):
        found = folded.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return any(parts)
