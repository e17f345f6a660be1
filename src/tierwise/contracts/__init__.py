"""One suite, every implementation: contracts, parity, interactions, and the one of providers."""

from tierwise.contracts.comparing import (
    Difference as Difference,
    Matcher as Matcher,
    Rule as Rule,
    anything as anything,
    matching as matching,
    same_type as same_type,
)
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
from tierwise.contracts.parity_suite import parity as parity
from tierwise.contracts.provider_contract import ProviderContract as ProviderContract
from tierwise.contracts.recording import record_interactions as record_interactions
from tierwise.contracts.replaying import (
    InteractionReport as InteractionReport,
    ScenarioResult as ScenarioResult,
    verify_interactions as verify_interactions,
)
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
    "Difference",
    "Implementation",
    "InteractionReport",
    "Matcher",
    "ProviderContract",
    "ProviderSubject",
    "Rule",
    "ScenarioResult",
    "UnobservableError",
    "anything",
    "double_subjects",
    "in_loop",
    "list_clauses",
    "matching",
    "parity",
    "record_interactions",
    "require",
    "run_contract",
    "same_type",
    "unobservable",
    "verify_interactions",
]
