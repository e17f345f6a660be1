"""When an eval may end before its plan is done: declared before its first trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.keywords import refuse_wrong_arguments

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


@refuse_wrong_arguments
def sprt(*, margin: float) -> StoppingRule:
    """End by Wald's sequential test, undecided at the end of the plan."""
    return StoppingRule(kind="sprt", margin=margin)


@refuse_wrong_arguments
def anytime(*, prior: tuple[float, float] = (1.0, 1.0)) -> StoppingRule:
    """End as soon as a confidence sequence settles every promise."""
    return StoppingRule(kind="anytime", prior=prior)


def require_rule(stop: object) -> StoppingRule:
    """Return the rule that `evaluate(stop=...)` was given."""
    if isinstance(stop, StoppingRule):
        return stop
    if stop == "curtailed":
        return CURTAILED
    if stop == "fixed":
        return StoppingRule(kind="fixed")
    hint = suggest(str(stop), _BY_NAME)
    raise EvalUsageError(
        f"stop={stop!r}: expected 'curtailed', 'fixed', sprt(margin=...) or anytime().{hint}"
    )
