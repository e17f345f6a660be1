"""One suite, every implementation: contracts, and the ready-made one of providers."""

from tierwise.contracts.contract import (
    BrokenClauseError as BrokenClauseError,
    Contract as Contract,
    UnobservableError as UnobservableError,
    in_loop as in_loop,
    list_clauses as list_clauses,
    require as require,
    unobservable as unobservable,
)
from tierwise.contracts.implementation import Implementation as Implementation
from tierwise.contracts.parity import parity as parity
from tierwise.contracts.provider_contract import ProviderContract as ProviderContract
from tierwise.contracts.report import (
    ClauseResult as ClauseResult,
    ContractReport as ContractReport,
)
from tierwise.contracts.running import run_contract as run_contract
from tierwise.contracts.subjects import (
    ProviderSubject as ProviderSubject,
    double_subjects as double_subjects,
)

__all__ = [
    "BrokenClauseError",
    "ClauseResult",
    "Contract",
    "ContractReport",
    "Implementation",
    "ProviderContract",
    "ProviderSubject",
    "UnobservableError",
    "double_subjects",
    "in_loop",
    "list_clauses",
    "parity",
    "require",
    "run_contract",
    "unobservable",
]
