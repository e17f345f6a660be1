"""When an eval may end before its plan is done: declared before its first trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.expectations import is_number
from tierwise.evals.keywords import refuse_wrong_arguments
from tierwise.evals.promises import RateLimit
from tierwise.stats import Population

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.expectations import Expectation

StoppingKind = Literal["curtailed", "fixed", "sprt", "anytime"]

_BY_NAME = ("curtailed", "fixed")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingRule:
    """How an eval may end early; part of its plan."""

    kind: StoppingKind = "curtailed"
    margin: float | None = None
    """Of `sprt`: how far from the limit a rate has to be for the test to end soon."""
    prior: tuple[float, float] | None = None
    """Of `anytime`: the Beta mixture."""

    @property
    def is_anytime_valid(self) -> bool:
        """Do verdicts hold however often one looks, so that a plan may be extended?"""
        return self.kind in ("sprt", "anytime")

    def __str__(self) -> str:
        """Return the rule as it is declared."""
        if self.kind == "sprt":
            return f"sprt(margin={self.margin})"
        if self.kind == "anytime":
            return f"anytime(prior={self.prior})"
        return self.kind


CURTAILED = StoppingRule()
"""The default: end once no trial that is left can change any verdict."""
FIXED = StoppingRule(kind="fixed")
"""Run every trial of the plan, whatever the first ones show."""


@refuse_wrong_arguments
def sprt(*, margin: float) -> StoppingRule:
    """End by Wald's sequential test: soon where the rate is `margin` or more from its limit.

    Each promise is tested both ways, its limit against `margin` better and against `margin` worse.
    It errs with probability 1 - confidence at most in either, at any number of looks, and is
    undecided when the plan ends before one of the tests does. It looks after each round of all
    cases. For promises about the rate of these cases.
    """
    given: object = margin
    if not is_number(given) or not 0 < margin < 1:
        raise EvalUsageError(
            f"sprt(margin={margin!r}): expected a share between 0 and 1, such as 0.05: how far "
            "from its limit a rate has to be for the test to end soon."
        )
    return StoppingRule(kind="sprt", margin=float(margin))


@refuse_wrong_arguments
def anytime(*, prior: tuple[float, float] = (1.0, 1.0)) -> StoppingRule:
    """End as soon as a confidence sequence settles every promise; it holds under any peeking.

    `prior` is its Beta mixture: (1, 1) for any rate, (1, 99) sharper near 0.01. It costs more
    trials than a fixed plan where the rate is near the limit, and may be extended at will. It
    looks after each round of all cases. For promises about the rate of these cases.
    """
    given: object = prior
    is_pair = isinstance(given, tuple | list) and len(given) == 2  # noqa: PLR2004  a Beta has two
    if not is_pair or not all(is_number(part) and part > 0 for part in prior):
        raise EvalUsageError(
            f"anytime(prior={prior!r}): expected two numbers above 0, such as (1, 1)."
        )
    return StoppingRule(kind="anytime", prior=(float(prior[0]), float(prior[1])))


def require_rule(stop: object, expectations: Sequence[Expectation]) -> StoppingRule:
    """Return the rule that `evaluate(stop=...)` was given, if the expectations allow it."""
    rule = _find_rule(stop)
    if rule.is_anytime_valid:
        for entry in expectations:
            _require_sequential(rule, entry)
    return rule


def _find_rule(stop: object) -> StoppingRule:
    if isinstance(stop, StoppingRule):
        return stop
    for rule in (CURTAILED, FIXED):
        if stop == rule.kind:
            return rule
    raise EvalUsageError(
        f"stop={stop!r}: expected 'curtailed', 'fixed', sprt(margin=...) or anytime()."
        f"{suggest(str(stop), _BY_NAME)}"
    )


def _require_sequential(rule: StoppingRule, expectation: Expectation) -> None:
    promise = expectation.promise
    if not isinstance(promise, RateLimit):
        raise EvalUsageError(
            f"stop={rule} judges rates, and expect holds {expectation.kind}"
            f"({expectation.metric!r}). Use stop='curtailed', or an eval of its own for it."
        )
    if expectation.population is not Population.THESE_CASES:
        raise EvalUsageError(
            f"stop={rule} judges the rate of these cases, and {expectation} is about cases like "
            "these, of which more trials show little. Use stop='curtailed'."
        )
    away = rule.margin or 0.0
    if promise.kind != "never" and not away < promise.limit < 1 - away:
        raise EvalUsageError(
            f"stop={rule}: {expectation} leaves less room than the margin between its limit and "
            f"0 or 1. Use a margin below {min(promise.limit, 1 - promise.limit):.4g}."
        )
