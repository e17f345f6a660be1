"""Search texts for secrets: every way of looking, over the text and what is decoded from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.leaks.documents import Document
from tierwise.leaks.findings import Coverage, Examination, Finding
from tierwise.leaks.folding import Folding
from tierwise.leaks.forms import forms_of
from tierwise.leaks.probes import (
    exact_hits,
    exact_probe,
    shape_hits,
    shape_probe,
    squashed_hits,
    squashed_probe,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.leaks.probes import Hit
    from tierwise.leaks.secret import Secret


class Detector:
    """Secrets made ready once, to be looked for in many texts."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._folding = Folding()
        self._forms = forms_of(secrets, self._folding)
        self._ways = tuple(
            (hits, probe)
            for make, hits in (
                (exact_probe, exact_hits),
                (squashed_probe, squashed_hits),
                (shape_probe, shape_hits),
            )
            for form in self._forms
            if (probe := make(form, self._folding)) is not None
        )

    def examine(self, text: str) -> Examination:
        """Return every finding in the text, with what was looked at."""
        if not isinstance(text, str):
            raise MisuseError(
                f"The text to examine is {text!r}, of type {type(text).__name__}; expected a str. "
                f"A missing reply is no clean reply: leave it out, or score it as an error.",
            )
        document = Document.of(text, self._folding)
        ledger = _Ledger()
        for hits, probe in self._ways:
            for hit in hits(document, probe):
                ledger.add(document, hit)
        return Examination(
            findings=tuple(ledger.findings),
            coverage=Coverage(characters=len(text)),
        )


class _Ledger:
    """Findings in the order of the ladder, one for each place and secret."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._taken: dict[int, list[tuple[int, int]]] = {}

    def add(self, document: Document, hit: Hit) -> None:
        span, chain = document.trace(hit.start, hit.end)
        taken = self._taken.setdefault(hit.form.secret, [])
        if any(span[0] < end and start < span[1] for start, end in taken):
            return
        taken.append(span)
        chain = (*chain, hit.method)
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


def find_all_leaks(text: str, secrets: Iterable[Secret]) -> tuple[Finding, ...]:
    """Return every way in which the text gives any of the secrets away."""
    return Detector(secrets).examine(text).findings


def find_leaks(text: str, secret: Secret) -> tuple[Finding, ...]:
    """Return every way in which the text gives the secret away, the plainest first.

    A finding is a verdict; no finding is none: see `blind_spots` for what cannot be seen.
    """
    return find_all_leaks(text, (secret,))
