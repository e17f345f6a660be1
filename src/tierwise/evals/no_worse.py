"""Is the second side no worse than the first by more than a margin? A gate over a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals.comparability import say_shared
from tierwise.evals.comparison_lines import say_distance
from tierwise.evals.differences import MISSING_CEILING, bound_second
from tierwise.evals.wording import percent
from tierwise.stats import Population, Undetermined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.evals.comparison import Comparison, EvalComparison, MetricDifference


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """One metric of one eval: proven is no worse, refuted is worse."""

    eval_id: str
    metric: str
    verdict: Verdict
    reason: str


def judge_no_worse(
    comparisons: Sequence[Comparison], margin: float, population: Population
) -> tuple[GateVerdict, ...]:
    """Judge each metric of which it is known which way is better.

    Proven when the one-sided bound excludes a loss beyond the margin, missing trials counted
    against the second side. Refuted when the bound at the corrected confidence shows such a loss
    even with missing trials counted in its favour: alarms are corrected for their number,
    approvals need not be. Undecided otherwise.
    """
    if margin < 0:
        raise EvalUsageError(
            f"--fail-if-worse {margin:g}: expected 0 or more, the loss that is still no worse: "
            "0.02 lets a rate fall by 2 points."
        )
    judged = [
        (found, entry, metric)
        for found in comparisons
        for entry, metric in found.differences
        if metric.better is not None
    ]
    return tuple(
        _judge(entry, metric, margin, _Setting(population, found.confidence, len(judged)))
        for found, entry, metric in judged
    )


def worst_of(verdicts: Iterable[GateVerdict]) -> Verdict:
    """Return refuted if any is, else undecided if any is or there is none, else proven."""
    found = {entry.verdict for entry in verdicts}
    for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
        if verdict in found:
            return verdict
    return Verdict.PROVEN if found else Verdict.UNDECIDED


@dataclass(frozen=True, slots=True)
class _Setting:
    population: Population
    confidence: float
    n_judged: int


def _judge(
    entry: EvalComparison, metric: MetricDifference, margin: float, setting: _Setting
) -> GateVerdict:
    verdict, reason = _decide(metric, margin, setting)
    n_unpaired = len(entry.only_first) + len(entry.only_second) + len(entry.changed)
    n_all = n_unpaired + entry.n_cases
    if verdict is Verdict.PROVEN and n_unpaired > MISSING_CEILING * n_all:
        verdict = Verdict.UNDECIDED
        reason = (
            f"{n_unpaired} of {n_all} cases are not the same on both sides, more than the ceiling "
            f"of {percent(MISSING_CEILING)}; of the others {reason}"
        )
    if verdict is Verdict.PROVEN and entry.shared.n:
        verdict = Verdict.UNDECIDED
        reason = f"{say_shared(entry.shared)}: of them nothing was compared"
    return GateVerdict(eval_id=entry.eval_id, metric=metric.metric, verdict=verdict, reason=reason)


def _decide(metric: MetricDifference, margin: float, setting: _Setting) -> tuple[Verdict, str]:
    gains = [_bound_gain(metric, setting, is_alarm=alarm) for alarm in (False, True)]
    if isinstance(gains[0], str) or isinstance(gains[1], str):
        return Verdict.UNDECIDED, str(next(gain for gain in gains if isinstance(gain, str)))
    least, most = gains[0][0], gains[1][1]
    allowed = say_distance(margin, metric.pairs)
    if most < -margin:
        return Verdict.REFUTED, (
            f"B is worse by more than {say_distance(-most, metric.pairs)}, where {allowed} "
            "is allowed"
        )
    n_all = metric.pairs.n_missing + metric.pairs.n_scored
    if not metric.pairs.is_rate and metric.pairs.n_missing > MISSING_CEILING * n_all:
        return Verdict.UNDECIDED, (
            f"{metric.pairs.n_missing} of {n_all} trials have no score, more than the ceiling of "
            f"{percent(MISSING_CEILING)}"
        )
    if least >= -margin:
        loss = say_distance(max(0.0, -least), metric.pairs)
        return Verdict.PROVEN, f"B is worse by {loss} at most, where {allowed} is allowed"
    return Verdict.UNDECIDED, (
        f"B may be worse by up to {say_distance(-least, metric.pairs)}, where {allowed} is "
        "allowed: run more trials or cases, or allow more"
    )


def _bound_gain(
    metric: MetricDifference, setting: _Setting, *, is_alarm: bool
) -> tuple[float, float] | str:
    """Return both bounds of how much better B is, or why there are none."""
    is_higher = metric.better == "higher"
    pairs = metric.pairs
    if pairs.is_rate:
        # For an approval what is missing counts against B, for an alarm against A.
        good, bad = (1.0, 0.0) if is_higher else (0.0, 1.0)
        pairs = (
            pairs.fill(first=bad, second=good) if is_alarm else pairs.fill(first=good, second=bad)
        )
    alpha = (1.0 - setting.confidence) / (setting.n_judged if is_alarm else 1)
    bounds = bound_second(pairs, setting.population, confidence=1.0 - alpha)
    if isinstance(bounds, Undetermined):
        return bounds.reason
    return (bounds.lower, bounds.upper) if is_higher else (-bounds.upper, -bounds.lower)
