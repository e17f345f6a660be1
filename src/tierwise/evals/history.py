"""A metric over runs: what it was each time, and between which two it can be shown to change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.comparing import ComparisonPlan, compare_sides
from tierwise.evals.continuing import merge_continued
from tierwise.evals.enough import place_line
from tierwise.evals.pairing import choose_categories, find_kind, mean_of_case
from tierwise.evals.sides import sides_of
from tierwise.evals.trial import PASSED
from tierwise.stats import Interval, Population, Undetermined, bound_mean, wilson

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tierwise.evals.comparison import Comparison, Finding, MetricDifference, Side
    from tierwise.evals.enough import Placed
    from tierwise.evals.promises import Better
    from tierwise.records import RunRow, VerdictRow
    from tierwise.records.scores import EvalScores
    from tierwise.stats import CaseMean

    _Key = tuple[str, str, str, str]
    """Eval, provider, metric and the later of two runs."""

_THESE = str(Population.THESE_CASES)
_BLOCKS = "▁▂▃▄▅▆▇█"
_WORST_FIRST = (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.PROVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """One run with its scores and verdicts, as the store keeps them."""

    run: RunRow
    evals: tuple[EvalScores, ...]
    verdicts: tuple[VerdictRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPoint:
    """A metric in one measurement; `change` is what is shown of it beside one before.

    That is the last one that was not broken off, or the one before where all were. Runs that go
    on with one another are one measurement, and named by the last of them.
    """

    run_id: str
    started_at: str
    commit: str
    is_finished: bool
    n_scored: int
    n_planned: int
    estimate: float | None
    interval: tuple[float, float] | None
    verdict: str
    """That of its expectations in this run, the worst of several; empty where it has none."""
    change: Finding | None
    """None for the first run, and where nothing could be compared."""
    p_adjusted: float | None
    """By Holm, over all neighbours that were looked at."""
    is_redefined: bool
    """Do the eval's own code or its provider's options differ from the run it is compared with?"""
    runs: tuple[str, ...] = ()
    """All runs that it took, oldest first: each counts the trials of those before it."""
    is_copied: bool = False
    """Did all of its replies come from the cache?"""
    is_broken_off: bool = False
    """Has less than half of its plan a score, with nothing decided?"""
    compared_with: str = ""
    """The run that `change` is told against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One metric of one eval by one provider, oldest run first."""

    eval_id: str
    provider: str
    metric: str
    is_rate: bool
    better: Better | None
    points: tuple[HistoryPoint, ...]


def make_histories(
    runs: Sequence[PastRun], *, metrics: tuple[str, ...] = (), confidence: float = 0.95
) -> tuple[History, ...]:
    """Return a history for each eval, provider and metric; `runs` are oldest first.

    Without `metrics` those that are expected are taken, or else all. Each measurement is compared,
    case by case, with the last one before it that was not broken off, and all these comparisons
    are one family: the more of them, the more each has to show.
    """
    _require_known(metrics, runs)
    verdicts = {past.run.run_id: past.verdicts for past in runs}
    lines = {
        key: place_line(merge_continued(line), verdicts) for key, line in _line_up(runs).items()
    }
    wanted = {
        key: _choose_metrics([found.side for found in line], runs, metrics)
        for key, line in lines.items()
    }
    pairs = [
        (found.reference, found.side)
        for key, line in lines.items()
        for found in line
        if wanted[key] and found.reference is not None
    ]
    metrics_of: dict[str, tuple[str, ...]] = {}
    for (eval_id, _), names in wanted.items():
        metrics_of[eval_id] = (*metrics_of.get(eval_id, ()), *names)
    changes = _index(
        compare_sides(pairs, ComparisonPlan(metrics_of=metrics_of, confidence=confidence))
    )
    return tuple(
        history
        for key, line in lines.items()
        for metric in wanted[key]
        for history in _trace(line, metric, verdicts, changes)
    )


def draw_sparkline(values: Sequence[float | None], *, levels: str = _BLOCKS) -> str:
    """Return a small picture of the values, lowest to highest; a gap where there is none."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    top = len(levels) - 1
    scale = top / (high - low) if high > low else 0.0
    return "".join(
        " " if value is None else levels[round((value - low) * scale) if scale else top // 2]
        for value in values
    )


def _line_up(runs: Sequence[PastRun]) -> dict[tuple[str, str], list[Side]]:
    """Return, for each eval and provider, the sides that it has in the runs that have it."""
    lines: dict[tuple[str, str], list[Side]] = {}
    for past in runs:
        for side in sides_of(past.run, past.evals):
            for entry in side.evals:
                alone = replace(side, evals=(entry,))
                lines.setdefault((entry.plan.eval_id, side.name), []).append(alone)
    return lines


def _choose_metrics(
    line: Sequence[Side], runs: Sequence[PastRun], asked: Collection[str]
) -> list[str]:
    scored = {name for side in line for entry in side.evals for name in entry.metrics}
    if asked:
        return sorted(scored & set(asked))
    plans = {entry.plan.plan_hash for side in line for entry in side.evals}
    expected = {row.metric for past in runs for row in past.verdicts if row.plan_hash in plans}
    return sorted(scored & expected or scored - {PASSED} or scored)


def _require_known(asked: Iterable[str], runs: Sequence[PastRun]) -> None:
    known = {name for past in runs for entry in past.evals for name in entry.metrics}
    for name in asked:
        if known and name not in known:
            raise EvalUsageError(f"No eval scores a metric {name!r}.{suggest(name, known)}")


def _index(comparisons: Iterable[Comparison]) -> dict[_Key, MetricDifference]:
    return {
        (entry.eval_id, found.second.name, metric.metric, found.second.run.run_id): metric
        for found in comparisons
        for entry, metric in found.differences
    }


def _trace(
    line: Sequence[Placed],
    metric: str,
    verdicts: Mapping[str, Iterable[VerdictRow]],
    changes: Mapping[_Key, MetricDifference],
) -> Iterator[History]:
    sides = [placed.side for placed in line]
    evals = [side.evals[0] for side in sides]
    eval_id = evals[0].plan.eval_id
    kind = find_kind(metric, *evals)
    if kind == "mixed":
        return
    texts = choose_categories(metric, evals) if kind == "category" else [None]
    for text in texts:
        name = metric if text is None else f"{metric}={text}"
        found = [changes.get((eval_id, side.name, name, side.run.run_id)) for side in sides]
        yield History(
            eval_id=eval_id,
            provider=sides[0].name,
            metric=name,
            is_rate=kind != "number",
            better=next((change.better for change in reversed(found) if change), None),
            points=tuple(
                _point(placed, (metric, text), verdicts[placed.side.run.run_id], change)
                for placed, change in zip(line, found, strict=True)
            ),
        )


def _point(
    placed: Placed,
    named: tuple[str, str | None],
    verdicts: Iterable[VerdictRow],
    change: MetricDifference | None,
) -> HistoryPoint:
    side, reference = placed.side, placed.reference
    (entry,) = side.evals
    metric, text = named
    means = [mean_of_case(case, metric, text) for case in entry.cases.values()]
    is_rate = text is not None or find_kind(metric, entry) == "rate"
    estimate, interval = _estimate([mean for mean in means if mean.n], is_rate=is_rate)
    claim = None if change is None else change.claim(_THESE)
    return HistoryPoint(
        run_id=side.run.run_id,
        started_at=side.run.started_at,
        commit=side.run.info.commit,
        is_finished=bool(side.run.finished_at),
        n_scored=sum(mean.n for mean in means),
        n_planned=entry.plan.n_planned,
        estimate=estimate,
        interval=interval,
        verdict=_find_worst(
            row.verdict
            for row in verdicts
            if row.plan_hash == entry.plan.plan_hash and row.metric == metric
        ),
        change=None if claim is None else claim.finding,
        p_adjusted=None if claim is None else claim.p_adjusted,
        is_redefined=placed.is_redefined,
        runs=placed.runs,
        is_copied=entry.plan.is_copied,
        is_broken_off=placed.is_broken_off,
        compared_with="" if claim is None or reference is None else reference.run.run_id,
    )


def _estimate(
    cases: Sequence[CaseMean], *, is_rate: bool
) -> tuple[float | None, tuple[float, float] | None]:
    """Return the rate over all trials, or the mean over cases, with a two-sided interval."""
    if not cases:
        return None, None
    if is_rate:
        n = sum(case.n for case in cases)
        events = sum(round(case.mean * case.n) for case in cases)
        found = wilson(events, n)
        return events / n, _ends(found)
    bounds = bound_mean(Population.THESE_CASES, cases)
    mean = fmean(case.mean for case in cases)
    return mean, None if isinstance(bounds, Undetermined) else _ends(bounds.interval)


def _ends(interval: Interval | Undetermined) -> tuple[float, float] | None:
    return None if isinstance(interval, Undetermined) else (interval.low, interval.high)


def _find_worst(verdicts: Iterable[Verdict]) -> str:
    found = set(verdicts)
    return next((str(verdict) for verdict in _WORST_FIRST if verdict in found), "")
