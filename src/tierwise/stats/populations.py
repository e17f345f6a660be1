"""One call for a gate: both one-sided bounds of a rate, for the population that was meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_confidence, require_count
from tierwise.stats.clusters import (
    MIN_CASES,
    case_rate,
    caution_few_cases,
    korn_graubard_limits,
    require_case_counts,
)
from tierwise.stats.exact import lower_limit, upper_limit
from tierwise.stats.values import Population, Undetermined, require_population

if TYPE_CHECKING:
    from collections.abc import Sequence

    Counts = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBounds:
    """What a set of trials proves about a rate; every bound is one-sided at `confidence`."""

    population: Population
    events: int
    trials: int
    """Trials that were scored."""
    cases: int
    """Cases with at least one scored trial."""
    missing: int
    """Trials that were planned and have no score."""
    rate: float
    """The estimate: over trials for these cases, over case means for cases like these."""
    lower: float
    upper: float
    lower_with_missing: float
    """The lower bound if no missing trial had the event; for gates of the kind "at least"."""
    upper_with_missing: float
    """The upper bound if each missing trial had the event; for gates of the kind "less than"."""
    confidence: float
    method: str
    cautions: tuple[str, ...] = ()
    """What weakens the bounds, each one a sentence for a reader."""


def bounds_for(
    population: Population | str,
    per_case: Sequence[tuple[int, int]],
    *,
    confidence: float = 0.95,
    missing: Sequence[int] = (),
) -> RateBounds | Undetermined:
    """Return one-sided bounds on the rate of an event from (events, n) of each case.

    `missing` holds, for each case, the planned trials without a score; a case may be all missing
    and then has n = 0. A trial that did not finish is not a clean one: gate on `*_with_missing`.

    Population: `these_cases`, the rate over the trials of exactly these cases, by
    Clopper-Pearson on all trials. Assumption: trials are independent given their case.
    Guarantee: at a confidence of .75 or more never anti-conservative, however much the cases'
    own rates differ (Hoeffding 1956), but for one corner: after exactly one event the lower
    bound, and after exactly one non-event the upper one, can miss with probability
    -ln(confidence) in place of 1 - confidence (.0513 for .05).

    Population: `cases_like_these`, the mean rate over all cases that might have been drawn.
    Assumption: independent cases. Guarantee: exact where all trials agree, and then C cases
    count as C trials; otherwise Korn-Graubard, approximate, and never tighter than C cases that
    agree. Repeats cannot buy what only more cases can show.

    References: Clopper & Pearson 1934; Hoeffding 1956; Korn & Graubard 1998. Oracle:
    test_populations.py, enumeration of the coverage in both populations.
    """
    meant = require_population(population)
    level = require_confidence(confidence)
    lost = _require_missing(missing, len(per_case))
    counts = [(require_count("events", x), require_count("n", n)) for x, n in per_case]
    scored = require_case_counts([pair for pair in counts if pair[1] or pair[0]])
    reason = _why_undetermined(meant, scored)
    if reason is not None:
        return Undetermined(reason=reason)
    bound = _bound_these_cases if meant is Population.THESE_CASES else _bound_cases_like_these
    alpha = 1.0 - level
    best = _with_missing(counts, lost, as_events=False)
    worst = _with_missing(counts, lost, as_events=True)
    lower, upper = bound(scored, alpha)
    return RateBounds(
        population=meant,
        events=sum(x for x, _ in scored),
        trials=sum(n for _, n in scored),
        cases=len(scored),
        missing=sum(lost),
        rate=_estimate(meant, scored),
        lower=lower,
        upper=upper,
        lower_with_missing=min(lower, bound(best, alpha)[0]),
        upper_with_missing=max(upper, bound(worst, alpha)[1]),
        confidence=level,
        method=_name_method(meant, scored),
        cautions=_collect_cautions(meant, scored, len(per_case)),
    )


def _bound_these_cases(counts: Counts, alpha: float) -> tuple[float, float]:
    events, n = sum(x for x, _ in counts), sum(n for _, n in counts)
    return lower_limit(events, n, alpha), upper_limit(events, n, alpha)


def _bound_cases_like_these(counts: Counts, alpha: float) -> tuple[float, float]:
    """Korn-Graubard, held back to what C unanimous cases prove.

    Without that one event among 300 trials of 20 cases would give a tighter bound than none,
    since the spread of a single event looks like independent trials. What 20 cases cannot
    exclude, a kind of case that always has the event and was not drawn, they cannot exclude
    after an event elsewhere either.
    """
    low, high = korn_graubard_limits(counts, alpha)
    cases = len(counts)
    return min(low, lower_limit(cases, cases, alpha)), max(high, upper_limit(0, cases, alpha))


def _with_missing(counts: Counts, lost: Sequence[int], *, as_events: bool) -> Counts:
    filled = [
        (x + gone if as_events else x, n + gone) for (x, n), gone in zip(counts, lost, strict=True)
    ]
    return [pair for pair in filled if pair[1]]


def _estimate(population: Population, counts: Counts) -> float:
    if population is Population.CASES_LIKE_THESE:
        return case_rate(counts)
    return sum(x for x, _ in counts) / sum(n for _, n in counts)


def _name_method(population: Population, counts: Counts) -> str:
    if population is Population.THESE_CASES:
        return "clopper-pearson over trials"
    return "clopper-pearson over cases" if _are_unanimous(counts) else "korn-graubard"


def _are_unanimous(counts: Counts) -> bool:
    return all(x == 0 for x, _ in counts) or all(x == n for x, n in counts)


def _why_undetermined(population: Population, counts: Counts) -> str | None:
    if not counts:
        return "no trial was scored, so nothing bounds the rate"
    if population is Population.CASES_LIKE_THESE and len(counts) < MIN_CASES:
        return "one case says nothing about cases like it; at least 2 are needed"
    return None


def _collect_cautions(population: Population, counts: Counts, planned: int) -> tuple[str, ...]:
    found = []
    if len(counts) < planned:
        found.append(f"{planned - len(counts)} of {planned} cases have no scored trial")
    if population is Population.CASES_LIKE_THESE:
        few = () if _are_unanimous(counts) else caution_few_cases(len(counts))
        return (*found, *few)
    if len({n for _, n in counts}) > 1:
        found.append("cases have unequal numbers of trials: the rate is weighted by trials")
    return tuple(found)


def _require_missing(missing: Sequence[int], cases: int) -> list[int]:
    lost = [require_count(f"missing[{i}]", gone) for i, gone in enumerate(missing)]
    if lost and len(lost) != cases:
        raise StatisticsError(
            f"missing has {len(lost)} numbers for {cases} cases: expected one for each case."
        )
    return lost or [0] * cases
