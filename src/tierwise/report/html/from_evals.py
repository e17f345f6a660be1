"""Of the evals: what was judged, what was said in the trials that matter, how sides compare."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from tierwise.domain import CaseRate, Claim, Judgement, Verdict
from tierwise.errors import EvalUsageError, MissingExtraError
from tierwise.evals.enough import is_broken_off
from tierwise.records.scores import PlanUsage
from tierwise.report.html.values import ComparisonPart, DifferenceLine, EvalPart, Line
from tierwise.report.html.wording import say_when

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tierwise.evals.comparison import Comparison, Side
    from tierwise.records import PlanRow, RunRow, RunStore, VerdictRow
    from tierwise.records.report_rows import PlanCounts, VerdictPoint
    from tierwise.records.scores import EvalRun

_FIELDS = frozenset(field.name for field in dataclasses.fields(Judgement))
_POPULATION = "these_cases"
_WORST_FIRST = ("refuted", "not judged", "undecided", "proven")
SHOWN_TRIALS = 200
"""So many trials of one plan are shown at most, the worst first: the store has all of them."""
_MOST_POINTS = 40
_ALL_TRIALS = 2_000_000
"""Runs with more trials than this together are compared on request alone."""


def read_evals(store: RunStore, root: Path) -> tuple[EvalPart, ...]:
    """Return each eval that is still in the project, as it was last run, the worst first."""
    found = [counts for counts in store.report.latest_plans() if is_there(counts.plan, root)]
    run_ids = dict.fromkeys(counts.plan.run_id for counts in found)
    runs = {run.run_id: run for run in store.runs() if run.run_id in run_ids}
    usage = {run_id: store.evals.usage(run_id) for run_id in run_ids}
    verdicts = {run_id: store.evals.verdicts(run_id) for run_id in run_ids}
    parts = []
    for counts, provider in zip(found, _label(found), strict=True):
        plan = counts.plan
        part = make_part(counts, provider, runs[plan.run_id], verdicts[plan.run_id])
        signs = signs_against(plan.detail.get("better", {}))
        parts.append(
            dataclasses.replace(
                part,
                usage=usage[plan.run_id].get(plan.plan_hash, part.usage),
                trials=store.report.pick_trials(plan, signs=signs, n=SHOWN_TRIALS),
            )
        )
    return tuple(sorted(parts, key=lambda part: _WORST_FIRST.index(part.verdict)))


def is_there(plan: PlanRow, root: Path) -> bool:
    """Is the file of an eval still in the project?"""
    return (root / plan.eval_id.partition("::")[0]).exists()


def make_part(
    counts: PlanCounts, provider: str, run: RunRow, verdicts: Iterable[VerdictRow]
) -> EvalPart:
    """Return one eval with its judgements, before its trials are read."""
    judgements = tuple(
        judgement_of(row) for row in verdicts if row.plan_hash == counts.plan.plan_hash
    )
    return EvalPart(
        plan=counts.plan,
        provider=provider,
        started_at=run.started_at,
        is_finished=bool(run.finished_at),
        verdict=worst_verdict(judgements),
        judgements=judgements,
        outcomes=counts.count("trial"),
        controls=counts.count("control"),
        usage=PlanUsage(),
    )


def worst_verdict(judgements: Iterable[Judgement]) -> str:
    """Return the worst of the verdicts, or `not judged` where there is none."""
    found = {judgement.verdict for judgement in judgements}
    worst_first = (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.PROVEN)
    return next((str(verdict) for verdict in worst_first if verdict in found), "not judged")


def judgement_of(row: VerdictRow) -> Judgement:
    """Return a verdict with all its numbers; what another version kept besides is left out."""
    known: dict[str, Any] = {key: row.detail[key] for key in row.detail if key in _FIELDS}
    claims = tuple(Claim(**claim) for claim in known.pop("claims", None) or ())
    outliers = tuple(CaseRate(**case) for case in known.pop("outliers", None) or ())
    interval = known.pop("interval", None)
    known |= {
        "expectation": row.expectation,
        "metric": row.metric,
        "verdict": row.verdict,
        "reason": row.reason,
        "n_scored": row.n_scored,
        "n_planned": row.n_planned,
        "cautions": tuple(known.get("cautions") or ()),
        "unpaired": tuple(known.get("unpaired") or ()),
    }
    return Judgement(
        **known,
        claims=claims,
        outliers=outliers,
        interval=None if interval is None else (float(interval[0]), float(interval[1])),
    )


def signs_against(better: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the kept scores of a trial hold where it speaks against its promise."""
    signs = []
    for name, way in better.items():
        metric, is_text, text = name.partition("=")
        if is_text and way == "lower":
            signs.append(f"{_quote(metric)}:{_quote(text)}")
        elif not is_text:
            signs.append(f"{_quote(name)}:{'true' if way == 'lower' else 'false'}")
    return tuple(signs)


