"""Two runs, or two providers of one run, compared: paired by case, corrected for how many."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.comparability import find_changed, find_warnings
from tierwise.evals.comparison import Comparison, EvalComparison, MetricDifference, Side
from tierwise.evals.differences import Draft, correct, draft_claim, settle
from tierwise.evals.pairing import count_categories, find_kind, pair_metric
from tierwise.evals.sides import pair_providers, sides_of
from tierwise.evals.trial import PASSED
from tierwise.records.run_names import find_run
from tierwise.records.scores import Shared
from tierwise.stats import Population

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tierwise.evals.differences import Corrected
    from tierwise.evals.pairing import MetricKind, MetricPairs
    from tierwise.evals.promises import Better
    from tierwise.records.eval_reading import EvalReader
    from tierwise.records.scores import EvalScores


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPlan:
    """What is compared, and how surely; fixed before the numbers are looked at."""

    metrics: tuple[str, ...] = ()
    """Only these; empty means all that both sides scored."""
    metrics_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By eval, only these, where it is not the same for all."""
    confidence: float = 0.95
    better: Better | None = None
    """Which way is better for metrics whose expectations do not say it."""
    shared: Mapping[tuple[str, str], Shared] = field(default_factory=dict)
    """By the two plans' hashes, what is one observation on both sides."""
    inputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By the hash of inputs, the files and packages that it stands for, to name what changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Paired:
    """One eval of both sides with its metrics drafted, before the correction."""

    comparison: EvalComparison
    drafts: tuple[tuple[MetricPairs, MetricKind, tuple[Draft, ...]], ...]


def compare_sides(
    pairs: Sequence[tuple[Side, Side]], plan: ComparisonPlan
) -> tuple[Comparison, ...]:
    """Compare the evals that both sides of each pair have; an eval only ever with itself.

    All differences of all pairs are one family: the more is compared, the more one of them has
    to show.
    """
    matched = [(first, second, _match(first, second)) for first, second in pairs]
    _require_metrics(
        plan.metrics, [side for _, _, evals in matched for one in evals for side in one]
    )
    paired = [
        [_pair((first, second), evals, plan) for evals in found]
        for first, second, found in matched
    ]
    adjusted, n_tests = _correct([entry for found in paired for entry in found])
    return tuple(
        Comparison(
            first=first,
            second=second,
            evals=tuple(_finish(entry, adjusted, n_tests, plan) for entry in found),
            only_first=_find_lonely(first, second),
            only_second=_find_lonely(second, first),
            confidence=plan.confidence,
            n_tests={str(population): n for population, n in n_tests.items()},
        )
        for (first, second), found in zip(pairs, paired, strict=True)
    )


def compare_providers(evals: EvalReader, run_id: str) -> tuple[Comparison, ...]:
    """Return how the providers of one run compare; nothing where no eval had two."""
    run = find_run(run_id, evals.runs())
    return compare_sides(pair_providers(sides_of(run.run, evals.scores(run_id))), ComparisonPlan())


def _match(first: Side, second: Side) -> list[tuple[EvalScores, EvalScores]]:
    theirs = {entry.plan.eval_id: entry for entry in second.evals}
    return [
        (entry, theirs[entry.plan.eval_id])
        for entry in first.evals
        if entry.plan.eval_id in theirs
    ]


def _find_lonely(side: Side, other: Side) -> tuple[str, ...]:
    known = {entry.plan.eval_id for entry in other.evals}
    return tuple(e.plan.eval_id for e in side.evals if e.plan.eval_id not in known)


def _pair(
    sides: tuple[Side, Side], evals: tuple[EvalScores, EvalScores], plan: ComparisonPlan
) -> _Paired:
    one, two = evals
    changed, _ = find_changed(one, two)
    case_ids = [c for c in one.cases if c in two.cases and c not in set(changed)]
    chosen = _choose_metrics(evals, plan.metrics_of.get(one.plan.eval_id, plan.metrics))
    shared = plan.shared.get((one.plan.plan_hash, two.plan.plan_hash), Shared())
    comparison = EvalComparison(
        eval_id=one.plan.eval_id,
        first=one,
        second=two,
        metrics=(),
        n_cases=len(case_ids),
        only_first=tuple(case_id for case_id in one.cases if case_id not in two.cases),
        only_second=tuple(case_id for case_id in two.cases if case_id not in one.cases),
        changed=changed,
        warnings=(
            *find_warnings(sides, evals, shared, plan.inputs),
            *_warn_of_metrics(evals, chosen),
        ),
        shared=shared,
    )
    drafts = tuple(
        (pairs, kind, _draft(pairs, plan.confidence))
        for metric, kind in chosen.items()
        if kind != "mixed"
        for pairs in pair_metric(metric, kind, evals, case_ids)
    )
    return _Paired(comparison=comparison, drafts=drafts)


