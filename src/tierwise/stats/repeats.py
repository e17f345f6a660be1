"""What repeating a case is worth, compared with adding a case."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from tierwise.stats.arguments import require_count, require_share
from tierwise.stats.clusters import MIN_CASES, ONE_CASE, require_cases
from tierwise.stats.values import Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatWeight:
    """How much the trials of one case resemble each other, and what that costs."""

    intraclass_correlation: float
    """0: repeats are as good as new cases; 1: a repeat tells nothing new."""
    design_effect: float
    """By how much the variance of the mean exceeds that of independent trials."""
    effective_trials: float


def weigh_repeats(cases: Sequence[Sequence[float]]) -> RepeatWeight | Undetermined:
    """Return the intraclass correlation of the scores, the design effect and its effective n.

    Population: cases like these. Assumption: one-way random effects; with unequal cases the
    usual average size stands for all. Guarantee: a point estimate, clipped at 0, poor under some
    30 cases. Reference: Donner 1986; Kish 1965. Oracle: test_repeats.py, ANOVA by hand.
    """
    scores = require_cases(cases)
    sizes = [len(case) for case in scores]
    total = sum(sizes)
    if len(scores) < MIN_CASES:
        return ONE_CASE
    if total == len(scores):
        return Undetermined(reason="no case was repeated, so repeats cannot be judged")
    mean = fmean(score for case in scores for score in case)
    between = sum(len(case) * (fmean(case) - mean) ** 2 for case in scores) / (len(scores) - 1)
    within = sum((score - fmean(case)) ** 2 for case in scores for score in case)
    within /= total - len(scores)
    size = (total - sum(m * m for m in sizes) / total) / (len(scores) - 1)
    spread = between + (size - 1) * within
    if math.isclose(spread, 0.0, abs_tol=1e-15):
        return Undetermined(reason="all scores are the same, so repeats cannot be judged")
    correlation = max(0.0, (between - within) / spread)
    effect = 1 + (size - 1) * correlation
    return RepeatWeight(
        intraclass_correlation=correlation,
        design_effect=effect,
        effective_trials=total / effect,
    )


def plan_error(rate: float, *, cases: int, trials: int, intraclass_correlation: float) -> float:
    """Return the standard error that a plan of `cases` times `trials` will have at `rate`.

    Population: cases like these. Assumption: the intraclass correlation is as given. Guarantee:
    exact for the variance of the mean under that model. Reference: Kish 1965. Oracle:
    test_repeats.py, variance of a two-stage mixture.
    """
    share = require_share("rate", rate)
    correlation = require_share("intraclass_correlation", intraclass_correlation)
    total = require_count("cases", cases, least=1) * require_count("trials", trials, least=1)
    return math.sqrt(share * (1 - share) * (1 + (trials - 1) * correlation) / total)
