"""Of guards, gates and known gaps: what they came to, in the words of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.report.html.values import GapLine, ProofLine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.records.proof_rows import KeptGapRow, KeptGate, KeptGuard

_OLD = "on another state of the code"


def list_guards(guards: Iterable[KeptGuard], code_hash: str) -> tuple[ProofLine, ...]:
    """Return each guard with what it guards, and whether its sabotage turned it red."""
    return tuple(
        ProofLine(
            name=guard.row.nodeid,
            state=str(guard.row.verdict),
            detail=_join(
                guard.row.behaviour,
                f"broken by {guard.row.sabotage}" if guard.row.sabotage else "",
                guard.row.reason,
                _age(guard.code_hash, code_hash),
            ),
        )
        for guard in guards
    )


def list_gates(gates: Iterable[KeptGate], code_hash: str) -> tuple[ProofLine, ...]:
    """Return each gate with its latest decision."""
    return tuple(
        ProofLine(
            name=gate.row.gate,
            state=str(gate.row.decision),
            detail=_join(gate.row.reason, _age(gate.code_hash, code_hash)),
        )
        for gate in gates
    )


def list_gaps(gaps: Iterable[KeptGapRow]) -> tuple[GapLine, ...]:
    """Return the known gaps; those that are over come first, since they ask for something."""
    lines = [
        GapLine(
            nodeid=kept.nodeid,
            reason=kept.gap.reason,
            ticket=kept.gap.ticket,
            is_over=kept.gap.is_over,
        )
        for kept in gaps
    ]
    return tuple(sorted(lines, key=lambda line: not line.is_over))


def _age(code_hash: str, now: str) -> str:
    return "" if code_hash and code_hash == now else _OLD


def _join(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
