"""How often something happens, asked of counts: never, at least, at most, the share of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.evals.evidence import Evidence, Question
from tierwise.evals.outlying import find_outliers, say_outliers
from tierwise.evals.wording import percent, say_occurred
from tierwise.stats import (
    Population,
    Undetermined,
    bounds_for,
    weaken_upper_bound,
    wilson,
)

if TYPE_CHECKING:
    from tierwise.evals.counting import Counts
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.promises import RateLimit
    from tierwise.evals.sequential import Sequential

_SEQUENTIAL_ONLY = "what a sequential rule stops is judged for these cases alone"
_LEFT_OUT = "the trials that were left out would have shown how cases differ"
_UNMEASURED = (
    "measure the detector: let it judge replies that are known to show the event, and give the "
    "counts as detector=Sensitivity(n_caught=..., n_true=...)"
)
_SHOWN = 5
_MORE = (
    "give the plan more by --trials: its stopping rule holds at any number of them, so that what "
    "was run is kept"
)


def ask_rate(
    expectation: Expectation, promise: RateLimit, counts: Counts, path: Sequential | None
) -> Question:
    """Return the question that a rate is asked."""
    is_never = promise.kind == "never"
    interval, method = _find_interval(expectation, counts, path)
    outliers = find_outliers(promise, counts)
    is_blind = promise.detector is not None and not promise.detector.n_true
    return Question(
        unit="rate",
        quantity="rate",
        low=promise.limit if promise.kind == "at_least" else None,
        high=None if promise.kind == "at_least" else promise.limit,
        is_strict=is_never,
        refuted_by=_find_occurrence(expectation, counts) if is_never else "",
        weigh=lambda population: weigh_rate(
            expectation, promise, counts, population=population, path=path
        ),
        interval=interval,
        interval_method=method,
        next_step=_UNMEASURED if is_blind else _MORE if path is not None else "",
        outliers=outliers,
        cautions=(*say_outliers(promise, outliers), *_say_unseen(promise, counts)),
        ruled=None if path is None else path.verdict,
        is_sequential=path is not None,
    )


def weigh_rate(
    expectation: Expectation,
    promise: RateLimit,
    counts: Counts,
    *,
    population: Population,
    path: Sequential | None,
) -> Evidence | Undetermined:
    """Return what the trials prove of a rate for one population."""
    if path is not None and population is not Population.THESE_CASES:
        return Undetermined(reason=_SEQUENTIAL_ONLY)
    if counts.n_left and population is not Population.THESE_CASES:
        return Undetermined(reason=_LEFT_OUT)
    found = (
        _weigh_plan(expectation, promise, counts, population)
        if path is None
        else _weigh_path(promise, counts, path)
    )
    if promise.detector is None or isinstance(found, Undetermined):
        return found
    return _weaken(found, promise, expectation.confidence)


def _weigh_plan(
    expectation: Expectation, promise: RateLimit, counts: Counts, population: Population
) -> Evidence | Undetermined:
    bounds = bounds_for(
        population,
        counts.per_case,
        confidence=_share_error(expectation.confidence, promise),
        missing=counts.open,
    )
    if isinstance(bounds, Undetermined):
        return bounds
    return Evidence(
        estimate=bounds.rate,
        lower=bounds.lower_with_missing,
        upper=bounds.upper_with_missing,
        # Trials that an early stop left out are never like those that led to it.
        alike=None if counts.left else (bounds.lower, bounds.upper),
        method=bounds.method,
        cautions=bounds.cautions,
    )


def _weigh_path(promise: RateLimit, counts: Counts, path: Sequential) -> Evidence | Undetermined:
    bounds = path.bounds()
    if isinstance(bounds, Undetermined):
        return bounds
    low, high = bounds.low, bounds.high
    limit = path.shown_limit()
    if limit is not None:
        # A test of one limit proves more of that limit than a sequence that holds for all.
        is_above = (promise.kind == "at_least") == (path.verdict is Verdict.PROVEN)
        low, high = (max(low, limit), high) if is_above else (low, min(high, limit))
    return Evidence(
        estimate=counts.n_events / counts.n_scored if counts.n_scored else 0.0,
        lower=low,
        upper=high,
        method=bounds.method,
        cautions=bounds.cautions,
    )


def _share_error(confidence: float, promise: RateLimit) -> float:
    """Half of the error is the detector's, so that its bound and the trials' hold together."""
    return confidence if promise.detector is None else (1.0 + confidence) / 2.0


def _weaken(found: Evidence, promise: RateLimit, confidence: float) -> Evidence | Undetermined:
    assert promise.detector is not None  # noqa: S101  asked with a detector only
    share = promise.detector.lower_bound(_share_error(confidence, promise))
    if isinstance(share, Undetermined):
        return share
    upper = weaken_upper_bound(found.upper, sensitivity=share)
    if isinstance(upper, Undetermined):
        return upper
    alike = found.alike
    caution = (
        f"{promise.detector} may miss events: its sensitivity is shown to be above "
        f"{percent(share)} only, and half of the error is spent on that"
    )
    return Evidence(
        estimate=found.estimate,
        lower=found.lower,
        upper=upper,
        alike=None if alike is None else (alike[0], min(1.0, alike[1] / share)),
        method=f"{found.method}, widened by the detector's sensitivity",
        cautions=(*found.cautions, caution),
    )


def _say_unseen(promise: RateLimit, counts: Counts) -> tuple[str, ...]:
    """Name what was scored where the text that is counted never was: a slip, or a good sign."""
    if promise.value is None or counts.n_events or not counts.n_scored:
        return ()
    seen = [f"{text!r} ({n})" for text, n in counts.values[:_SHOWN]]
    more = ", ..." if len(counts.values) > _SHOWN else ""
    return (f"no trial scored {promise.value!r}; what they scored is {', '.join(seen)}{more}",)


def _find_occurrence(expectation: Expectation, counts: Counts) -> str:
    has_occurred = counts.n_events + counts.n_unscored_events > 0
    if expectation.is_negative_control:
        # A control is evidence for the eval: trials that went wrong give none.
        n_tolerated = expectation.missing_ceiling * counts.n_planned
        has_occurred = counts.n_events > 0 and counts.n_missing <= n_tolerated
    return say_occurred(expectation.metric, counts) if has_occurred else ""


def _find_interval(
    expectation: Expectation, counts: Counts, path: Sequential | None
) -> tuple[tuple[float, float] | None, str]:
    """Return a two-sided interval that holds however the eval came to its end.

    Where trials were left out it is the one that holds whatever they would have shown.
    """
    if path is not None:
        bounds = path.bounds()
        ends = None if isinstance(bounds, Undetermined) else (bounds.low, bounds.high)
        return ends, "confidence sequence"
    n = counts.n_scored + counts.n_left
    low, high = (
        wilson(counts.n_events + more, n, confidence=expectation.confidence)
        for more in (0, counts.n_left)
    )
    if isinstance(low, Undetermined) or isinstance(high, Undetermined):
        return None, "Wilson"
    method = "Wilson, whatever the rest would have shown" if counts.n_left else "Wilson"
    return (low.low, high.high), method
