"""Search texts for secrets: every way of looking, over the text and what is decoded from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tierwise.errors import MisuseError
from tierwise.leaks.budget import Budget
from tierwise.leaks.decoders import decode
from tierwise.leaks.documents import Document
from tierwise.leaks.findings import Coverage, Examination, Finding
from tierwise.leaks.forms import forms_of
from tierwise.leaks.ladder import build_ladder
from tierwise.leaks.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.leaks.probes import Hit
    from tierwise.leaks.secret import Secret

DEPTH = 2
"""How many encodings may lie one in another."""
MOST_PLACES = 50
"""Places of one secret after which the rest is not listed."""


class Detector:
    """Secrets made ready once, to be looked for in many texts."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._reading = Reading()
        self._ladder = build_ladder(forms_of(_checked(secrets), self._reading), self._reading)

    def examine(self, text: str) -> Examination:
        """Return every finding in the text, with what was looked at."""
        if not isinstance(text, str):
            raise MisuseError(
                f"The text to examine is {text!r}, of type {type(text).__name__}; expected a str. "
                f"A missing reply is no clean reply: leave it out, or score it as an error.",
            )
        budget, ledger = Budget(len(text)), _Ledger()
        root = document = Document.of(text, self._reading)
        for depth in range(DEPTH + 1):
            for hit in self._ladder.hits(document):
                ledger.add(document, hit)
            segments = decode(document.text, budget) if depth < DEPTH else []
            if not segments:
                break
            document = document.decoded(segments)
        for hit in self._ladder.acrostic_hits(root):
            ledger.add(root, hit)
        return Examination(
            findings=tuple(ledger.findings),
            coverage=Coverage(
                characters=len(text),
                decoded_characters=budget.used,
                cut=(*budget.cut, *ledger.cut),
            ),
        )


def _checked(secrets: Iterable[object]) -> tuple[Secret, ...]:
    """Refuse what is no secret; a bare text would be taken letter by letter."""
    if isinstance(secrets, str):
        raise MisuseError(f"Expected secrets, found the text {secrets!r}: write [Secret(...)].")
    given = tuple(secrets)
    for secret in given:
        if isinstance(secret, str) or not hasattr(secret, "forms"):
            raise MisuseError(
                f"Expected a Secret, found {secret!r}, of type {type(secret).__name__}: write "
                f"Secret({secret!r}).",
            )
    return cast("tuple[Secret, ...]", given)


class _Ledger:
    """Findings in the order of the ladder, one for each place and secret."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._taken: dict[int, list[tuple[int, int]]] = {}
        self._full: dict[str, None] = {}

    def add(self, document: Document, hit: Hit) -> None:
        """Keep a hit, unless a plainer way has found the secret there."""
        taken = self._taken.setdefault(hit.form.secret, [])
        if len(taken) >= MOST_PLACES:
            self._full[hit.form.label] = None
            return
        span, chain = document.trace(hit.start, hit.end)
        if any(span[0] < end and start < span[1] for start, end in taken):
            return
        taken.append(span)
        chain = (*chain, *hit.methods)
        self.findings.append(
            Finding(
                secret=hit.form.label,
                method=chain[0],
                span=span,
                decoded=hit.decoded,
                chain=chain,
                form=hit.form.value,
            ),
        )

    @property
    def cut(self) -> tuple[str, ...]:
        """Return which secrets stand in more places than are listed."""
        return tuple(
            f"{label} stands in more than {MOST_PLACES} places; the rest is not listed"
            for label in self._full
        )


def find_all_leaks(text: str, secrets: Iterable[Secret]) -> tuple[Finding, ...]:
    """Return every way in which the text gives any of the secrets away."""
    return Detector(secrets).examine(text).findings


def find_leaks(text: str, secret: Secret) -> tuple[Finding, ...]:
    """Return every way in which the text gives the secret away, the plainest first.

    A finding is a verdict; no finding is none: see `blind_spots` for what cannot be seen.
    """
    return find_all_leaks(text, (secret,))
