"""What was found in a text, and what was looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One place of a text that gives a secret away."""

    secret: str
    """The secret's label."""
    method: str
    """What had to be undone first, or how the secret stood there: the first link of `chain`."""
    span: tuple[int, int]
    """Where, as start and end in the text that was examined."""
    decoded: str
    """What stands there after the chain is undone."""
    chain: tuple[str, ...]
    """All that was undone, outermost first, ending with how the secret was recognised."""
    form: str
    """The value or alias that was recognised."""

    def __str__(self) -> str:
        """Return one line for a reader."""
        start, end = self.span
        way = " > ".join(self.chain)
        return f"{self.secret}: {self.decoded!r} at {start}..{end} ({way})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much was looked at; `cut` says in words what the cap on work left out."""

    characters: int
    decoded_characters: int = 0
    cut: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Say whether everything that the detector can see was looked at."""
        return not self.cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """The findings of one text, in the order of the ladder, with what they rest on."""

    findings: tuple[Finding, ...]
    coverage: Coverage
