"""What is asked of a metric's number, and what the trials say to it, whatever its kind."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import CaseRate, Claim, Verdict
from tierwise.evals.wording import percent, say_limits, say_missing, say_population, say_value
from tierwise.stats import Population, Undetermined

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.domain.judgement import BoundSide, Unit
    from tierwise.evals.counting import Counts
    from tierwise.evals.expectations import Expectation
    from tierwise.stats import MeanBounds


_NONE, _ALL = percent(0.0), percent(1.0)
_NO_LOWER, _NO_UPPER = f"nothing (the bound is {_NONE})", f"nothing (the bound is {_ALL})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the trials prove of one number for one population.

    `lower` and `upper` are one-sided, with each missing trial counted against the one that it
    weakens; in `alike` missing trials are like the rest, None where that cannot be said.
    """

    estimate: float
    lower: float
    upper: float
    method: str
    alike: tuple[float, float] | None = None
    outer: tuple[float, float] | None = None
    """Two-sided, where refuting takes both sides at once."""
    error: float = 0.0
    cautions: tuple[str, ...] = ()

    def bound(self, side: BoundSide) -> float:
        """Return the bound of one side."""
        return self.lower if side == "lower" else self.upper


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One expectation as a number that has to lie within limits."""

    unit: Unit
    quantity: str
    low: float | None
    """The number must not be less; None where it may."""
    high: float | None
    weigh: Callable[[Population], Evidence | Undetermined]
    observed: float | None = None
    """What was seen, where nothing bounds it."""
    interval: tuple[float, float] | None = None
    interval_method: str = ""
    is_strict: bool = False
    """Does the number have to stay under `high`, rather than reach it at most?"""
    refuted_by: str = ""
    """What refutes the promise whatever the bounds say; empty where nothing does."""
    next_step: str = ""
    """What to do where more trials are not what is missing."""
    cautions: tuple[str, ...] = ()
    outliers: tuple[CaseRate, ...] = ()
    baseline: str = ""
    unpaired: tuple[str, ...] = ()
    ruled: Verdict | None = None
    """The verdict of a sequential rule, which stands once it was reached."""
    is_sequential: bool = False

    @property
    def subject(self) -> str:
        """The number as the subject of a sentence."""
        is_name = self.unit in ("pass_at_k", "pass_hat_k")
        return self.quantity if is_name else f"the {self.quantity}"

    def is_under(self, evidence: Evidence) -> bool:
        """Return whether the number is shown to be too low."""
        upper = evidence.upper if evidence.outer is None else evidence.outer[1]
        return self.low is not None and upper < self.low

    def is_over(self, evidence: Evidence) -> bool:
        """Return whether the number is shown to be too high."""
        lower = evidence.lower if evidence.outer is None else evidence.outer[0]
        return self.high is not None and lower > self.high

    def is_kept(self, evidence: Evidence) -> bool:
        """Return whether the number is shown to lie within the limits."""
        if self.high is not None:
            is_within = evidence.upper <= self.high
            if not is_within or (self.is_strict and evidence.upper == self.high):
                return False
        return self.low is None or evidence.lower >= self.low

    def find_side(self, evidence: Evidence | Undetermined, verdict: Verdict) -> BoundSide:
        """Return which bound speaks: the one for the promise, or against it once it is refuted.

        Where both sides are limited it is the one with less room. `verdict` is that of the
        promise itself, before a negative control turns it around.
        """
        is_low = self.low is not None
        if self.low is not None and self.high is not None:
            if isinstance(evidence, Undetermined):
                return "lower"
            is_low = evidence.lower - self.low <= self.high - evidence.upper
            if verdict is Verdict.REFUTED:
                is_low = self.is_under(evidence)
        return "lower" if is_low != (verdict is Verdict.REFUTED) else "upper"


def decide(
    question: Question,
    expectation: Expectation,
    counts: Counts,
    evidence: Evidence | Undetermined,
) -> tuple[Verdict, str]:
    """Return the verdict of one expectation without its control, and why."""
    if question.refuted_by:
        return Verdict.REFUTED, question.refuted_by
    if isinstance(evidence, Undetermined):
        return Verdict.UNDECIDED, evidence.reason
    decide_by = _decide_by_rule if question.is_sequential else _decide_by_bounds
    return decide_by(question, expectation, counts, evidence)


def _decide_by_bounds(
    question: Question, expectation: Expectation, counts: Counts, evidence: Evidence
) -> tuple[Verdict, str]:
    if question.is_under(evidence) or question.is_over(evidence):
        return Verdict.REFUTED, _say_refuted(question, evidence)
    if counts.n_missing > expectation.missing_ceiling * counts.n_planned:
        return Verdict.UNDECIDED, say_missing(counts, expectation.missing_ceiling)
    sentence = _say_shown(question, evidence, expectation.population)
    if question.is_kept(evidence):
        return Verdict.PROVEN, sentence
    limits = say_limits(question.unit, question.low, question.high)
    return Verdict.UNDECIDED, f"{sentence}, which does not settle {limits}"


def ends_of(found: MeanBounds | Undetermined) -> tuple[tuple[float, float] | None, str]:
    """Return the two-sided interval and its method, or None where nothing is known."""
    if isinstance(found, Undetermined):
        return None, ""
    return (found.interval.low, found.interval.high), found.interval.method


def claim(question: Question, expectation: Expectation, population: Population) -> Claim:
    """Return what the trials prove about one population, in numbers and as a sentence."""
    evidence = question.weigh(population)
    if isinstance(evidence, Undetermined):
        return Claim(population=str(population), sentence=f"nothing: {evidence.reason}")
    sided = f"({percent(expectation.confidence)}, one-sided)"
    return Claim(
        population=str(population),
        sentence=f"{say_bound(question, evidence)} {sided}",
        lower=evidence.lower,
        upper=evidence.upper,
        method=evidence.method,
    )


def say_bound(question: Question, evidence: Evidence) -> str:
    """Return what the bounds prove: for the promise, or else against it."""
    unit, lower, upper = question.unit, evidence.lower, evidence.upper
    if question.low is not None and question.high is not None:
        return f"at least {say_value(unit, lower)} and below {say_value(unit, upper, up=True)}"
    is_against = question.is_under(evidence) or question.is_over(evidence)
    is_against = is_against or question.ruled is Verdict.REFUTED
    is_share = unit not in ("mean", "difference")
    least, most = say_value(unit, lower), say_value(unit, upper, up=True)
    if (question.low is not None) != is_against:
        return _NO_LOWER if is_share and least == _NONE else f"at least {least}"
    if is_share and most == _ALL:
        return _NO_UPPER if least == _NONE else f"at least {least}"
    return f"below {most}" if math.isfinite(upper) else "nothing"


def _decide_by_rule(
    question: Question, expectation: Expectation, _counts: Counts, evidence: Evidence
) -> tuple[Verdict, str]:
    if question.ruled is Verdict.REFUTED:
        return Verdict.REFUTED, f"{question.subject} is {say_bound(question, evidence)}"
    sentence = _say_shown(question, evidence, expectation.population)
    if question.ruled is Verdict.PROVEN:
        return Verdict.PROVEN, sentence
    limits = say_limits(question.unit, question.low, question.high)
    return Verdict.UNDECIDED, f"{sentence}: the plan ended before {limits} was settled"


def _say_shown(question: Question, evidence: Evidence, population: Population) -> str:
    return f"{say_bound(question, evidence)} for {say_population(population)}"


def _say_refuted(question: Question, evidence: Evidence) -> str:
    unit, lower, upper = question.unit, evidence.lower, evidence.upper
    if evidence.outer is not None:
        lower, upper = evidence.outer
    if question.low is not None and (question.high is None or upper < question.low):
        shown, limit = say_value(unit, upper, up=True), say_value(unit, question.low)
        return f"{question.subject} is below {shown}, short of {limit}"
    shown, limit = say_value(unit, lower), say_value(unit, question.high or 0.0)
    return f"{question.subject} is above {shown}, over {limit}"
