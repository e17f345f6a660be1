"""The matrix of a contract, put together from what the run store has kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.domain import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.records import DeclaredContract, DeclaredSide, KeptClause

_WORST_FIRST = (
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.NOT_RUN,
    Outcome.UNOBSERVABLE,
    Outcome.PASSED,
)
_OBSERVED = frozenset({Outcome.PASSED, Outcome.FAILED, Outcome.ERROR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What is known of one clause on one implementation, and since which run."""

    clause: str
    outcome: Outcome = Outcome.NOT_RUN
    reason: str = ""
    run_id: str = ""
    started_at: str = ""
    commit: str = ""
    code_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One implementation with all clauses that one place tries on it."""

    name: str
    is_real: bool
    double_of: str | None
    cells: tuple[Cell, ...]

    def select(self, outcome: Outcome) -> tuple[Cell, ...]:
        """Return the cells with one outcome."""
        return tuple(cell for cell in self.cells if cell.outcome is outcome)


def fill_sides(
    declared: Iterable[DeclaredContract], kept: Sequence[KeptClause]
) -> dict[str, tuple[Side, ...]]:
    """Return the sides of each contract, clauses that were never tried among their cells."""
    by_place: dict[tuple[str, str], list[KeptClause]] = {}
    for row in kept:
        by_place.setdefault((row.key.contract, row.key.declared_by), []).append(row)
    sides: dict[str, dict[DeclaredSide, Side]] = {}
    for one in declared:
        rows = by_place.get((one.contract, one.declared_by), [])
        known = sides.setdefault(one.contract, {})
        for declared_side in one.implementations:
            side = _fill(declared_side, one.clauses, rows)
            known[declared_side] = _merge(known.get(declared_side, side), side)
    return {contract: tuple(found.values()) for contract, found in sides.items()}


def _merge(one: Side, other: Side) -> Side:
    """Return one side of two places: of each clause the worse cell, of equal ones the older."""
    cells: dict[str, Cell] = {}
    for cell in (*one.cells, *other.cells):
        cells[cell.clause] = min(cells.get(cell.clause, cell), cell, key=_rank)
    return replace(one, cells=tuple(cells.values()))


def _rank(cell: Cell) -> tuple[int, str]:
    return _WORST_FIRST.index(cell.outcome), cell.started_at


def _fill(side: DeclaredSide, clauses: Sequence[str], rows: Sequence[KeptClause]) -> Side:
    mine = [row for row in rows if row.key.implementation == side.name]
    cells = tuple(
        _read([row for row in mine if row.key.clause == clause], clause, is_real=side.is_real)
        for clause in clauses
    )
    return Side(name=side.name, is_real=side.is_real, double_of=side.double_of, cells=cells)


def _read(rows: Sequence[KeptClause], clause: str, *, is_real: bool) -> Cell:
    """Return the cell: the worst of its tests in the run that tried it last.

    What was seen of the real thing stands, with its date, when a later run could not reach it.
    """
    observed = [row for row in rows if row.outcome in _OBSERVED] if is_real else []
    told = observed or rows
    if not told:
        return Cell(clause=clause, reason="it never ran")
    last = max(told, key=lambda row: (row.started_at, row.run_id)).run_id
    row = min(
        (row for row in told if row.run_id == last),
        key=lambda row: _WORST_FIRST.index(row.outcome),
    )
    return Cell(
        clause=clause,
        outcome=row.outcome,
        reason=row.reason,
        run_id=row.run_id,
        started_at=row.started_at,
        commit=row.commit,
        code_hash=row.code_hash,
    )
