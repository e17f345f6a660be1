"""What a tally holds about one metric, made ready for the statistics."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.evals.tally import MetricCount
from tierwise.stats import CaseMean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.moments import Moments
    from tierwise.evals.tally import CaseCount

_COPIES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """One metric over an arm: (True, scored) of each case, and what is missing of each."""

    per_case: tuple[tuple[int, int], ...]
    missing: tuple[int, ...]
    """Trials that were to have a score and have none: they count against you."""
    left: tuple[int, ...] = ()
    """Trials that an early stop left out, since they could change nothing; empty: none."""
    labels: tuple[str, ...] = ()
    n_unscored_events: int = 0
    """How often it was True in trials that went wrong: enough to refute a `never`, no more."""
    n_identical: int = 0
    """Scored trials, if within each case all of them got one and the same reply; else 0."""
    scores: tuple[CaseMean, ...] = ()
    """The numbers of each case, where it is means that are judged."""
    is_binary: bool = True
    """Are the observations True or False?"""
    values: tuple[tuple[str, int], ...] = ()
    """The texts that were scored and how often, the most frequent first."""

    @property
    def n_events(self) -> int:
        """How often the metric was True."""
        return sum(events for events, _ in self.per_case)

    @property
    def n_scored(self) -> int:
        """How many trials have a score."""
        return sum(n for _, n in self.per_case)

    @property
    def n_missing(self) -> int:
        """How many trials have no score and should have one."""
        return sum(self.missing)

    @property
    def n_left(self) -> int:
        """How many trials an early stop left out."""
        return sum(self.left)

    @property
    def n_planned(self) -> int:
        """How many trials were planned."""
        return self.n_scored + self.n_missing + self.n_left

    @property
    def open(self) -> tuple[int, ...]:
        """Trials of each case that may have gone either way: the missing and the left ones."""
        if not self.left:
            return self.missing
        return tuple(gone + left for gone, left in zip(self.missing, self.left, strict=True))


def count(
    metric: str, cases: Sequence[CaseCount], *, value: str | None = None, is_settled: bool = False
) -> Counts:
    """Count one metric over the cases of an arm; a planned trial without a score is missing.

    `value` is the text that is counted where the metric is a category. `is_settled` says that
    trials that never ended were left out on purpose.
    """
    found = [case.metrics.get(metric, MetricCount()) for case in cases]
    per_case = tuple(_count_value(entry, value) for entry in found)
    left = tuple(case.planned.trials - case.n_landed for case in cases)
    gone = left if is_settled else (0,) * len(left)
    repeated = [case for case in cases if case.n_with_reply >= _COPIES]
    is_copied = bool(repeated) and not any(case.is_varied for case in cases)
    return Counts(
        per_case=per_case,
        missing=tuple(
            case.planned.trials - n - out
            for case, (_, n), out in zip(cases, per_case, gone, strict=True)
        ),
        left=left if is_settled and any(left) else (),
        labels=tuple(case.planned.label for case in cases),
        n_unscored_events=sum(entry.n_unscored_true for entry in found) if value is None else 0,
        n_identical=sum(case.n_with_reply for case in repeated) if is_copied else 0,
        values=() if value is None else _merge_texts(found),
    )


def collect(metric: str, cases: Sequence[CaseCount], *, is_settled: bool = False) -> Counts:
    """Return the numbers of one metric over the cases of an arm; True is 1 and False 0."""
    found = [case.metrics.get(metric, MetricCount()) for case in cases]
    if not any(entry.n_numbers for entry in found):
        counts = count(metric, cases, is_settled=is_settled)
        return replace(counts, scores=tuple(score_rate(x, n) for x, n in counts.per_case))
    counts = count(metric, cases, is_settled=is_settled)
    n_numbers = [entry.n_numbers for entry in found]
    return replace(
        counts,
        per_case=tuple((0, n) for n in n_numbers),
        missing=tuple(gone - n for gone, n in zip(counts.missing, n_numbers, strict=True)),
        scores=tuple(
            CaseMean(n=0, mean=0.0) if entry.numbers is None else score_numbers(entry.numbers)
            for entry in found
        ),
        is_binary=False,
    )


def score_numbers(numbers: Moments) -> CaseMean:
    """Return what was added up of one case."""
    if not numbers.n:
        return CaseMean(n=0, mean=0.0)
    spread = numbers.variance if numbers.n > 1 else 0.0
    return CaseMean(n=numbers.n, mean=numbers.mean, variance=spread)


def score_rate(events: int, n: int) -> CaseMean:
    """Return a case's True and False as the numbers 1 and 0."""
    if not n:
        return CaseMean(n=0, mean=0.0)
    spread = events * (n - events) / (n * (n - 1)) if n > 1 else 0.0
    return CaseMean(n=n, mean=events / n, variance=spread)


def _merge_texts(found: Sequence[MetricCount]) -> tuple[tuple[str, int], ...]:
    texts: Counter[str] = Counter()
    for entry in found:
        texts.update(entry.texts or {})
    return tuple(sorted(texts.items(), key=lambda pair: (-pair[1], pair[0])))


def _count_value(entry: MetricCount, value: str | None) -> tuple[int, int]:
    if value is None:
        return entry.n_true, entry.n_rated
    return (0 if entry.texts is None else entry.texts[value]), entry.n_texts
