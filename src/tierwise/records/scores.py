"""Scores of many trials added up: for each case and metric, what was seen how often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Outcome
    from tierwise.records.rows import PlanRow, RunRow

Scores = dict[str, bool | float | str]

_SCORED = frozenset({"passed", "failed"})
_MOST_CATEGORIES = 50
OTHER_CATEGORIES = "(others)"
"""Stands for all categories of a case after its first 50: a free text is no category."""


@dataclass(slots=True)
class MetricScores:
    """One metric on one case, scored trials only; `total` adds True as 1 and False as 0."""

    n_true: int = 0
    n_false: int = 0
    n_numbers: int = 0
    categories: dict[str, int] = field(default_factory=dict)
    _origin: float = 0.0
    _sum: float = 0.0
    _squares: float = 0.0

    @property
    def n(self) -> int:
        """How many trials scored it, whatever they scored."""
        return self.n_true + self.n_false + self.n_numbers + self.n_categories

    @property
    def n_categories(self) -> int:
        """How many trials scored it as a category."""
        return sum(self.categories.values())

    @property
    def total(self) -> float:
        """The sum of what was True, False or a number."""
        return self.n_true + self.n_numbers * self._origin + self._sum

    @property
    def variance(self) -> float | None:
        """The variance of the numbers over trials; None of fewer than 2."""
        if self.n_numbers < 2:  # noqa: PLR2004  one number has no spread
            return None
        above = self._squares - self._sum * self._sum / self.n_numbers
        return max(0.0, above / (self.n_numbers - 1))

    def add(self, value: bool | float | str, times: int = 1) -> None:  # noqa: FBT001  a score
        """Count one observation, made `times` times."""
        if value is True:
            self.n_true += times
        elif value is False:
            self.n_false += times
        elif isinstance(value, str):
            is_room = value in self.categories or len(self.categories) < _MOST_CATEGORIES
            name = value if is_room else OTHER_CATEGORIES
            self.categories[name] = self.categories.get(name, 0) + times
        else:
            if not self.n_numbers:
                # Distances from the first number keep their digits, however far it is from 0.
                self._origin = value
            distance = value - self._origin
            self.n_numbers += times
            self._sum += times * distance
            self._squares += times * distance * distance


@dataclass(slots=True, kw_only=True)
class CaseScores:
    """One case of one plan in one run: what became of its trials, and their scores."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    metrics: dict[str, MetricScores] = field(default_factory=dict)
    seed: int | None = None
    """The seed of its first trial: it follows from the eval's code and the case's content."""

    @property
    def n_unscored(self) -> int:
        """How many of its trials ended without a score."""
        return sum(n for outcome, n in self.outcomes.items() if outcome not in _SCORED)

    def add(self, outcome: Outcome, scores: Scores, times: int) -> None:
        """Count trials that ended alike; those without a score are counted, and no more."""
        self.outcomes[outcome] += times
        if outcome not in _SCORED:
            return
        for name, value in scores.items():
            found = self.metrics.get(name)
            if found is None:
                found = self.metrics[name] = MetricScores()
            if value is True:  # most scores are one of two: no call for them
                found.n_true += times
            elif value is False:
                found.n_false += times
            else:
                found.add(value, times)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalScores:
    """One plan in one run: its claim's trials by case; those of a control are not among them."""

    plan: PlanRow
    cases: Mapping[str, CaseScores]
    n_reused: int = 0
    """How many of its trials were taken over from earlier runs."""

    @property
    def n_landed(self) -> int:
        """How many trials ended, with a score or without."""
        return sum(case.outcomes.total() for case in self.cases.values())

    @property
    def n_scored(self) -> int:
        """How many trials have a score."""
        return self.n_landed - sum(case.n_unscored for case in self.cases.values())

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics that any trial scored, in order."""
        return tuple(sorted({name for case in self.cases.values() for name in case.metrics}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """How many trials of two plans are one observation, counted on both sides."""

    n_taken_over: int = 0
    """Trials that one run took over from the other, or both from a third."""
    n_copied: int = 0
    """Trials in which a reply cache gave one side what the other side was told."""

    @property
    def n(self) -> int:
        """How many there are in all."""
        return self.n_taken_over + self.n_copied


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRun:
    """A run that planned evals, with its plans in the order they were made."""

    run: RunRow
    plans: tuple[PlanRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanUsage:
    """What one plan's trials took in one run, controls included, reused trials left out.

    Calls are counted by reply: those from a cache apart, since they cost nothing anew.
    """

    n_trials: int = 0
    n_reused: int = 0
    n_calls: int = 0
    n_cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    """The sum of the costs that are known."""
    n_unpriced: int = 0
    """How many calls have no known cost."""
    trial_s: float = 0.0
    """The time of all trials added up, whether or not they ran at once."""
