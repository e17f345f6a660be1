"""Promises about several tries of one case: one of them passes, or all do."""

from __future__ import annotations

from tierwise.errors import EvalUsageError
from tierwise.evals.expectations import Expectation, expect, require_share, say_call
from tierwise.evals.keywords import refuse_wrong_arguments
from tierwise.evals.promises import TriesKind, TriesLimit
from tierwise.stats import Population

_FEWEST = 2


@refuse_wrong_arguments
def pass_hat_k(
    metric: str,
    k: int,
    *,
    at_least: float,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that all of k tries of a case pass, in at least this share of cases on average.

    From the unbiased estimate of each case, which needs at least k trials of it.
    """
    return expect(
        metric,
        _promise("pass_hat_k", metric, k, at_least),
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )


@refuse_wrong_arguments
def pass_at_k(
    metric: str,
    k: int,
    *,
    at_least: float,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that at least one of k tries of a case passes, in this share of cases on average.

    From the unbiased estimate of each case, which needs at least k trials of it. It says what
    can be had by trying again; for what can be relied on ask `pass_hat_k`.
    """
    return expect(
        metric,
        _promise("pass_at_k", metric, k, at_least),
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )


def _promise(kind: TriesKind, metric: str, k: int, limit: float) -> TriesLimit:
    what = say_call(kind, metric)
    given: object = k
    if not isinstance(given, int) or isinstance(given, bool) or given < _FEWEST:
        raise EvalUsageError(
            f"{what}: k is {given!r}; expected a whole number of at least {_FEWEST}. For a single "
            f"try write at_least({metric!r}, ...)."
        )
    return TriesLimit(kind=kind, k=given, limit=require_share(what, "at_least", limit))
