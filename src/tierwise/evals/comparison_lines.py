"""A comparison as text: what was seen, what that shows, and what weakens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.evals.comparability import name_some
from tierwise.evals.comparison import Finding
from tierwise.evals.wording import percent, round_percent, say_population

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.evals.comparison import (
        Comparison,
        DifferenceClaim,
        EvalComparison,
        MetricDifference,
        Side,
    )
    from tierwise.evals.pairing import MetricPairs

_SMALLEST_P = 0.0001


def comparison_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """Return all lines of several comparisons: who was compared, then each eval."""
    lines: list[str] = []
    for found in comparisons:
        lines += ["", *side_lines(found)] if lines else side_lines(found)
        for entry in found.evals:
            lines += ["", *eval_lines(entry, found)]
        lines += lonely_lines(found)
    return lines


def side_lines(comparison: Comparison) -> list[str]:
    """Return what A and B stand for."""
    sides = zip("AB", (comparison.first, comparison.second), strict=True)
    return [f"{letter}  {say_side(side)}" for letter, side in sides]


def say_side(side: Side) -> str:
    """Return the run and the provider of a side, when it started, and its commit."""
    commit = f", commit {side.run.info.commit[:8]}" if side.run.info.commit else ""
    open_end = "" if side.run.finished_at else ", not finished"
    return f"{side.run.run_id}  {side.name}  ({side.run.started_at}{commit}{open_end})"


def eval_lines(entry: EvalComparison, comparison: Comparison) -> list[str]:
    """Return one eval: its metrics, each with what is shown for both populations."""
    trials = f"{entry.first.n_scored} and {entry.second.n_scored} scored trials"
    noun = "case" if entry.n_cases == 1 else "cases"
    lines = [f"{entry.eval_id}  [{entry.n_cases} {noun} on both sides, {trials}]"]
    said: set[str] = set()
    for metric in entry.metrics:
        lines += [f"  {line}" for line in metric_lines(metric, comparison, said)]
    if not entry.metrics:
        lines.append("  nothing to compare: no metric was scored on both sides")
    return lines + [f"  {line}" for line in footnotes(entry)]


def metric_lines(metric: MetricDifference, comparison: Comparison, said: set[str]) -> list[str]:
    """Return a metric's means, and below them what is shown for each population.

    A caution that was `said` is not repeated.
    """
    cells = metric_cells(metric, metric.claims[0].population)
    way = f" ({metric.better} is better)" if metric.better else ""
    lines = [f"{metric.metric}{way}: A {cells[0]}, B {cells[1]}"]
    for claim in metric.claims:
        lines.append(
            f"  for {say_population(claim.population)}: {say_claim(metric, claim, comparison)}"
        )
        is_interval_told = claim.finding is not Finding.UNDETERMINED
        new = [text for text in claim.cautions if is_interval_told and text not in said]
        lines += [f"    caution: {caution}" for caution in new]
        said.update(new)
    return lines


def metric_cells(metric: MetricDifference, population: str) -> tuple[str, ...]:
    """Return a metric's cells of a table: A, B, difference, interval, p, and what is shown."""
    claim = metric.claim(population)
    means = (_say_mean(mean, metric.pairs) for mean in (metric.mean_first, metric.mean_second))
    return (
        *means,
        "-" if claim.estimate is None else _say_signed(claim.estimate, metric.pairs, unit=True),
        _say_interval(claim, metric.pairs) or "-",
        "-" if claim.p_adjusted is None else say_p(claim.p_adjusted),
        say_shown(metric, population),
    )


def say_shown(metric: MetricDifference, population: str) -> str:
    """Return who is better, or that it is not shown, or that it could not have been told."""
    finding = metric.claim(population).finding
    if winner := metric.winner(population):
        return f"{winner} is better"
    if finding is Finding.HIGHER:
        return "B is higher"
    return "A is higher" if finding is Finding.LOWER else str(finding)


def say_claim(metric: MetricDifference, claim: DifferenceClaim, comparison: Comparison) -> str:
    """Return what is shown for one population, with the numbers behind it."""
    shown = say_shown(metric, claim.population)
    if claim.finding is Finding.UNDETERMINED or claim.estimate is None:
        return f"{shown}: {claim.reason}"
    parts = [_say_signed(claim.estimate, metric.pairs, unit=True)]
    if interval := _say_interval(claim, metric.pairs):
        parts.append(f"{percent(comparison.confidence)} interval {interval} ({claim.method})")
    parts += [*_say_test(claim, comparison), *([claim.reason] if claim.reason else [])]
    if claim.detectable is not None:
        about = say_distance(claim.detectable, metric.pairs)
        parts.append(f"about {about} would have been shown 4 times of 5")
    return f"{shown}: {'; '.join(parts)}"


def footnotes(entry: EvalComparison) -> list[str]:
    """Return the cases that were not compared, and what else differs."""
    groups: Iterable[tuple[str, tuple[str, ...]]] = (
        ("run by A alone", entry.only_first),
        ("run by B alone", entry.only_second),
        ("changed between A and B, so not compared", entry.changed),
        ("scored on one side alone", _find_one_sided(entry)),
    )
    lines = [f"cases {what} ({len(names)}): {name_some(names)}" for what, names in groups if names]
    return [*lines, *(f"warning: {warning}" for warning in entry.warnings)]


def lonely_lines(comparison: Comparison) -> list[str]:
    """Return the evals that one side alone ran; none of them was compared."""
    groups = (("A", comparison.only_first), ("B", comparison.only_second))
    return [
        f"evals run by {side} alone ({len(names)}): {name_some(names)}"
        for side, names in groups
        if names
    ]


def say_distance(value: float, pairs: MetricPairs) -> str:
    """Return how far two values lie apart: of rates in points, a point being one per cent."""
    return f"{value * 100:.3g} points" if pairs.is_rate else f"{value:.4g}"


def say_p(p: float) -> str:
    """Return a p-value; a very small one is only bounded."""
    return f"< {_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.2g}"


def _say_test(claim: DifferenceClaim, comparison: Comparison) -> list[str]:
    if claim.p_value is None or claim.p_adjusted is None:
        return []
    n = comparison.n_tests.get(claim.population, 0)
    corrected = f", {say_p(claim.p_adjusted)} by Holm over {n} differences" if n > 1 else ""
    return [f"p {say_p(claim.p_value)} ({claim.test}){corrected}"]


def _say_mean(mean: float | None, pairs: MetricPairs) -> str:
    if mean is None:
        return "-"
    return round_percent(mean) if pairs.is_rate else f"{mean:.4g}"


def _say_signed(value: float, pairs: MetricPairs, *, unit: bool = False) -> str:
    if not pairs.is_rate:
        return f"{value:+.4g}"
    return f"{value * 100:+.3g}{' points' if unit else ''}"


def _say_interval(claim: DifferenceClaim, pairs: MetricPairs) -> str:
    if claim.interval is None:
        return ""
    low, high = claim.interval
    return f"{_say_signed(low, pairs)} to {_say_signed(high, pairs)}"


def _find_one_sided(entry: EvalComparison) -> tuple[str, ...]:
    names = (case.case_id for metric in entry.metrics for case in metric.pairs.one_sided)
    return tuple(dict.fromkeys(names))
