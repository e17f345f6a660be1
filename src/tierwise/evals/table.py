"""An eval's summary as lines for a terminal: every number with what it rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.evals.provenance import provenance_lines
from tierwise.evals.wording import percent, round_value, say_population, say_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import EvalSummary, Judgement

_UNSCORED = (Outcome.ERROR, Outcome.UNOBSERVABLE, Outcome.NOT_RUN)
_REASONS_SHOWN = 3


def table_lines(summaries: Iterable[EvalSummary]) -> list[str]:
    """Return the lines of all evals, a blank line between two."""
    lines: list[str] = []
    for summary in summaries:
        lines += ["", *eval_lines(summary)] if lines else eval_lines(summary)
    return lines


def eval_lines(summary: EvalSummary) -> list[str]:
    """Return the lines of one eval: a headline, then each expectation with its evidence."""
    lines = [headline(summary)]
    if summary.error:
        lines += _indent([f"NOT JUDGED {summary.error}"])
    said: set[str] = set()
    for judgement in summary.judgements:
        new = [caution for caution in judgement.cautions if caution not in said]
        lines += _indent(judgement_lines(replace(judgement, cautions=tuple(new))))
        said.update(new)
    lines += _indent([*footnotes(summary), *provenance_lines(summary)])
    return lines


def headline(summary: EvalSummary) -> str:
    """Return the eval's id, its provider, and how often its plan has been run."""
    run = "" if summary.run_number is None else f", run {summary.run_number} of this plan"
    if run and summary.n_unjudged_runs:
        run += f", {summary.n_unjudged_runs} of them without a verdict"
    return f"{summary.eval_id}  [{summary.provider}{run}]"


def judgement_lines(judgement: Judgement) -> list[str]:
    """Return one expectation: its verdict first, then what was counted and what that proves."""
    lines = [
        f"{str(judgement.verdict).upper():<9} {judgement.expectation}: {judgement.reason}",
        f"  scored {judgement.n_scored} of {judgement.n_planned} planned, {estimate(judgement)}",
    ]
    if judgement.stopped:
        lines.append(f"  {judgement.stopped}")
    if judgement.baseline:
        lines.append(f"  compared with {judgement.baseline}, case by case")
    lines += [
        f"  proven for {say_population(claim.population)}: {claim.sentence}"
        for claim in judgement.claims
    ]
    if todo := judgement.next_step or say_needed(judgement):
        lines.append(f"  {todo}")
    if judgement.control:
        lines.append(f"  {judgement.control}")
    lines += [f"  caution: {caution}" for caution in judgement.cautions]
    return lines


def estimate(judgement: Judgement) -> str:
    """Return the observed number with its two-sided interval."""
    if judgement.estimate is None:
        # "No difference" would be a finding.
        name = judgement.quantity
        return f"{name} unknown" if judgement.unit == "difference" else f"no {name}"
    found = f"{judgement.quantity} {round_value(judgement.unit, judgement.estimate)}"
    if judgement.n_left:
        found += " (leans towards the verdict, since it was stopped early)"
    if judgement.interval is None:
        return f"{found}, no interval"
    return (
        f"{found}, two-sided {percent(judgement.confidence)} interval "
        f"{say_interval(judgement)} ({judgement.interval_method})"
    )


def say_interval(judgement: Judgement) -> str:
    """Return the two-sided interval, rounded outward; a dash where there is none."""
    if judgement.interval is None:
        return "-"
    low, high = judgement.interval
    unit = judgement.unit
    return f"{say_value(unit, low)} to {say_value(unit, high, up=True)}"


def judgement_numbers(judgement: Judgement) -> tuple[str, str, str, str]:
    """Return a judgement's cells of a table: scored, estimate, interval and bound."""
    is_upper = judgement.bound_side == "upper"
    bound = "-"
    if judgement.bound is not None:
        shown = say_value(judgement.unit, judgement.bound, up=is_upper)
        bound = f"{'<' if is_upper else '>='} {shown}"
    observed = judgement.estimate
    return (
        f"{judgement.n_scored} of {judgement.n_planned}",
        "-" if observed is None else round_value(judgement.unit, observed),
        say_interval(judgement),
        bound,
    )


def say_needed(judgement: Judgement) -> str:
    """Return how much a new plan would need; extending this one would spoil its guarantee."""
    if judgement.n_needed is None:
        return ""
    unit = "cases" if judgement.population == "cases_like_these" else "trials"
    return f"a new plan would need {judgement.n_needed} {unit}, {judgement.n_needed_if}"


def footnotes(summary: EvalSummary) -> list[str]:
    """Return what became of the trials without a score, and which fixtures were shared."""
    lines = []
    n_left = max((judgement.n_left for judgement in summary.judgements), default=0)
    counted = {outcome: summary.outcomes.get(outcome, 0) for outcome in _UNSCORED}
    counted[Outcome.NOT_RUN] = max(0, counted[Outcome.NOT_RUN] - n_left)
    unscored = [f"{n} {outcome}" for outcome, n in counted.items() if n]
    if n_left:
        lines.append(f"left out, since the eval was settled: {n_left} trials")
    if unscored:
        lines.append(f"without a score: {', '.join(unscored)}")
    lines += [f"  {n} x {reason}" for reason, n in summary.reasons[:_REASONS_SHOWN]]
    if len(summary.reasons) > _REASONS_SHOWN:
        lines.append(f"  and {len(summary.reasons) - _REASONS_SHOWN} other reasons")
    if summary.shared_fixtures:
        lines.append(f"shared by all trials: fixtures {', '.join(summary.shared_fixtures)}")
    return lines


def _indent(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]
