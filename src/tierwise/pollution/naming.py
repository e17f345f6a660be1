"""Which piece of state the culprits leave changed, and which of them is the cause."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tierwise.pollution.endings import is_same
from tierwise.pollution.findings import Dependence, Finding, Leak, Proof

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.pollution.endings import Ended

_MOST_TRIED = 60
_ASKED = frozenset({Dependence.POLLUTED, Dependence.BRITTLE})


class Witness(Protocol):
    """Sees what tests leave changed, and can take a single change back."""

    def leaks_of(self, tests: Sequence[str], test: str) -> Sequence[Leak]:
        """Return what is different behind `tests`, the likeliest first, for `test`."""
        ...

    def run_restored(self, tests: Sequence[str], test: str, leak: Leak) -> Ended | None:
        """Return how `test` ends once a change is taken back, None where it cannot be."""
        ...


def name_leaks(witness: Witness, finding: Finding) -> Finding:
    """Return the finding with what the culprits leave changed, the proven cause first."""
    if finding.dependence not in _ASKED or finding.alone is None:
        return finding
    found = witness.leaks_of(finding.culprits, finding.test)
    confirmed: list[Leak] = []
    suspected: list[Leak] = []
    for number, leak in enumerate(found):
        ended = (
            witness.run_restored(finding.culprits, finding.test, leak)
            if number < _MOST_TRIED
            else None
        )
        if ended is not None and _is_as_alone(ended, finding.alone):
            confirmed.append(replace(leak, proof=Proof.CONFIRMED))
        elif ended is None:
            suspected.append(leak)
    # A change that was taken back and cured nothing is not the cause by itself.
    return replace(finding, leaks=tuple(confirmed or suspected or found))


def _is_as_alone(ended: Ended, alone: Ended) -> bool:
    # What is broken by taking something back fails too, but for another reason.
    return is_same(ended.ending, alone.ending) and ended.message == alone.message
