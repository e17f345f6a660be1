"""A contract clause by clause: one line a clause, one cell an implementation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.contracts.standing import title_of

if TYPE_CHECKING:
    from tierwise.contracts.cells import Cell
    from tierwise.report.html.values import ContractPart


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseLine:
    """One clause on each implementation; None where it is not tried on one."""

    title: str
    cells: tuple[Cell | None, ...]


def clauses_of(part: ContractPart) -> tuple[ClauseLine, ...]:
    """Return the matrix of a contract in the order in which its clauses were declared."""
    by_side = [{cell.clause: cell for cell in one.side.cells} for one in part.standings]
    return tuple(
        ClauseLine(title=title_of(clause), cells=tuple(cells.get(clause) for cells in by_side))
        for clause in dict.fromkeys(clause for cells in by_side for clause in cells)
    )
