"""When the verdict on a rate is certain although trials are left: whole numbers compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.domain import Outcome, Verdict
from tierwise.evals.promises import RateLimit
from tierwise.stats import Population, RateBounds, bounds_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.evals.expectations import Expectation
    from tierwise.evals.trial import Score

SCORED = frozenset({Outcome.PASSED, Outcome.FAILED})


def read_event(
    expectation: Expectation, outcome: Outcome, scores: Mapping[str, Score]
) -> bool | None:
    """Return whether a trial shows the event whose rate is judged; None when it has no score."""
    score = scores.get(expectation.metric)
    if outcome not in SCORED or not isinstance(expectation.promise, RateLimit):
        return None
    if expectation.promise.value is not None:
        return score == expectation.promise.value if isinstance(score, str) else None
    return score if isinstance(score, bool) else None


def is_seen_unscored(
    expectation: Expectation, outcome: Outcome, scores: Mapping[str, Score]
) -> bool:
    """Return whether a trial that went wrong has shown the event before: enough for a `never`."""
    return outcome not in SCORED and scores.get(expectation.metric) is True


@dataclass(slots=True)
class Curtailed:
    """One expectation, and what the trials of a plan of n have shown of it so far.

    `verdict` is that of the whole plan as soon as no trial that is left can change it: none
    that passes, none that fails, and none that ends without a score.
    """

    expectation: Expectation
    n: int
    events: int = 0
    missing: int = 0
    seen: int = 0
    verdict: Verdict | None = None
    is_refuted_unscored: bool = False
    _limits: tuple[int, int] | None = field(default=None, repr=False)

    def take(self, outcome: Outcome, scores: Mapping[str, Score]) -> None:
        """Count one trial."""
        self.seen += 1
        event = read_event(self.expectation, outcome, scores)
        if event is None:
            self.missing += 1
            if is_seen_unscored(self.expectation, outcome, scores):
                self.is_refuted_unscored = True
        elif event:
            self.events += 1
        if self.verdict is None and self.seen < self.n:
            self.verdict = self._settle()

    def _settle(self) -> Verdict | None:
        promise = self.expectation.promise
        if not isinstance(promise, RateLimit):
            return None  # a mean can always still move
        if promise.kind == "never":
            return Verdict.REFUTED if self._has_occurred() else None
        if self.expectation.population is not Population.THESE_CASES:
            return None  # how cases differ can always still change
        return self._compare(is_least=promise.kind == "at_least")

    def _compare(self, *, is_least: bool) -> Verdict | None:
        # The fewest and the most events that the whole plan can come to, with trials that end
        # without a score counted against whichever bound they weaken.
        few, many = self._find_limits()
        left = self.n - self.seen
        is_low, is_high = self.events + self.missing + left <= few, self.events >= many
        is_refuted, is_kept = (is_low, is_high) if is_least else (is_high, is_low)
        if is_refuted:
            return Verdict.REFUTED
        if is_kept and self._is_tolerated(self.missing + left):
            return Verdict.PROVEN
        may_be_low, may_be_high = self.events + self.missing <= few, self.events + left >= many
        may_refute, may_keep = (may_be_low, may_be_high) if is_least else (may_be_high, may_be_low)
        is_open = may_refute or (may_keep and self._is_tolerated(self.missing))
        return None if is_open else Verdict.UNDECIDED

    def _has_occurred(self) -> bool:
        if not self.expectation.is_negative_control:
            return self.events > 0 or self.is_refuted_unscored
        # A planted hole that was seen counts only while few trials can still go wrong.
        return self.events > 0 and self._is_tolerated(self.missing + self.n - self.seen)

    def _is_tolerated(self, missing: int) -> bool:
        return missing <= self.expectation.missing_ceiling * self.n

    def _find_limits(self) -> tuple[int, int]:
        """Return the most events that show a rate below the limit, the fewest that show above.

        Found once: beyond them the bounds of the whole plan lie on one side of the limit.
        """
        if self._limits is None:
            promise = self.expectation.promise
            assert isinstance(promise, RateLimit)  # noqa: S101  asked for rates only
            limit, is_least = promise.limit, promise.kind == "at_least"

            def is_over(events: int) -> bool:  # not shown to be low any more
                upper = self._bounds(events).upper
                return upper >= limit if is_least else upper > limit

            def is_high(events: int) -> bool:
                lower = self._bounds(events).lower
                return lower >= limit if is_least else lower > limit

            self._limits = _first(is_over, self.n) - 1, _first(is_high, self.n)
        return self._limits

    def _bounds(self, events: int) -> RateBounds:
        found = bounds_for(
            Population.THESE_CASES, [(events, self.n)], confidence=self.expectation.confidence
        )
        assert isinstance(found, RateBounds)  # noqa: S101  a plan has trials
        return found


def _first(holds: Callable[[int], bool], n: int) -> int:
    """Return the smallest of 0 to n from which on it holds; n + 1 if it never does."""
    low, high = 0, n + 1
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
