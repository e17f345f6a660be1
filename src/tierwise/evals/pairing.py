"""One metric of two sides, case by case: only what both scored can be compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tierwise.records.scores import OTHER_CATEGORIES, MetricScores
from tierwise.stats import CaseMean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tierwise.records.scores import CaseScores, EvalScores

MetricKind = Literal["rate", "number", "category", "mixed"]
Count = tuple[int, int]
"""How often it was True, of how many scored."""

_NOTHING = MetricScores()
_CATEGORIES_COMPARED = 12
_TWO = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCase:
    """One case as both sides scored it, and how many trials of each ended without a score."""

    case_id: str
    first: CaseMean
    second: CaseMean
    n_missing_first: int = 0
    n_missing_second: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPairs:
    """One metric over the cases that both sides scored."""

    metric: str
    category: str | None = None
    """The text that counts as True where the metric is a category."""
    is_rate: bool
    cases: tuple[PairedCase, ...]
    one_sided: tuple[PairedCase, ...] = ()
    """Cases that one side scored and of which the other has none but trials without a score."""

    @property
    def name(self) -> str:
        """The metric as a table names it."""
        return self.metric if self.category is None else f"{self.metric}={self.category}"

    @property
    def n_missing(self) -> int:
        """How many trials of both sides ended without a score."""
        cases = (*self.cases, *self.one_sided)
        return sum(case.n_missing_first + case.n_missing_second for case in cases)

    @property
    def n_scored(self) -> int:
        """How many trials of both sides have a score."""
        return sum(case.first.n + case.second.n for case in self.cases)

    @property
    def is_single(self) -> bool:
        """Has each case one score a side, no more?"""
        return all(case.first.n == case.second.n == 1 for case in self.cases)

    def counts(self) -> tuple[list[Count], list[Count]]:
        """Return (how often True, of how many) of each case, first side and second."""
        return (
            [_count_of(case.first) for case in self.cases],
            [_count_of(case.second) for case in self.cases],
        )

    def means(self) -> tuple[list[float], list[float]]:
        """Return the mean of each case, first side and second."""
        return [case.first.mean for case in self.cases], [case.second.mean for case in self.cases]

    def fill(self, *, first: float, second: float) -> MetricPairs:
        """Return what the pairs would be if each trial without a score had had this one."""
        cases = tuple(
            replace(
                case,
                first=case.first.fill(case.n_missing_first, first),
                second=case.second.fill(case.n_missing_second, second),
                n_missing_first=0,
                n_missing_second=0,
            )
            for case in (*self.cases, *self.one_sided)
        )
        return replace(self, cases=cases, one_sided=())


def find_kind(metric: str, *sides: EvalScores) -> MetricKind:
    """Return what kind of score a metric holds, all sides taken together."""
    kinds: set[MetricKind] = set()
    for side in sides:
        for case in side.cases.values():
            found = case.metrics.get(metric, _NOTHING)
            if found.n_true or found.n_false:
                kinds.add("rate")
            if found.n_numbers:
                kinds.add("number")
            if found.categories:
                kinds.add("category")
    return kinds.pop() if len(kinds) == 1 else "mixed"


def pair_metric(
    metric: str, kind: MetricKind, sides: tuple[EvalScores, EvalScores], case_ids: Sequence[str]
) -> Iterator[MetricPairs]:
    """Yield a metric over the cases that both scored; a category gives one a text."""
    chosen: Iterable[str | None] = (None,)
    if kind == "category":
        chosen = choose_categories(metric, sides)
    for category in chosen:
        found = tuple(_pair_cases(metric, category, sides, case_ids))
        yield MetricPairs(
            metric=metric,
            category=category,
            is_rate=kind != "number",
            cases=tuple(case for case in found if case.first.n and case.second.n),
            one_sided=tuple(case for case in found if not (case.first.n and case.second.n)),
        )


def _pair_cases(
    metric: str,
    category: str | None,
    sides: tuple[EvalScores, EvalScores],
    case_ids: Sequence[str],
) -> Iterator[PairedCase]:
    for case_id in case_ids:
        one, two = (side.cases[case_id] for side in sides)
        first, second = (mean_of_case(case, metric, category) for case in (one, two))
        if first.n or second.n:
            yield PairedCase(
                case_id=case_id,
                first=first,
                second=second,
                n_missing_first=one.outcomes.total() - first.n,
                n_missing_second=two.outcomes.total() - second.n,
            )


def mean_of_case(case: CaseScores, metric: str, category: str | None = None) -> CaseMean:
    """Return a metric's mean over a case's scored trials; of a text, how often it was scored."""
    found = case.metrics.get(metric, _NOTHING)
    if category is not None:
        return _mean_of_rate(found.categories.get(category, 0), found.n_categories)
    if found.n_numbers:
        mean = found.total / found.n_numbers
        return CaseMean(n=found.n_numbers, mean=mean, variance=found.variance or 0.0)
    return _mean_of_rate(found.n_true, found.n_true + found.n_false)


def _mean_of_rate(events: int, n: int) -> CaseMean:
    variance = events * (n - events) / n / (n - 1) if n > 1 else 0.0
    return CaseMean(n=n, mean=events / n if n else 0.0, variance=variance)


def _count_of(case: CaseMean) -> Count:
    return round(case.mean * case.n), case.n


def choose_categories(metric: str, sides: Iterable[EvalScores]) -> list[str]:
    """Return the texts that are compared: the most frequent of all sides together.

    Of two texts one says it all: what it gains the other loses.
    """
    texts = _order_categories(metric, sides)
    return texts[:1] if len(texts) == _TWO else texts[:_CATEGORIES_COMPARED]


def count_categories(metric: str, sides: Iterable[EvalScores]) -> str:
    """Return that some texts of a metric are not compared, or nothing where all are."""
    n = len(_order_categories(metric, sides))
    if n <= _CATEGORIES_COMPARED:
        return ""
    return (
        f"{metric} has {n} different texts or more: the {_CATEGORIES_COMPARED} most frequent are "
        "compared"
    )


def _order_categories(metric: str, sides: Iterable[EvalScores]) -> list[str]:
    """Return the texts of all sides, the most frequent first."""
    seen: dict[str, int] = {}
    for side in sides:
        for case in side.cases.values():
            for text, n in case.metrics.get(metric, _NOTHING).categories.items():
                seen[text] = seen.get(text, 0) + n
    seen.pop(OTHER_CATEGORIES, None)
    return sorted(seen, key=lambda text: (-seen[text], text))
