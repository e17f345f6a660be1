"""What the run store keeps of contracts, as frozen rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.domain import Outcome
    from tierwise.records.run_rows import ClauseKey


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredSide:
    """One implementation that a contract is tried on."""

    name: str
    is_real: bool = False
    double_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredContract:
    """A contract as one class, or one module, tries it: every clause on every side."""

    contract: str
    declared_by: str
    clauses: tuple[str, ...]
    implementations: tuple[DeclaredSide, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptClause:
    """One result of one clause on one implementation, with what its run says of itself."""

    key: ClauseKey
    nodeid: str
    outcome: Outcome
    reason: str
    run_id: str
    started_at: str
    commit: str
    code_hash: str
