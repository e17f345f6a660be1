"""The tables of every comparison, made once for a detector so that nothing is shared."""

from __future__ import annotations

from tierwise.leaks.folding import FoldTable, leet_char, shape_char, squash_char
from tierwise.leaks.tokens import Tokenizer


class Reading:
    """The three foldings and the tokenizer."""

    def __init__(self) -> None:
        self.squash = FoldTable(squash_char)
        self.shape = FoldTable(shape_char)
        self.leet = FoldTable(leet_char)
        self.tokenizer = Tokenizer(self.squash)
