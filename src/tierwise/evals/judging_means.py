"""A number's mean over cases, asked whether it lies between two ends."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from tierwise.evals.evidence import Evidence, Question, ends_of
from tierwise.evals.wording import say_number
from tierwise.stats import CaseMean, MeanBounds, Population, Undetermined, bound_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tierwise.evals.counting import Counts
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.promises import MeanRange

    Span = tuple[float, float] | None
    Weigh = Callable[[Sequence[CaseMean]], MeanBounds | Undetermined]


def ask_mean(expectation: Expectation, promise: MeanRange, counts: Counts) -> Question:
    """Return the question that a mean is asked."""
    bounds = _bound(expectation, promise, counts.scores, expectation.population)
    interval, method = ends_of(bounds)
    means = [case.mean for case in counts.scores if case.n]
    return Question(
        unit="mean",
        quantity="mean",
        low=promise.low,
        high=promise.high,
        weigh=lambda population: weigh_mean(expectation, promise, counts, population),
        interval=interval,
        interval_method=method,
        observed=fmean(means) if means else None,
        next_step=ask_for_range(expectation, promise.span, counts)
        or _ask_for_spread(expectation, promise, counts, bounds),
        cautions=say_uncounted(promise.span, counts),
    )


def weigh_mean(
    expectation: Expectation, promise: MeanRange, counts: Counts, population: Population
) -> Evidence | Undetermined:
    """Return what the trials prove of a mean for one population.

    Refuting takes the two-sided interval where both ends are limited: with two ways to be wrong
    each may take half of the error only. Keeping takes both one-sided bounds at once, which needs
    no such split.
    """

    def weigh(cases: Sequence[CaseMean]) -> MeanBounds | Undetermined:
        return _bound(expectation, promise, cases, population)

    is_two_sided = promise.low is not None and promise.high is not None
    return weigh_filled(counts.scores, counts.open, promise.span, weigh, is_two_sided=is_two_sided)


def weigh_filled(
    cases: Sequence[CaseMean],
    missing: Sequence[int],
    span: Span,
    weigh: Weigh,
    *,
    is_two_sided: bool = False,
) -> Evidence | Undetermined:
    """Return the evidence with missing trials as bad as the range lets them be.

    Without a range they cannot be counted, and the bounds are those of the scored trials.
    """
    found = weigh(cases)
    if isinstance(found, Undetermined):
        return found
    looks = [found]
    if span is not None and any(missing):
        for end in span:
            filled = weigh(
                [case.fill(gone, end) for case, gone in zip(cases, missing, strict=True)]
            )
            looks += [filled] if isinstance(filled, MeanBounds) else []
    outer = (min(x.interval.low for x in looks), max(x.interval.high for x in looks))
    return Evidence(
        estimate=found.estimate,
        lower=min(look.lower for look in looks),
        upper=max(look.upper for look in looks),
        alike=(found.lower, found.upper),
        outer=outer if is_two_sided else None,
        error=found.error,
        method=found.method,
        cautions=found.cautions,
    )


def say_uncounted(span: Span, counts: Counts) -> tuple[str, ...]:
    """Return that missing trials weaken nothing, where no range says how bad they may be."""
    if span is not None or counts.is_binary or not counts.n_missing:
        return ()
    gaps = say_number(counts.n_missing, "trial has", "trials have")
    return (f"{gaps} no score and weaken no bound, since no range=(least, greatest) is declared",)


def ask_for_range(expectation: Expectation, span: Span, counts: Counts) -> str:
    """Return what to declare where missing trials cannot be counted against a promise."""
    is_over = counts.n_missing > expectation.missing_ceiling * counts.n_planned
    if span is not None or counts.is_binary or not is_over or not counts.n_scored:
        return ""
    return (
        "see why trials have no score; with range=(least, greatest) those that are missing can be "
        "counted against the promise"
    )


def _ask_for_spread(
    expectation: Expectation, promise: MeanRange, counts: Counts, bounds: MeanBounds | Undetermined
) -> str:
    """Return what to declare where scores show no spread that could bound their mean."""
    if isinstance(bounds, MeanBounds) or promise.span is not None:
        return ""
    step = "declare the range that no score can leave: range=(least, greatest)"
    others = Population.CASES_LIKE_THESE
    if isinstance(_bound(expectation, promise, counts.scores, others), Undetermined):
        return step
    return f'{step}; or ask how cases differ: population="{others}"'


def _bound(
    expectation: Expectation,
    promise: MeanRange,
    cases: Sequence[CaseMean],
    population: Population,
) -> MeanBounds | Undetermined:
    return bound_mean(population, cases, confidence=expectation.confidence, span=promise.span)
