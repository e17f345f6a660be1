"""A metric beside an earlier run's, case by case, asked whether it got worse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.evals.comparability import say_shared
from tierwise.evals.evidence import Evidence, Question, ends_of
from tierwise.evals.judging_means import ask_for_range, say_uncounted, weigh_filled
from tierwise.evals.wording import percent, say_number
from tierwise.stats import CaseMean, MeanBounds, Undetermined, bound_difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.evals.baseline import Baseline
    from tierwise.evals.counting import Counts
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.promises import NoWorse
    from tierwise.stats import Population

_SHOWN = 3
_ASK_FOR_BASELINE = (
    "name the run to compare with: tierwise eval run --baseline RUN (tierwise eval runs lists "
    "them); run it once with the subject as it was"
)


_ASK_TO_MEASURE = "measure both sides: tierwise eval run --fresh --baseline RUN, without --cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairs:
    """The cases of both runs, side by side."""

    new: tuple[CaseMean, ...]
    old: tuple[CaseMean, ...]
    missing: tuple[int, ...]
    only_new: tuple[str, ...]
    only_old: tuple[str, ...]

    @property
    def unpaired(self) -> tuple[str, ...]:
        return (*self.only_new, *self.only_old)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    expectation: Expectation
    promise: NoWorse
    counts: Counts
    pairs: _Pairs


def ask_difference(
    expectation: Expectation, promise: NoWorse, counts: Counts, baseline: Baseline | None
) -> Question:
    """Return the question that a comparison with an earlier run is asked."""
    is_higher = promise.better == "higher"
    known = {} if baseline is None else baseline.metrics.get(expectation.metric, {})
    pairs = _pair(counts, known)
    problem = _find_problem(expectation, counts, pairs, baseline)
    asked = _Asked(expectation=expectation, promise=promise, counts=counts, pairs=pairs)
    interval, method = ends_of(_bound(asked, pairs.new, expectation.population))
    return Question(
        unit="difference",
        quantity="difference",
        low=-promise.margin if is_higher else None,
        high=None if is_higher else promise.margin,
        weigh=lambda population: (
            Undetermined(reason=problem) if problem else _weigh(asked, population)
        ),
        interval=None if problem else interval,
        interval_method=method,
        next_step=_next_step(expectation, promise, counts, baseline),
        cautions=(*_say_unpaired(pairs), *say_uncounted(promise.span, counts)),
        baseline="" if baseline is None else baseline.label,
        unpaired=() if baseline is None else pairs.unpaired,
    )


def ask_nothing_of_shared(question: Question, baseline: Baseline | None) -> Question | None:
    """Return the question without an answer where trials are the same in both runs, else None.

    What was compared with itself may show that something is worse, and never that nothing is.
    """
    if baseline is None or not baseline.shared.n:
        return None
    found = Undetermined(reason=f"{say_shared(baseline.shared)}: of them nothing was compared")
    return replace(
        question, weigh=lambda _population: found, interval=None, next_step=_ASK_TO_MEASURE
    )


def _weigh(asked: _Asked, population: Population) -> Evidence | Undetermined:
    def weigh(cases: Sequence[CaseMean]) -> MeanBounds | Undetermined:
        return _bound(asked, cases, population)

    span = (0.0, 1.0) if asked.counts.is_binary else asked.promise.span
    return weigh_filled(asked.pairs.new, asked.pairs.missing, span, weigh)


def _bound(
    asked: _Asked, cases: Sequence[CaseMean], population: Population
) -> MeanBounds | Undetermined:
    return bound_difference(
        population,
        list(zip(cases, asked.pairs.old, strict=True)),
        confidence=asked.expectation.confidence,
        span=asked.promise.span,
        is_binary=asked.counts.is_binary,
    )


def _pair(counts: Counts, known: Mapping[str, CaseMean]) -> _Pairs:
    scored = {case_id for case_id, case in known.items() if case.n}
    rows = list(zip(counts.labels, counts.scores, counts.open, strict=True))
    both = [row for row in rows if row[0] in scored]
    here = {label for label, case, _ in rows if case.n}
    return _Pairs(
        new=tuple(case for _, case, _ in both),
        old=tuple(known[label] for label, _, _ in both),
        missing=tuple(gone for _, _, gone in both),
        only_new=tuple(label for label, _, _ in rows if label in here - scored),
        only_old=tuple(sorted(scored - here)),
    )


def _find_problem(
    expectation: Expectation, counts: Counts, pairs: _Pairs, baseline: Baseline | None
) -> str:
    """Return why the two runs cannot be compared; empty when they can."""
    if baseline is None:
        return "there is no run to compare with"
    if not any(case.n for case in pairs.new):
        return f"no case was scored both here and in {baseline.label}"
    if counts.is_binary and any(not 0 <= case.mean <= 1 for case in pairs.old):
        return f"{expectation.metric} is True or False here and was a number in {baseline.label}"
    n_all = sum(1 for case in pairs.new if case.n) + len(pairs.unpaired)
    share = len(pairs.unpaired) / n_all
    if share > expectation.missing_ceiling:
        return (
            f"{len(pairs.unpaired)} of {n_all} cases were scored on one side only "
            f"({percent(share, up=True)}), more than the ceiling of "
            f"{percent(expectation.missing_ceiling)}: {_name(pairs.unpaired)}"
        )
    return ""


def _next_step(
    expectation: Expectation, promise: NoWorse, counts: Counts, baseline: Baseline | None
) -> str:
    if baseline is None:
        return _ASK_FOR_BASELINE
    return ask_for_range(expectation, promise.span, counts)


def _say_unpaired(pairs: _Pairs) -> tuple[str, ...]:
    sides = (
        (pairs.only_new, "scored here and not in the baseline"),
        (pairs.only_old, "scored in the baseline and not here"),
    )
    return tuple(
        f"{say_number(len(labels), 'case was', 'cases were')} {what}: {_name(labels)}"
        for labels, what in sides
        if labels and pairs.new
    )


def _name(labels: Sequence[str]) -> str:
    shown = ", ".join(repr(label) for label in labels[:_SHOWN])
    return f"{shown} and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else shown
