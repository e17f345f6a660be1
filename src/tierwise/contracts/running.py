"""Run a contract's clauses on implementations, without pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.contracts.contract import UnobservableError, list_clauses
from tierwise.contracts.report import ClauseResult, ContractReport
from tierwise.domain import Outcome
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.contracts.contract import Contract


def run_contract(
    contract: type[Contract], implementations: Mapping[str, Any] | None = None
) -> ContractReport:
    """Run every clause on every implementation, the contract's own ones unless others are given.

    A broken clause is `failed`, an exception of another kind is `error`, a clause that can't be
    tried is `unobservable`. Nothing to run raises `MisuseError`. Call it outside event loops.
    """
    subjects = contract.implementations if implementations is None else implementations
    clauses = list_clauses(contract)
    if not subjects or not clauses:
        missing = "implementations" if clauses else "clauses (methods named test_*)"
        raise MisuseError(f"{contract.__name__} has no {missing}: nothing would be checked.")
    return ContractReport(
        contract=contract.__name__,
        results=tuple(
            _try_clause(contract, clause, name, subject)
            for clause in clauses
            for name, subject in subjects.items()
        ),
    )


def _try_clause(contract: type[Contract], clause: str, name: str, subject: object) -> ClauseResult:
    outcome, message = Outcome.PASSED, ""
    try:
        getattr(contract(), clause)(subject)
    except AssertionError as error:
        outcome, message = Outcome.FAILED, str(error)
    except UnobservableError as error:
        outcome, message = Outcome.UNOBSERVABLE, str(error)
    except Exception as error:  # noqa: BLE001  whatever it is, the matrix has to tell it
        outcome, message = Outcome.ERROR, f"{type(error).__name__}: {error}"
    return ClauseResult(clause=clause, implementation=name, outcome=outcome, message=message)
