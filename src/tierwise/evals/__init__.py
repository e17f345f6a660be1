"""Plan, trials, scores, verdict: a claim about a model is measured and judged."""

from typing import TYPE_CHECKING

from tierwise._loading import load_from

if TYPE_CHECKING:
    from tierwise.evals.budget import Budget as Budget
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
        must_refute as must_refute,
    )
    from tierwise.evals.expecting_means import (
        mean_between as mean_between,
        no_worse_than as no_worse_than,
    )
    from tierwise.evals.expecting_rates import (
        at_least as at_least,
        at_most as at_most,
        never as never,
        share as share,
    )
    from tierwise.evals.expecting_tries import (
        pass_at_k as pass_at_k,
        pass_hat_k as pass_hat_k,
    )
    from tierwise.evals.sensitivity import Sensitivity as Sensitivity
    from tierwise.evals.stopping_rules import (
        StoppingRule as StoppingRule,
        anytime as anytime,
        sprt as sprt,
    )
    from tierwise.evals.trial import Trial as Trial

__all__ = [
    "Budget",
    "CaseList",
    "Control",
    "EvalDeclaration",
    "Expectation",
    "Sensitivity",
    "StoppingRule",
    "Trial",
    "anytime",
    "at_least",
    "at_most",
    "declaration_of",
    "evaluate",
    "load_cases",
    "mean_between",
    "must_refute",
    "never",
    "no_worse_than",
    "pass_at_k",
    "pass_hat_k",
    "positive_control",
    "share",
    "sprt",
]

_HOMES = {
    "Budget": "budget",
    "CaseList": "case_list",
    "Control": "declaration",
    "EvalDeclaration": "declaration",
    "Expectation": "expectations",
    "Sensitivity": "sensitivity",
    "StoppingRule": "stopping_rules",
    "Trial": "trial",
    "anytime": "stopping_rules",
    "at_least": "expecting_rates",
    "at_most": "expecting_rates",
    "declaration_of": "declaration",
    "evaluate": "declaration",
    "load_cases": "case_files",
    "mean_between": "expecting_means",
    "must_refute": "expectations",
    "never": "expecting_rates",
    "no_worse_than": "expecting_means",
    "pass_at_k": "expecting_tries",
    "pass_hat_k": "expecting_tries",
    "positive_control": "declaration",
    "share": "expecting_rates",
    "sprt": "stopping_rules",
}

if not TYPE_CHECKING:
    __getattr__ = load_from(__name__, _HOMES)
