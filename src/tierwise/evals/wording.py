"""Numbers of a verdict as words; rounding never claims more than was proven."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.judging import Counts
    from tierwise.stats import Population, RateBounds


def percent(share: float, *, up: bool = False) -> str:
    """Return a share in percent with two decimals, rounded down, or up for an upper bound."""
    scaled = share * 10_000
    # A share such as 0.05 is 500.00000000000006 here: what is whole to nine digits is whole.
    whole = round(scaled)
    if not math.isclose(scaled, whole, rel_tol=0, abs_tol=1e-9):
        whole = math.ceil(scaled) if up else math.floor(scaled)
    return f"{whole / 100:.10g} %"


def round_percent(share: float) -> str:
    """Return an observed share in percent, rounded to two decimals.

    Only a share that is 0 or 1 is said to be 0 % or 100 %.
    """
    hundredths = round(share * 10_000)
    if 0 < share < 1:
        hundredths = min(max(hundredths, 1), 9_999)
    return f"{hundredths / 100:.10g} %"


def say_occurred(metric: str, counts: Counts) -> str:
    """Return how often a metric occurred, and how often of it in trials that went wrong."""
    seen = f"{metric} occurred in {counts.n_events} of {counts.n_scored} trials"
    if not counts.n_unscored_events:
        return seen
    return f"{seen}, and in {counts.n_unscored_events} that then went wrong"


def say_bound(expectation: Expectation, bounds: RateBounds) -> str:
    """Return what the bounds prove of the metric: for the expectation, or else against it.

    Missing trials are counted against whichever it is.
    """
    is_least = expectation.kind == "at_least"
    if is_least and bounds.upper_with_missing < expectation.limit:
        return f"below {percent(bounds.upper_with_missing, up=True)}"
    if not is_least and bounds.lower_with_missing > expectation.limit:
        return f"at least {percent(bounds.lower_with_missing)}"
    if is_least:
        return f"at least {percent(bounds.lower_with_missing)}"
    if bounds.upper_with_missing >= 1:
        return "nothing below 100 %"
    return f"below {percent(bounds.upper_with_missing, up=True)}"


def say_population(population: Population | str) -> str:
    """Return whom a claim is about."""
    return str(population).replace("_", " ")


def say_missing(counts: Counts, ceiling: float) -> str:
    """Return why too much is missing for a verdict."""
    share = percent(counts.n_missing / counts.n_planned, up=True)
    return (
        f"{counts.n_missing} of {counts.n_planned} trials have no score ({share}), more than the "
        f"ceiling of {percent(ceiling)}"
    )