def _draft(pairs: MetricPairs, confidence: float) -> tuple[Draft, ...]:
    return tuple(draft_claim(pairs, each, confidence=confidence) for each in Population)


def _choose_metrics(
    evals: tuple[EvalScores, EvalScores], asked: Collection[str]
) -> dict[str, MetricKind]:
    """Return the metrics that both sides scored, with their kind.

    `passed` says nothing where no assert ever failed, and is then left out of the family.
    """
    one, two = (set(entry.metrics) for entry in evals)
    names = sorted(name for name in one & two if not asked or name in asked)
    return {
        name: find_kind(name, *evals)
        for name in names
        if name != PASSED or name in asked or _is_ever_false(name, evals)
    }


def _is_ever_false(metric: str, evals: Iterable[EvalScores]) -> bool:
    return any(
        metric in case.metrics and case.metrics[metric].n_false
        for entry in evals
        for case in entry.cases.values()
    )


def _warn_of_metrics(
    evals: tuple[EvalScores, EvalScores], chosen: Mapping[str, MetricKind]
) -> Iterator[str]:
    one, two = (set(entry.metrics) for entry in evals)
    for side, names in (("A", one - two), ("B", two - one)):
        if names:
            yield f"scored by {side} alone: {', '.join(sorted(names))}"
    for metric, kind in chosen.items():
        if kind == "mixed":
            yield (
                f"{metric} holds scores of several kinds (True or False, numbers, texts), which "
                "cannot be compared"
            )
        if kind == "category" and (note := count_categories(metric, evals)):
            yield note


def _correct(paired: Iterable[_Paired]) -> tuple[dict[int, Corrected], dict[Population, int]]:
    """Return Holm's p of each draft; each population is a family of its own.

    Drafts are told apart by identity: two of them may hold the same numbers.
    """
    adjusted: dict[int, Corrected] = {}
    n_tests: dict[Population, int] = {}
    drafts = [draft for entry in paired for _, _, found in entry.drafts for draft in found]
    for population in Population:
        family = [d for d in drafts if d.population is population and d.p_value is not None]
        adjusted |= {
            id(draft): found for draft, found in zip(family, correct(family), strict=True)
        }
        n_tests[population] = len(family)
    return adjusted, n_tests


def _finish(
    paired: _Paired,
    adjusted: Mapping[int, Corrected],
    n_tests: Mapping[Population, int],
    plan: ComparisonPlan,
) -> EvalComparison:
    found = paired.comparison
    metrics = []
    for pairs, kind, drafts in paired.drafts:
        first, second = pairs.means()
        claims = tuple(
            settle(
                draft,
                adjusted.get(id(draft)),
                confidence=plan.confidence,
                n_tests=n_tests[draft.population],
            )
            for draft in drafts
        )
        metrics.append(
            MetricDifference(
                metric=pairs.name,
                kind=kind,
                better=_find_better(pairs.name, (found.first, found.second)) or plan.better,
                pairs=pairs,
                mean_first=fmean(first) if first else None,
                mean_second=fmean(second) if second else None,
                claims=claims,
            )
        )
    return replace(found, metrics=tuple(metrics))


def _find_better(name: str, evals: tuple[EvalScores, EvalScores]) -> Better | None:
    """Return which way the expectations of both sides say is better, where they agree."""
    said = {entry.plan.detail.get("better", {}).get(name) for entry in evals}
    found = said.pop() if len(said) == 1 else None
    return found if found in ("higher", "lower") else None


def _require_metrics(asked: Iterable[str], evals: Iterable[EvalScores]) -> None:
    known = {name for entry in evals for name in entry.metrics}
    for name in asked:
        if known and name not in known:
            raise EvalUsageError(
                f"No eval that both sides ran has scores of a metric {name!r}."
                f"{suggest(name, known)}"
            )
