"""Plan, trials, scores, verdict: a claim about a model is measured and judged."""

from tierwise.evals.case_files import load_cases as load_cases
from tierwise.evals.case_list import CaseList as CaseList
from tierwise.evals.declaration import (
    Control as Control,
    EvalDeclaration as EvalDeclaration,
    declaration_of as declaration_of,
    evaluate as evaluate,
    positive_control as positive_control,
)
from tierwise.evals.expectations import (
    Expectation as Expectation,
    at_least as at_least,
    at_most as at_most,
    must_refute as must_refute,
    never as never,
)
from tierwise.evals.trial import Trial as Trial

__all__ = [
    "CaseList",
    "Control",
    "EvalDeclaration",
    "Expectation",
    "Trial",
    "at_least",
    "at_most",
    "declaration_of",
    "evaluate",
    "load_cases",
    "must_refute",
    "never",
    "positive_control",
]
