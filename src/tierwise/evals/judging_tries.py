"""Several tries of one case, asked whether one of them passes, or all do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.evals.evidence import Evidence, Question, ends_of
from tierwise.evals.outlying import find_outliers, say_outliers
from tierwise.stats import MeanBounds, Undetermined, bound_tries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.counting import Counts
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.promises import TriesLimit
    from tierwise.stats import Population


def ask_tries(expectation: Expectation, promise: TriesLimit, counts: Counts) -> Question:
    """Return the question that pass@k or pass^k is asked."""
    interval, method = ends_of(
        _bound(expectation, promise, _enough(promise, counts), expectation.population)
    )
    outliers = find_outliers(promise, counts)
    return Question(
        unit=promise.kind,
        quantity=promise.name,
        low=promise.limit,
        high=None,
        weigh=lambda population: weigh_tries(expectation, promise, counts, population),
        interval=interval,
        interval_method=method,
        outliers=outliers,
        cautions=say_outliers(promise, outliers),
    )


def weigh_tries(
    expectation: Expectation, promise: TriesLimit, counts: Counts, population: Population
) -> Evidence | Undetermined:
    """Return what the trials prove for one population, each missing one counted as the worst.

    A case with fewer than k scored trials shows nothing; if that is so of all, nothing is known.
    """
    enough = _enough(promise, counts)
    if not enough:
        most = max((n for _, n in counts.per_case), default=0)
        return Undetermined(
            reason=f"no case has the {promise.k} scored trials that {promise.name} takes "
            f"(the most are {most})"
        )
    found = _bound(expectation, promise, enough, population)
    if isinstance(found, Undetermined):
        return found
    looks = [found]
    if any(counts.open):
        for share in (0, 1):
            filled = [
                (events + share * gone, n + gone)
                for (events, n), gone in zip(counts.per_case, counts.open, strict=True)
            ]
            look = _bound(expectation, promise, filled, population)
            if isinstance(look, Undetermined):
                return look
            looks.append(look)
    n_short = len(counts.per_case) - len(enough)
    short = (
        f"{n_short} of {len(counts.per_case)} cases have fewer than {promise.k} scored trials",
    )
    return Evidence(
        estimate=found.estimate,
        lower=min(look.lower for look in looks),
        upper=max(look.upper for look in looks),
        alike=(found.lower, found.upper),
        error=found.error,
        method=found.method,
        cautions=(*found.cautions, *(short if n_short else ())),
    )


def _enough(promise: TriesLimit, counts: Counts) -> list[tuple[int, int]]:
    return [(events, n) for events, n in counts.per_case if n >= promise.k]


def _bound(
    expectation: Expectation,
    promise: TriesLimit,
    per_case: Sequence[tuple[int, int]],
    population: Population,
) -> MeanBounds | Undetermined:
    return bound_tries(
        promise.kind, population, per_case, k=promise.k, confidence=expectation.confidence
    )
