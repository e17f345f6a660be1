"""How many trials a new plan would need where this one left an expectation undecided."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.evals.promises import RateLimit, TriesLimit
from tierwise.stats import (
    Population,
    Undetermined,
    trials_needed,
    trials_needed_at_least,
    trials_needed_less_than,
)
from tierwise.stats.distributions import normal_quantile
from tierwise.stats.spread import WITHIN_CASES

if TYPE_CHECKING:
    from tierwise.domain import Judgement
    from tierwise.evals.counting import Counts
    from tierwise.evals.evidence import Evidence, Question
    from tierwise.evals.expectations import Expectation

    Plan = tuple[int | None, str]

_TOO_CLOSE = 0.02
"""Nearer to the limit than this the number runs into many thousands and helps nobody."""
_MOST = 100_000
_POWER = 0.8
_FLAWLESS = "all scored, without an occurrence"
_ALL_TRUE = "all scored, with an occurrence in each"
_AS_OBSERVED = "if the true rate is the observed one (then they suffice 4 times of 5)"
_AS_SPREAD = "if scores lie and spread as they did (then they suffice about 4 times of 5)"
_UNKNOWN: Plan = (None, "")


def plan_anew(
    expectation: Expectation,
    counts: Counts,
    question: Question,
    evidence: Evidence | Undetermined,
) -> Plan:
    """Return the number and what it assumes; None where no number can be given.

    It is for a plan of its own: adding trials to this one until it fits would spoil the guarantee.
    """
    if expectation.is_negative_control or question.is_sequential:
        return _UNKNOWN  # a hole has to show itself; a sequential plan has no fixed end
    if isinstance(expectation.promise, RateLimit):
        return _plan_rate(expectation, expectation.promise, counts)
    if isinstance(evidence, Undetermined):
        return _UNKNOWN
    if isinstance(expectation.promise, TriesLimit) and counts.n_events == counts.n_scored:
        return _plan_flawless_tries(expectation, expectation.promise), _ALL_TRUE
    return _plan_by_spread(expectation, counts, question, evidence)


def ask_to_go_on(judgement: Judgement) -> Judgement:
    """Return an undecided judgement of a plan that was cut short with what settles it.

    That is the rest of this plan, and no new one.
    """
    if judgement.verdict is not Verdict.UNDECIDED:
        return judgement
    n_left = judgement.n_planned - judgement.n_scored
    step = (
        f"run the same command again, with a larger budget where there is one: it goes on with "
        f"the {n_left} of {judgement.n_planned} trials that have no score"
    )
    return dataclasses.replace(judgement, n_needed=None, n_needed_if="", next_step=step)


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


def _plan_rate(expectation: Expectation, promise: RateLimit, counts: Counts) -> Plan:
    is_least = promise.kind == "at_least"
    n_against = counts.n_scored - counts.n_events if is_least else counts.n_events
    if n_against == 0:
        tolerated = 1 - promise.limit if is_least else promise.limit
        n = _plan_flawless(promise, tolerated, expectation.confidence)
        return n, _ALL_TRUE if is_least else _FLAWLESS
    if promise.kind == "never" or expectation.population is not Population.THESE_CASES:
        return _UNKNOWN
    rate = counts.n_events / counts.n_scored
    if abs(rate - promise.limit) < _TOO_CLOSE:
        return _UNKNOWN
    find = trials_needed_at_least if is_least else trials_needed_less_than
    found = find(rate, promise.limit, confidence=expectation.confidence)
    return _UNKNOWN if isinstance(found, Undetermined) else (found, _AS_OBSERVED)


def _plan_flawless(promise: RateLimit, tolerated: float, confidence: float) -> int | None:
    if promise.detector is None:
        return trials_needed(tolerated, confidence=confidence)
    half = (1.0 + confidence) / 2.0  # the detector's sensitivity takes the other half of the error
    share = promise.detector.lower_bound(half)
    if isinstance(share, Undetermined) or not share:
        return None
    return trials_needed(tolerated, confidence=half, sensitivity=share)


def _plan_flawless_tries(expectation: Expectation, promise: TriesLimit) -> int:
    needed = math.log1p(-expectation.confidence) / math.log(promise.limit)
    is_all = promise.kind == "pass_hat_k" and expectation.population is Population.THESE_CASES
    return math.ceil(promise.k * needed if is_all else needed)


def _plan_by_spread(
    expectation: Expectation, counts: Counts, question: Question, evidence: Evidence
) -> Plan:
    """Scale what was run by the square of how much shorter the bound has to be."""
    rooms = [evidence.estimate - question.low] if question.low is not None else []
    rooms += [question.high - evidence.estimate] if question.high is not None else []
    room = min(rooms, default=0.0)
    if room <= 0 or not evidence.error:
        return _UNKNOWN
    reach = normal_quantile(expectation.confidence) + normal_quantile(_POWER)
    n = counts.n_scored
    is_for_these = expectation.population is Population.THESE_CASES
    if is_for_these and evidence.method != WITHIN_CASES:
        return _UNKNOWN  # the spread is that of the cases: more trials would not shrink it
    if not is_for_these:
        n = sum(1 for _, scored in counts.per_case if scored)
    needed = n * (reach * evidence.error / room) ** 2
    return (max(math.ceil(needed), n + 1), _AS_SPREAD) if needed < _MOST else _UNKNOWN
