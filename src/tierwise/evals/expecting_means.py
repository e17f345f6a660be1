"""Promises about numbers, and about what was measured before: means and differences."""

from __future__ import annotations

import math

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.expectations import Expectation, expect, is_number, say_call
from tierwise.evals.keywords import refuse_wrong_arguments
from tierwise.evals.promises import Better, MeanRange, NoWorse
from tierwise.stats import Population

_BETTER = ("higher", "lower")


@refuse_wrong_arguments
def mean_between(
    metric: str,
    low: float | None,
    high: float | None,
    *,
    range: tuple[float, float] | None = None,  # noqa: A002  the word that says it
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the mean of a number lies between `low` and `high`; None leaves a side open.

    Each case counts the same. Proven when both one-sided bounds lie inside, refuted when the
    two-sided interval lies outside, undecided otherwise, and where scores show no spread to judge
    by. `range` names the least and the greatest value that can be scored: trials without a score
    then count as the worst of them. Without it they count for nothing but the ceiling.
    """
    what = say_call("mean_between", metric)
    ends = [None if end is None else _require_finite(what, "an end", end) for end in (low, high)]
    if ends == [None, None]:
        raise EvalUsageError(f"{what}: both ends are open, which promises nothing. Name one.")
    if ends[0] is not None and ends[1] is not None and ends[0] >= ends[1]:
        raise EvalUsageError(
            f"{what}: low is {low!r} and high is {high!r}; expected low below high. That a mean "
            "is one number exactly cannot be proven."
        )
    promise = MeanRange(low=ends[0], high=ends[1], span=_require_range(what, range))
    return expect(
        metric,
        promise,
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )


@refuse_wrong_arguments
def no_worse_than(
    metric: str,
    *,
    margin: float,
    baseline: str | None = None,
    better: Better = "higher",
    range: tuple[float, float] | None = None,  # noqa: A002
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the metric is not worse than it was in an earlier run by more than `margin`.

    Paired by case: the difference of each case's own means decides, so that hard cases do not
    blur it. `baseline` names the run, unless `--baseline RUN` does; without one the promise is
    undecided. `better="lower"` is for what should be rare or small. A margin of 0 is allowed and
    takes a real improvement to be proven.
    """
    what = say_call("no_worse_than", metric)
    if _require_finite(what, "margin", margin) < 0:
        raise EvalUsageError(
            f"{what}: margin is {margin!r}; expected 0 or more: how much worse is still no worse, "
            "such as 0.02."
        )
    if better not in _BETTER:
        raise EvalUsageError(f"{what}: better={better!r}.{suggest(str(better), _BETTER)}")
    promise = NoWorse(
        margin=float(margin), better=better, baseline=baseline, span=_require_range(what, range)
    )
    return expect(
        metric,
        promise,
        confidence=confidence,
        population=population,
        missing_ceiling=missing_ceiling,
    )


def _require_range(what: str, ends: tuple[float, float] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    given: object = ends
    if not isinstance(given, tuple | list) or len(given) != 2:  # noqa: PLR2004  least and greatest
        raise EvalUsageError(
            f"{what}: range={given!r}; expected the least and the greatest value, such as (1, 5)."
        )
    low, high = (_require_finite(what, "an end of range", end) for end in given)
    if low >= high:
        raise EvalUsageError(f"{what}: range={given!r}; expected the least value first.")
    return low, high


def _require_finite(what: str, name: str, value: float) -> float:
    if is_number(value) and math.isfinite(value):
        return float(value)
    raise EvalUsageError(f"{what}: {name} is {value!r}; expected a finite number.")
