"""What the matrix of contracts asks of the run store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.records.contract_rows import DeclaredContract, DeclaredSide, KeptClause
from tierwise.records.run_rows import ClauseKey

if TYPE_CHECKING:
    import sqlite3


def declared_contracts(connection: sqlite3.Connection) -> tuple[DeclaredContract, ...]:
    """Return the last declaration of each contract at each place, oldest first."""
    return tuple(
        DeclaredContract(
            contract=found["contract"],
            declared_by=found["declared_by"],
            clauses=tuple(json.loads(found["clauses"])),
            implementations=tuple(
                DeclaredSide(**side) for side in json.loads(found["implementations"])
            ),
        )
        for found in connection.execute(_DECLARED)
    )


def kept_clauses(connection: sqlite3.Connection) -> tuple[KeptClause, ...]:
    """Return the last result of each test of a clause, and the last that told something."""
    return tuple(_kept(found) for found in connection.execute(_KEPT))


def _kept(found: sqlite3.Row) -> KeptClause:
    return KeptClause(
        key=ClauseKey(
            contract=found["contract"],
            declared_by=found["declared_by"],
            clause=found["clause"],
            implementation=found["implementation"],
        ),
        nodeid=found["nodeid"],
        outcome=Outcome(found["outcome"]),
        reason=found["reason"],
        run_id=found["run_id"],
        started_at=found["started_at"],
        commit=found["commit_hash"],
        code_hash=found["code_hash"],
    )


_DECLARED = """SELECT * FROM contracts
    WHERE seq IN (SELECT max(seq) FROM contracts GROUP BY contract, declared_by) ORDER BY seq"""
_CELL = "GROUP BY contract, implementation, clause, nodeid"
_KEPT = f"""SELECT clauses.*, runs.started_at, runs.commit_hash, runs.code_hash
    FROM clauses JOIN runs ON runs.run_id = clauses.run_id
    WHERE clauses.seq IN (SELECT max(seq) FROM clauses {_CELL})
    OR clauses.seq IN (SELECT max(seq) FROM clauses
        WHERE outcome IN ('passed', 'failed', 'error') {_CELL})
    ORDER BY clauses.seq"""  # noqa: S608  words of ours