def read_comparisons(store: RunStore, runs: Sequence[EvalRun]) -> tuple[ComparisonPart, ...]:
    """Compare the last two runs of evals, and the providers of the last one with each other."""
    from tierwise.evals.comparing import ComparisonPlan, compare_sides  # noqa: PLC0415  slow
    from tierwise.evals.sides import pair_providers, pair_runs, sides_of  # noqa: PLC0415

    if not runs:
        return ()
    sides = [sides_of(run.run, store.evals.scores(run.run.run_id)) for run in runs[-2:]]
    pairs, shared = pair_providers(sides[-1]), {}
    if len(sides) > 1:
        try:
            pairs += pair_runs(sides[0], sides[1], None)
        except EvalUsageError:
            pass  # two runs without a provider in common say nothing of each other
        else:
            ids = [run.run.run_id for run in runs[-2:]]
            shared = store.evals.find_shared(ids[0], ids[1])
    found = compare_sides(pairs, ComparisonPlan(shared=shared)) if pairs else ()
    return tuple(part for part in map(_comparison_part, found) if part.lines)


def try_comparisons(
    store: RunStore, runs: Sequence[EvalRun]
) -> tuple[tuple[ComparisonPart, ...], str]:
    """Return the comparisons, or why there is none."""
    if sum(plan.n_planned for run in runs[-2:] for plan in run.plans) > _ALL_TRIALS:
        return (), "The last two runs have too many trials to be compared here."
    try:
        return read_comparisons(store, runs), ""
    except MissingExtraError as error:
        return (), str(error)


def trace_evals(points: Sequence[VerdictPoint], known: Iterable[EvalPart]) -> tuple[Line, ...]:
    """Return the estimate of each expectation that is in the report, run by run.

    A run that was broken off is a gap: one trial of sixty is no rate of 0 or 100 %.
    """
    wanted = {
        (part.plan.eval_id, judgement.expectation, part.plan.provider): judgement
        for part in known
        for judgement in part.judgements
    }
    lines: dict[tuple[str, str, str], list[VerdictPoint]] = {}
    for point in points:
        key = (point.eval_id, point.expectation, point.provider)
        if key in wanted:
            lines.setdefault(key, []).append(point)
    return tuple(
        Line(
            title=expectation,
            detail=f"{eval_id}  [{provider}]",
            values=tuple(map(_estimate_of, found[-_MOST_POINTS:])),
            last=found[-1].verdict,
        )
        for (eval_id, expectation, provider), found in lines.items()
    )


def _estimate_of(point: VerdictPoint) -> float | None:
    verdicts = (Verdict(point.verdict),)
    return None if is_broken_off(point.n_scored, point.n_planned, verdicts) else point.estimate


def _label(found: Sequence[PlanCounts]) -> tuple[str, ...]:
    seen = Counter((counts.plan.eval_id, counts.plan.provider) for counts in found)
    return tuple(
        f"{plan.provider} ({plan.definition[:6]})"
        if seen[plan.eval_id, plan.provider] > 1
        else plan.provider
        for plan in (counts.plan for counts in found)
    )


def _comparison_part(found: Comparison) -> ComparisonPart:
    from tierwise.evals.comparison_lines import metric_cells  # noqa: PLC0415  slow

    lines = []
    for entry, metric in found.differences:
        claim = metric.claim(_POPULATION)
        lines.append(
            DifferenceLine(
                eval_id=entry.eval_id,
                metric=metric.metric,
                cells=metric_cells(metric, _POPULATION),
                estimate=claim.estimate,
                interval=claim.interval,
            )
        )
    return ComparisonPart(
        first=_say_side(found.first),
        second=_say_side(found.second),
        lines=tuple(lines),
        n_tests=found.n_tests.get(_POPULATION, 0),
    )


def _say_side(side: Side) -> str:
    commit = f", commit {side.run.info.commit[:8]}" if side.run.info.commit else ""
    open_end = "" if side.run.finished_at else ", not finished"
    when = say_when(side.run.started_at)
    return f"{side.name}, {when}, run {side.run.run_id}{commit}{open_end}"


def _quote(text: str) -> str:
    # As the store keeps it: SQLite has no lone surrogates.
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
