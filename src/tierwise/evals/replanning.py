"""How many trials a new plan would need where this one left an expectation undecided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.stats import (
    Population,
    Undetermined,
    trials_needed,
    trials_needed_at_least,
    trials_needed_less_than,
)

if TYPE_CHECKING:
    from tierwise.domain import Judgement
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.judging import Counts

_TOO_CLOSE = 0.02
"""Nearer to the limit than this the number runs into many thousands and helps nobody."""
_FLAWLESS = "all scored, without an occurrence"
_ALL_TRUE = "all scored, with an occurrence in each"
_AS_OBSERVED = "if the true rate is the observed one (then they suffice 4 times of 5)"


def plan_anew(expectation: Expectation, counts: Counts) -> tuple[int | None, str]:
    """Return the number and what it assumes; None where no number can be given.

    It is for a plan of its own: adding trials to this one until it fits would spoil the guarantee.
    """
    if expectation.is_negative_control:
        return None, ""  # the hole has to show itself; no number of clean trials makes it
    is_least = expectation.kind == "at_least"
    n_against = counts.n_scored - counts.n_events if is_least else counts.n_events
    if n_against == 0:
        tolerated = 1 - expectation.limit if is_least else expectation.limit
        n = trials_needed(tolerated, confidence=expectation.confidence)
        return n, _ALL_TRUE if is_least else _FLAWLESS
    if expectation.kind == "never" or expectation.population is not Population.THESE_CASES:
        return None, ""
    return _plan_by_rate(expectation, counts.n_events / counts.n_scored)


def ask_for_scores() -> str:
    """Return what to do where no trial was scored: no number of them would help."""
    return "no trial was scored: mend what keeps them from being scored, then run this plan again"


def ask_of_control(control: Judgement) -> str:
    """Return what to do where only the positive control stands in the way of `proven`."""
    if not control.n_scored:
        return (
            "make the control speak: none of its trials was scored, so mend what keeps them from "
            "being scored first"
        )
    return (
        f"make the control speak: {control.metric} occurred in {control.n_events} of "
        f"{control.n_scored} of its trials. See that its cases can bring {control.metric} out and "
        "that the score would notice, or give the control more trials"
    )


def _plan_by_rate(expectation: Expectation, rate: float) -> tuple[int | None, str]:
    if abs(rate - expectation.limit) < _TOO_CLOSE:
        return None, ""
    find = trials_needed_at_least if expectation.kind == "at_least" else trials_needed_less_than
    n = find(rate, expectation.limit, confidence=expectation.confidence)
    return (None, "") if isinstance(n, Undetermined) else (n, _AS_OBSERVED)
