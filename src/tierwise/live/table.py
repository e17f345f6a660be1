"""The table of verdicts: bugs are looked for first, then moves of the vendor, then statuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from tierwise.errors import MisuseError
from tierwise.live.known_signatures import BUGS, MOVES, STATUSES
from tierwise.live.observing import observe
from tierwise.live.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.live.observed import Observed
    from tierwise.live.signature import Signature


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorVerdict:
    """Where a subject stands, why, and what was seen."""

    standing: Standing
    reason: str
    signature: str
    """The row of the table that fitted; empty where none did."""
    observed: Observed

    def __str__(self) -> str:
        """Return one line: `retired: the vendor has retired it (410 modeldeprecated: ...)`."""
        return f"{self.standing}: {self.reason} ({self.observed})"


class VerdictTable:
    """Signatures in the order in which they are tried; the first that fits decides.

    Whatever the order given, an exact signature of a fault of ours is tried before every other
    one, and one that reads a status alone after all exact ones: an excuse must not hide a bug,
    nor a status what the body says of it.
    """

    def __init__(self, signatures: Iterable[Signature]) -> None:
        given = tuple(signatures)
        names = [signature.name for signature in given]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise MisuseError(f"Signatures have one name each; twice there: {sorted(twice)}.")
        self.signatures: tuple[Signature, ...] = tuple(sorted(given, key=_rank))
        """All rows, in the order in which they are tried."""

    @classmethod
    def known(cls) -> Self:
        """Return the table of what vendors' answers are known to look like."""
        return cls((*BUGS, *MOVES, *STATUSES))

    def extended(self, *signatures: Signature) -> VerdictTable:
        """Return the table with rows of one's own, tried before the others of their kind.

        A row takes the place of the one that has its name.
        """
        names = {signature.name for signature in signatures}
        kept = (row for row in self.signatures if row.name not in names)
        return VerdictTable((*signatures, *kept))

    def judge(self, answer: object, *, sent_key: bool | None = None) -> VendorVerdict:
        """Return where the subject of an answer stands; `answer` is whatever `observe` reads."""
        observed = observe(answer, sent_key=sent_key)
        for row in self.signatures:
            if row.fits(observed):
                return VendorVerdict(
                    standing=row.standing,
                    reason=row.reason,
                    signature=row.name,
                    observed=observed,
                )
        return VendorVerdict(
            standing=Standing.UNKNOWN,
            reason="no signature of the table fits",
            signature="",
            observed=observed,
        )


def _rank(signature: Signature) -> int:
    if not signature.is_exact:
        return 2
    return 0 if signature.standing is Standing.OUR_FAULT else 1
