"""Trials counted as they land: constant memory for each case and metric."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.evals.moments import Moments
from tierwise.evals.outcomes import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.evals.plan import PlannedCase
    from tierwise.evals.trial import Score

_SCORED = frozenset({Outcome.PASSED, Outcome.FAILED})
_REASONS_KEPT = 1000
_VALUES_KEPT = 100
"""So many different texts make a category; a metric with more of them is free text."""
_BEGINNINGS_KEPT = 100
"""In so many ways do the first trials of cases end that cases have their counts in common."""
_NOTHING: Mapping[str, MetricCount] = MappingProxyType({})


@dataclass(slots=True)
class MetricCount:
    """Observations of one metric on one case."""

    n_true: int = 0
    n_false: int = 0
    numbers: Moments | None = None
    texts: Counter[str] | None = None
    n_other_texts: int = 0
    """Texts beyond those that are told apart."""
    n_unscored_true: int = 0
    """How often it was True in a trial that went wrong: no score, but seen."""

    @property
    def n_rated(self) -> int:
        """How many observations were True or False."""
        return self.n_true + self.n_false

    @property
    def n_numbers(self) -> int:
        """How many observations were numbers."""
        return 0 if self.numbers is None else self.numbers.n

    @property
    def n_texts(self) -> int:
        """How many observations were texts."""
        return self.n_other_texts + (0 if self.texts is None else self.texts.total())

    def add(self, value: Score) -> None:
        """Count one observation."""
        if value is True:
            self.n_true += 1
        elif value is False:
            self.n_false += 1
        elif isinstance(value, str):
            self._add_text(value)
        else:
            self.numbers = self.numbers or Moments()
            self.numbers.add(value)

    def _add_text(self, value: str) -> None:
        self.texts = Counter() if self.texts is None else self.texts
        if value in self.texts or len(self.texts) < _VALUES_KEPT:
            self.texts[value] += 1
        else:
            self.n_other_texts += 1


@dataclass(slots=True)
class CaseCount:
    """One planned case: what became of its trials."""

    planned: PlannedCase
    metrics: Mapping[str, MetricCount] = field(default_factory=lambda: _NOTHING)
    """Never to be changed from here: cases that began alike have it in common."""
    n_landed: int = 0
    n_with_reply: int = 0
    first_reply: int | None = None
    is_varied: bool = False
    """Did two trials get different replies?"""
    _ending: Outcome | None = None
    """How its trials ended as long as all ended alike: most cases need no table of their own."""
    _endings: Counter[Outcome] | None = None
    _own: dict[str, MetricCount] | None = None
    """The metrics of a case whose trials went a way of their own."""

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How its trials ended, and how many of them so."""
        if self._endings is not None:
            return self._endings.copy()
        return Counter() if self._ending is None else Counter({self._ending: self.n_landed})

    def land(self, outcome: Outcome) -> None:
        """Count how one trial ended."""
        if self._endings is None and self._ending not in (None, outcome):
            self._endings = self.outcomes
        if self._endings is not None:
            self._endings[outcome] += 1
        self._ending = outcome
        self.n_landed += 1

    def own(self) -> dict[str, MetricCount]:
        """Return the counts of this case alone, to be changed."""
        if self._own is None:
            self._own = {metric: replace(found) for metric, found in self.metrics.items()}
            self.metrics = self._own
        return self._own


class Tally:
    """Counts of one eval's trials; adding in any order gives the same counts."""

    def __init__(self, cases: Iterable[PlannedCase]) -> None:
        self.cases = {planned.label: CaseCount(planned=planned) for planned in cases}
        self.reasons: Counter[str] = Counter()
        self._beginnings: dict[tuple[object, ...], Mapping[str, MetricCount]] = {}

    def add(
        self,
        label: str,
        outcome: Outcome,
        scores: Mapping[str, Score],
        *,
        message: str = "",
        reply: int | None = None,
    ) -> None:
        """Count one trial; `reply` is a hash of what the model said in it.

        A trial without a score counts for nothing. A True that it saw is remembered apart, so
        that an error after a leak does not hide the leak from a `never`, and proves nothing else.
        """
        case = self.cases[label]
        is_scored = outcome in _SCORED
        beginning = None if case.n_landed else self._begin(scores, is_scored=is_scored)
        if beginning is None:
            _count(case.own(), scores, is_scored=is_scored)
        else:
            case.metrics = beginning
        case.land(outcome)
        if not is_scored:
            self._keep_reason(f"{outcome}: {reason_of(message)}")
        if is_scored and reply is not None:
            case.n_with_reply += 1
            if case.first_reply is None:
                case.first_reply = reply
            case.is_varied = case.is_varied or reply != case.first_reply

    def of_arm(self, arm: str, metric: str = "") -> tuple[CaseCount, ...]:
        """Return the cases of an arm; those of a control by its metric."""
        return tuple(
            case
            for case in self.cases.values()
            if case.planned.arm == arm and case.planned.metric == metric
        )

    @property
    def n_landed(self) -> int:
        """How many trials have ended, those of controls included."""
        return sum(case.n_landed for case in self.cases.values())

    def outcomes(self) -> Counter[Outcome]:
        """Return how the trials that claims rest on ended; the rest of the plan is `not_run`."""
        total: Counter[Outcome] = Counter()
        for case in self.of_arm("trial"):
            total.update(case.outcomes)
            if left := case.planned.trials - case.n_landed:
                total[Outcome.NOT_RUN] += left
        return total

    def _begin(
        self, scores: Mapping[str, Score], *, is_scored: bool
    ) -> Mapping[str, MetricCount] | None:
        """Return the counts of a case after its first trial; None where it needs its own."""
        if not all(type(value) is bool for value in scores.values()):
            return None  # 1 is equal to True, and counted as a number
        begun = (is_scored, *scores.items())
        found = self._beginnings.get(begun)
        if found is None and len(self._beginnings) < _BEGINNINGS_KEPT:
            found = _count({}, scores, is_scored=is_scored)
            self._beginnings[begun] = found
        return found

    def _keep_reason(self, reason: str) -> None:
        # A million different messages would be a million lines in memory.
        is_room = reason in self.reasons or len(self.reasons) < _REASONS_KEPT
        self.reasons[reason if is_room else "other reasons"] += 1


def _count(
    counts: dict[str, MetricCount], scores: Mapping[str, Score], *, is_scored: bool
) -> dict[str, MetricCount]:
    """Add what one trial scored; of one without a score only the True that it saw."""
    for metric, value in scores.items():
        if is_scored or value is True:
            found = counts.get(metric)
            if found is None:
                found = counts[metric] = MetricCount()
            if is_scored:
                found.add(value)
            else:
                found.n_unscored_true += 1
    return counts
