"""Promises about how often something happens: never, at least, at most, the share of a text."""

from __future__ import annotations

from tierwise.errors import EvalUsageError
from tierwise.evals.expectations import Expectation, expect, require_share, say_call
from tierwise.evals.keywords import refuse_wrong_arguments
from tierwise.evals.promises import RateKind, RateLimit
from tierwise.evals.sensitivity import Sensitivity
from tierwise.stats import Population


@refuse_wrong_arguments
def never(
    metric: str,
    *,
    below: float | None = None,
    detector: Sensitivity | None = None,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the metric is never True, and that its rate is below `below`.

    One occurrence refutes. Without one the promise is proven when the exact one-sided upper bound
    on the rate lies under `below`, and undecided otherwise: no number of clean trials proves
    "never", so the limit has to be named.

    `detector` says how much a judge that can miss an occurrence was seen to catch. Half of the
    error is then spent on its sensitivity and half on the clean trials, so that both bounds hold
    together, and the bound on what was seen is widened to one on what is there.
    """
    what = say_call("never", metric)
    if below is None:
        raise EvalUsageError(
            f"{what} names no limit. No number of clean trials proves a rate of zero: "
            f'say what it has to stay under, such as never("{metric}", below=0.05), which 59 '
            "clean trials prove at 95 %."
        )
    given: object = detector
    if given is not None and not isinstance(given, Sensitivity):
        raise EvalUsageError(
            f"{what}: detector={given!r}; expected Sensitivity(n_caught=..., n_true=...): how "
            "many of so many known occurrences it caught."
        )
    return expect(
        metric,
        RateLimit(kind="never", limit=require_share(what, "the limit", below), detector=detector),
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )


@refuse_wrong_arguments
def at_least(
    metric: str,
    p: float,
    *,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the metric is True at a rate of at least `p`.

    Proven when the one-sided lower bound reaches `p`, refuted when the upper bound stays under
    it, undecided otherwise.
    """
    promise = RateLimit(
        kind="at_least", limit=require_share(say_call("at_least", metric), "the limit", p)
    )
    return expect(
        metric,
        promise,
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )


@refuse_wrong_arguments
def at_most(
    metric: str,
    p: float,
    *,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the metric is True at a rate of at most `p`; the mirror of `at_least`."""
    promise = RateLimit(
        kind="at_most", limit=require_share(say_call("at_most", metric), "the limit", p)
    )
    return expect(
        metric,
        promise,
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )


@refuse_wrong_arguments
def share(
    metric: str,
    value: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise how often a metric that is a text, a category, has this value.

    Judged as the rate of a claim is by `at_least` or `at_most`, of which one has to be given.
    """
    what = f"share({metric!r}, {value!r})"
    given: object = value
    if not isinstance(given, str) or not given:
        raise EvalUsageError(f"{what}: expected the text to count, such as 'polite'.")
    if (at_least is None) == (at_most is None):
        raise EvalUsageError(
            f"{what}: expected one of at_least=... and at_most=..., such as at_least=0.9. A share "
            "within two limits is two expectations."
        )
    kind: RateKind = "at_most" if at_least is None else "at_least"
    limit = at_most if at_least is None else at_least
    return expect(
        metric,
        RateLimit(kind=kind, limit=require_share(what, kind, limit or 0.0), value=value),
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )
