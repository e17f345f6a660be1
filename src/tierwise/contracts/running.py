"""Run a contract's clauses on implementations, without pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.contracts.contract import UnobservableError, list_clauses, runs_in_loop
from tierwise.contracts.implementation import (
    Implementation,
    is_made_in_loop,
    list_arguments,
    list_implementations,
    opened,
    why_not_here,
)
from tierwise.contracts.report import ClauseResult, ContractReport
from tierwise.domain import Outcome
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from tierwise.contracts.contract import Contract
    from tierwise.contracts.implementation import Implementations


def run_contract(
    contract: type[Contract], implementations: Implementations | None = None
) -> ContractReport:
    """Run every clause on every implementation, the contract's own ones unless others are given.

    A broken clause is `failed`, an exception of another kind is `error`, a clause that can't be
    tried is `unobservable`. Nothing to run raises `MisuseError`. Call it outside event loops.
    """
    given = contract.implementations if implementations is None else implementations
    subjects = list_implementations(given, contract.__name__)
    clauses = list_clauses(contract)
    if not subjects or not clauses:
        missing = "implementations" if clauses else "clauses (methods named test_*)"
        raise MisuseError(f"{contract.__name__} has no {missing}: nothing would be checked.")
    for subject in subjects:
        _refuse_arguments(contract, subject)
    return ContractReport(
        contract=contract.__name__,
        results=tuple(
            _try_clause(contract, clause, subject) for clause in clauses for subject in subjects
        ),
    )


def check_can_be_made(implementation: Implementation, clause: object, name: str) -> None:
    """Raise MisuseError for a thing that is made in an event loop and a clause without one."""
    if is_made_in_loop(implementation) and not runs_in_loop(clause):
        raise MisuseError(
            f"{implementation.name!r} is made by a coroutine, and {name} is an ordinary function, "
            f"which has no event loop. Write it as a coroutine: async def {name}(...)."
        )


def _try_clause(contract: type[Contract], clause: str, subject: Implementation) -> ClauseResult:
    outcome, message = Outcome.PASSED, ""
    try:
        reason = why_not_here(subject)
        if reason is not None:
            raise UnobservableError(reason)  # noqa: TRY301  one place tells outcomes apart
        _run(contract, clause, subject)
    except AssertionError as error:
        outcome, message = Outcome.FAILED, str(error)
    except UnobservableError as error:
        outcome, message = Outcome.UNOBSERVABLE, str(error)
    except MisuseError:
        raise
    except Exception as error:  # noqa: BLE001  whatever it is, the matrix has to tell it
        outcome, message = Outcome.ERROR, f"{type(error).__name__}: {error}"
    return ClauseResult(
        clause=clause, implementation=subject.name, outcome=outcome, message=message
    )


def _run(contract: type[Contract], clause: str, subject: Implementation) -> None:
    bound = getattr(contract(), clause)
    check_can_be_made(subject, bound, clause)
    with opened(subject, {}) as made:
        bound(made)


def _refuse_arguments(contract: type[Contract], subject: Implementation) -> None:
    wanted = list_arguments(subject)
    if wanted:
        raise MisuseError(
            f"{contract.__name__}: making {subject.name!r} takes {', '.join(wanted)}, which only "
            "pytest can supply, as fixtures. Run the contract under pytest, or make it without."
        )
